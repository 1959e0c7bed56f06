"""Notes about rows, intervals, resamples and tests."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.stream_in_bins": (
        "There were more than {most:count} distinct scores, so they are counted in bins; areas and rates come with "
        "guaranteed bounds on the exact values.",
        "不同的分数超过 {most:count} 个，因此改为分箱计数；各面积和比率附有保证包含精确值的上下界。",
    ),
    # notes: rows and intervals
    "note.undefined": ("{why}", "{why}"),
    "note.zero_over_zero": ("undefined: {empty:notes}", "无定义：{empty:notes}"),
    "note.zero_over_zero_taken": ("0/0, taken as {taken}: {empty:notes}", "0/0，按 {taken} 计：{empty:notes}"),
    "note.no_positives": ("no row is positive", "没有阳性行"),
    "note.no_negatives": ("no row is negative", "没有阴性行"),
    "note.no_positive_rows": ("0 of {rows:count} rows are positive", "{rows:count} 行中没有阳性"),
    "note.no_negative_rows": ("0 of {rows:count} rows are negative", "{rows:count} 行中没有阴性"),
    "note.none_flagged": ("no row is flagged", "没有行被判为阳性"),
    "note.all_flagged": ("every row is flagged", "所有行都被判为阳性"),
    "note.negatives_unknown": ("undefined: the number of true negatives is unknown", "无定义：真阴性的数目未知"),
    "note.lonely_stratum": (
        "{lonely:count} of {strata:count} strata have only one unit, which is compared with all units",
        "{strata:count} 个层中有 {lonely:count} 个只含一个抽样单元，该单元改与全部单元比较",
    ),
    "note.small_strata": (
        "strata have {units:amount} units on average, so the variance of resamples is too small by about "
        "1/{units:amount}; the default interval corrects for it",
        "各层平均只有 {units:amount} 个抽样单元：重抽样的方差偏小约 1/{units:amount}；默认区间已作修正",
    ),
    "note.strata_of_fits": (
        "sampled within {strata:count} strata, which enter the intervals of slope, intercept, calibration in the "
        "large and O/E. Squared error and tests treat outcomes as independent of strata given the probability",
        "在 {strata:count} 个层内抽样：层进入斜率、截距、总体校准与 O/E 的区间。平方误差与检验假定给定概率时结局与层无"
        "关",
    ),
    "note.strata_given_probability": (
        "sampled within {strata:count} strata, which are ignored here: outcomes are treated as independent of strata "
        "given the probability",
        "在 {strata:count} 个层内抽样，但此处不计入层：假定给定概率时结局与层无关",
    ),
    "note.heavy_weights": (
        "one row carries up to {share:share} of a class’s weight: rows not drawn may matter; intervals are unreliable",
        "一行的权重可达某一类的 {share:share}：未抽到的行可能很重要，区间不可靠",
    ),
    "note.few_clusters": (
        "only {clusters:count} {clusters:one|cluster|clusters}: their variance is uncertain, and intervals are "
        "unreliable",
        "仅 {clusters:count} 个群：群间方差难以估计，区间不可靠",
    ),
    "note.no_variance": ("no interval: these data do not show the uncertainty", "没有区间：这些数据无法说明其不确定性"),
    "note.no_interval_known": (
        "no interval: no method is known to be reliable in small samples. Judge uncertainty by AUC or expected cost",
        "没有区间：尚无在小样本中可靠的方法。请用 AUC 或预期代价判断不确定性",
    ),
    "note.biased_resamples": (
        "resamples of {metric} are biased: this interval misses its level",
        "{metric} 的重抽样有偏：该区间达不到其置信水平",
    ),
    "note.few_positives": (
        "only {count:count} {count:one|positive|positives}: no interval is reliable",
        "阳性仅 {count:count} 例：任何区间都不可靠",
    ),
    "note.few_negatives": (
        "only {count:count} {count:one|negative|negatives}: no interval is reliable",
        "阴性仅 {count:count} 例：任何区间都不可靠",
    ),
    "note.few_negatives_in_range": (
        "only {count:amount} {count:one|negative lies|negatives lie} in this range of the false positive rate: the "
        "interval is wide, and a range of at least {needed:amount} is better",
        "此假阳性率范围内仅有 {count:amount} 例阴性：区间很宽，范围最好不小于 {needed:amount}",
    ),
    "note.few_positives_in_range": (
        "only {count:amount} {count:one|positive lies|positives lie} in this range of the sensitivity: the interval "
        "is wide, and a range of at least {needed:amount} is better",
        "此灵敏度范围内仅有 {count:amount} 例阳性：区间很宽，范围最好不小于 {needed:amount}",
    ),
    "note.separated": ("the classes are perfectly separated: the interval is a bound", "两类完全分开：区间只是界限"),
    "note.many_ties": (
        "many ties: {distinct:count} distinct scores in {rows:count} rows",
        "并列很多：{rows:count} 行只有 {distinct:count} 个不同的分数",
    ),
    "note.resamples_undefined": (
        "it is undefined in {failed:count} of {replicates:count} resamples, which were left out",
        "{replicates:count} 次重抽样中有 {failed:count} 次无定义，已略去",
    ),
    "note.no_resample_defines": (
        "undefined in all {replicates:count} resamples: a class is too rare",
        "{replicates:count} 次重抽样均无定义：某一类过少",
    ),
    "note.binned": (
        "resampled in {bins:count} bins, which change the value by {moved:short}",
        "在 {bins:count} 个箱中重抽样；分箱使数值改变 {moved:short}",
    ),
    "note.binned_at_most": (
        "resampled in bins, which change a value by at most {moved:short}",
        "分箱重抽样；分箱使数值最多改变 {moved:short}",
    ),
    "note.in_bins": (
        "scores were counted in bins: the guaranteed bounds on the exact value are {width:short} apart",
        "分数按箱计数：精确值的上下界有保证，相差 {width:short}",
    ),
    "note.scan_in_bins": (
        "Scores were counted in {bins:count} bins. The bounds on the exact ROC AUC are {auc:short} apart, those on "
        "average precision {ap:short}.",
        "分数按 {bins:count} 个箱计数。精确 ROC AUC 的上下界相差 {auc:short}，平均精确率的相差 {ap:short}。",
    ),
    "note.in_bins_open": ("scores were counted in bins: no closer bounds exist", "分数按箱计数：没有更紧的界"),
    "note.all_resamples_equal": (
        "every resample gives the same value: a zero-width interval does not mean certainty",
        "所有重抽样的数值相同：宽度为零的区间并不表示确定",
    ),
    "note.permutation_no_interval": (
        "a permutation test has no interval; method='bootstrap' has one",
        "置换检验没有区间；method='bootstrap' 有区间",
    ),
    "note.whole_curves": (
        "the statistic and p compare whole curves; the difference shown is between their areas",
        "统计量和 P 针对整条曲线；所示差值是曲线下面积之差",
    ),
    "note.simultaneous": (
        "low_simultaneous and high_simultaneous cover all {tests:count} differences together (Bonferroni): they "
        "exclude 0 exactly where {tests:count} times p is below {alpha:cost}",
        "low_simultaneous 和 high_simultaneous 对全部 {tests:count} 个差值同时成立（Bonferroni）：当且仅当 "
        "{tests:count} 乘以 P 小于 {alpha:cost} 时，区间不含 0",
    ),
    "note.mcnemar_exact": (
        "{first} and {second} differ on {rows:count} rows; exact p\u00a0{p:relation}",
        "{first} 与 {second} 在 {rows:count} 行上不同；精确 P\u00a0{p:relation}",
    ),
    "note.all_equal": (
        "all models equal: chi-square {chi:cost} on {degrees:cost} degrees of freedom, p {p:relation}",
        "所有模型相同：χ² = {chi:cost}，自由度 {degrees:cost}，P\u00a0{p:relation}",
    ),
    "note.omnibus_degrees": (
        "the test of all models allows for the estimation of variances ({degrees:cost} degrees of freedom): "
        "Hotelling's T² replaces chi-square",
        "同时检验所有模型时计入了方差本身的估计误差（自由度 {degrees:cost}）：用 Hotelling T² 代替 χ²",
    ),
    "note.no_omnibus": (
        "method='{method}' cannot test all models at once; p_holm corrects the p-values of the pairs",
        "method='{method}' 不能同时检验所有模型；p_holm 是对各对 P 值的校正",
    ),
    "note.margins_uncorrected": (
        "p_non_inferior and p_equivalent apply to each pair alone: for all {pairs:count} pairs together, multiply "
        "them by {pairs:count} (Bonferroni)",
        "p_non_inferior 和 p_equivalent 只针对单独一对：若要对全部 {pairs:count} 对同时成立，请乘以 {pairs:count}"
        "（Bonferroni）",
    ),
    "note.columns": ("{columns:notes}", "{columns:notes}"),
    "note.column_statistic": ("statistic: the test statistic (z for DeLong)", "statistic：检验统计量（DeLong 法为 z）"),
    "note.column_p": ("p: test of no difference", "p：检验“没有差异”"),
    "note.column_p_non_inferior": (
        "p_non_inferior: test that the first is worse by the margin or more",
        "p_non_inferior：检验“前者差至少一个界值”",
    ),
    "note.column_p_equivalent": (
        "p_equivalent: test that the two differ by the margin or more",
        "p_equivalent：检验“两者相差至少一个界值”",
    ),
    # notes: signal detection
    "note.categories_merged": (
        "{runs:count} categories were merged into {categories:count}",
        "{runs:count} 个类别合并为 {categories:count} 个",
    ),
    "note.improper_curve": (
        "improper: the curve crosses the chance line at FPR {fpr:cost} (b = {b:cost}); do not use it there",
        "不规则：曲线在假阳性率 {fpr:cost} 处穿过随机水平线（b = {b:cost}）；请勿在该处读取",
    ),
    "note.few_rows_of_class": (
        "only {rows:cost} {rows:one|row|rows} of a class: standard errors are unreliable",
        "某一类只有 {rows:cost} 行：标准误不可靠",
    ),
    # notes: planning
    "note.implied_prevalence": (
        "the model's probabilities imply a prevalence of {implied:share}, not the {stated:share} stated. Sample size "
        "follows from the former for the slope, from the latter for O/E, AUC and net benefit",
        "模型的概率意味着患病率为 {implied:share}，而不是所设的 {stated:share}。斜率所需的样本量取自前者，O/E、AUC 和"
        "净获益所需的取自后者",
    ),
    "note.implied_auc": (
        "the model's probabilities imply an AUC of {implied:area}, not the {stated:area} stated, if they are "
        "calibrated as expected",
        "若校准如预期，模型的概率意味着 AUC 为 {implied:area}，而不是所给的 {stated:area}",
    ),
}

"""Sites and their pooled AUC; folds of cross-validation; columns of scores."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.sites_pooled": (
        "{model}: AUC over all sites {value:area} ({level:level} interval {low:area} to {high:area}); at a new site "
        "expect {new_low:area} to {new_high:area}.",
        "{model}：各中心合并的 AUC 为 {value:area}（{level:level} 置信区间 {low:area}～{high:area}）；在新的中心预期"
        "为 {new_low:area}～{new_high:area}。",
    ),
    "note.folds_mean": (
        "{model}: mean AUC over {folds:count} folds {value:area} ({level:level} interval {low:area} to {high:area}), "
        "standard deviation over folds {spread:area}; all rows pooled {pooled:area}.",
        "{model}：{folds:count} 折的平均 AUC 为 {value:area}（{level:level} 置信区间 {low:area}～{high:area}），折间标"
        "准差 {spread:area}；所有行合并为 {pooled:area}。",
    ),
    "note.folds_mean_alone": (
        "{model}: mean AUC over {folds:count} folds {value:area}, standard deviation over folds {spread:area}; all "
        "rows pooled {pooled:area}.",
        "{model}：{folds:count} 折的平均 AUC 为 {value:area}，折间标准差 {spread:area}；所有行合并为 {pooled:area}。",
    ),
    # groups, sites, classes
    "special.(pooled)": ("all sites pooled", "各中心合并"),
    "special.(prediction)": ("a new site", "新的中心"),
    "sites.lead": (
        "AUC does not depend on a site’s prevalence but on its case mix: milder positives or harder negatives lower "
        "it. Precision also depends on prevalence.",
        "AUC 不随各中心的患病率而变，但随病例构成而变：阳性较轻或阴性较难的中心，AUC 会较低。精确率还随患病率而变。",
    ),
    "sites.table": ("AUC by site ({level:level} intervals)", "各中心的 AUC（{level:level} 置信区间）"),
    "sites.more": ("Each site in detail", "各中心的细节"),
    "sites.spread": (
        "Spread between sites: I² {i2:share}, τ² {tau2:cost}; test that all are equal: Q {q:cost}, "
        "p\u00a0{p:relation}.",
        "中心间的异质性：I² 为 {i2:share}，τ² 为 {tau2:cost}；检验各中心相同：Q 为 {q:cost}，P\u00a0{p:relation}。",
    ),
    "folds.lead": (
        "Each row was scored by the model of its fold, which was not fitted on it. The mean over folds judges every "
        "model on its own rows; the pooled value also compares rows scored by different models.",
        "每一行由其所在折的模型评分，该模型拟合时没有用到这一行。各折平均只在各模型自己的行上评判；合并值还会比较由不"
        "同模型评分的行。",
    ),
    "folds.summary": ("AUC over folds ({level:level} intervals)", "各折的 AUC 汇总（{level:level} 置信区间）"),
    "folds.table": ("AUC by fold ({level:level} intervals)", "各折的 AUC（{level:level} 置信区间）"),
    "folds.compared": (
        "Difference of the mean AUC over folds ({level:level} intervals, corrected t-test)",
        "各折平均 AUC 之差（{level:level} 置信区间，校正 t 检验）",
    ),
    # notes: breakdown
    "note.site_left_out": ("{site} is left out of pooling: {why}", "{site} 未计入合并：{why}"),
    "note.perfect_sites": (
        "perfect separation at {sites}: pooled as if half a pair were misordered, with the standard error of the bound",
        "{sites} 的两类完全分开：合并时视为排错半对，标准误取区间界限所对应的值",
    ),
    "note.too_many_to_leave_out": (
        "the mean without each site is shown for at most {most:count} sites, and there are {sites:count}",
        "共 {sites:count} 个中心：仅在不超过 {most:count} 个时给出逐一剔除后的均值",
    ),
    "note.columns_beyond_chance": (
        "of {columns:count} tests {holm:count} have p below {alpha:short} corrected by Holm, {bh:count} by Benjamini "
        "and Hochberg",
        "共 {columns:count} 次检验，经 Holm 校正后 P 值低于 {alpha:short} 的有 {holm:count} 个，"
        "经 Benjamini–Hochberg 校正的有 {bh:count} 个",
    ),
    "note.columns_by_permutation": (
        "{family:count} have p_family below {alpha:short}: their deviate is rare even as the largest of all",
        "p_family 低于 {alpha:short} 的有 {family:count} 个：其偏离程度即使作为全部列中的最大值也属罕见",
    ),
    "note.columns_without_p": (
        "no p: {metric} has no test against chance of its own; pass method='permutation'",
        "没有 P 值：{metric} 没有与随机水平比较的检验；请用 method='permutation'",
    ),
    "note.columns_undefined": ("undefined in {columns:count} columns: {named}", "{columns:count} 列无定义：{named}"),
    "note.too_few_sites": (
        "pooling needs at least two sites, not {sites:count}",
        "合并至少需要两个中心，不是 {sites:count}",
    ),
    "note.clusters_span_sites": (
        "some clusters span several sites: pooling treats sites as independent",
        "部分群跨多个中心：合并时将各中心视为独立",
    ),
    "note.not_one_site": ("rows without a site do not form a site", "没有中心的行不构成一个中心"),
    "note.auc_without_variance": (
        "scores are constant within each class: AUC has variance 0",
        "各类别内分数恒定：其 AUC 的方差为 0",
    ),
    "note.pooled_auc": (
        "Pooled AUC {value:cost} ({low:cost} to {high:cost}); a new site: {new_low:cost} to {new_high:cost}",
        "合并 AUC {value:cost}（{low:cost} 至 {high:cost}）；新中心：{new_low:cost} 至 {new_high:cost}",
    ),
    "note.pooled_how": (
        "{sites:count} sites; {method}, {interval}; tau² {tau2:cost} ({tau2_low:cost} to {tau2_high:cost}), I² "
        "{i2:share}, Q {q:cost}, p {p:relation}",
        "{sites:count} 个中心；{method}，{interval}；tau² {tau2:cost}（{tau2_low:cost} 至 {tau2_high:cost}），I² "
        "{i2:share}，Q {q:cost}，P\u00a0{p:relation}",
    ),
    "note.sites_agree_too_well": (
        "sites agree more closely than their errors allow, so the Hartung–Knapp interval is too short. With the plain "
        "standard error it is {low:cost} to {high:cost}: use that, or interval='q-profile'",
        "各中心的一致程度超过其误差所允许的，使 Hartung–Knapp 区间过短。按普通标准误为 {low:cost}～{high:cost}：请用后"
        "者，或用 interval='q-profile'",
    ),
    "note.few_sites": (
        "only {sites:count} {sites:one|site|sites}: the variation between sites is hardly known, so intervals are wide",
        "仅 {sites:count} 个中心：中心间差异几乎未知，区间因此很宽",
    ),
    "note.rates_how": (
        "{method}; standard deviations of the logits between sites {sd_one:cost} (sensitivity) and {sd_two:cost} "
        "(specificity), correlation {correlation:cost}",
        "{method}；logit 的中心间标准差：灵敏度 {sd_one:cost}，特异度 {sd_two:cost}，相关 {correlation:cost}",
    ),
    "note.rates_left_out": ("left out, with rows of only one class: {sites}", "只有一类行的中心未计入：{sites}"),
    "note.half_added": (
        "0.5 was added to the counts of {sites:count} sites that have a count of 0",
        "{sites:count} 个中心有为 0 的计数，其各计数均加 0.5",
    ),
    "note.folds_differ": (
        "scores differ between folds, within classes, by more than chance (p\u00a0{p:relation}, most in fold {fold}): "
        "their models are calibrated differently or their rows differ. Pooling compares rows across folds and may "
        "mislead: pooled {pooled:area}, mean over folds {mean:area}",
        "同一类别内，各折的分数差异超出偶然（P\u00a0{p:relation}，第 {fold} 折最明显）：各折模型的校准不同，或各折的行"
        "不同。合并会比较不同折的行，可能误导：合并为 {pooled:area}，各折平均为 {mean:area}",
    ),
    "note.folds_not_tested": (
        "differences between the scores of folds are not tested: the test treats rows as independent, and these have "
        "clusters, strata, sampling weights or censored outcomes",
        "未检验各折的分数是否不同：该检验将各行视为独立，而这些数据有群、分层、抽样权重或删失结局",
    ),
    "note.small_folds": (
        "{folds:count} of {of:count} folds have fewer than 10 rows of a class (the fewest {least:count}): the value "
        "of a single such fold is mostly chance, and its average precision is biased",
        "{of:count} 折中有 {folds:count} 折某一类别少于 10 行（最少 {least:count} 行）：单独一折的数值大半出于偶然，平"
        "均精确率在其中有偏",
    ),
    "note.clusters_span_folds": (
        "some clusters span several folds: models were tested on clusters that they were also fitted on, so the "
        "results are too optimistic for new clusters",
        "部分群跨多个折：模型在拟合时用过的群上受检验，对新的群而言结果偏乐观",
    ),
    "note.folds_without_error": (
        "one fold has fewer than two rows of a class, so its AUC has no standard error",
        "某一折中有一类不足两行，其 AUC 没有标准误",
    ),
    "note.spread_of_folds": (
        "spread is the standard deviation over folds: how the value varies from one test set of this size, with its "
        "model, to the next. Divided by √k it is not a standard error, since training sets overlap",
        "折间标准差（spread）表示数值从一个同样大小的测试集（及其模型）到另一个会变化多少。除以 √k 并不是标准误，因为"
        "训练集相互重叠",
    ),
    "note.corrected_t": (
        "corrected t-test over {folds:count} folds ({degrees:count} degrees of freedom): the variance is "
        "(1/{folds:count} + {ratio:cost})·s², where {ratio:cost} is test rows over training rows. It compares ways of "
        "fitting, and is approximate",
        "{folds:count} 折的校正 t 检验（自由度 {degrees:count}）：方差为 (1/{folds:count} + {ratio:cost})·s²，其中 "
        "{ratio:cost} 是测试行数与训练行数之比。它比较的是拟合方法，且为近似",
    ),
    "note.folds_left_out": ("folds are not evaluated: {why}", "未评估各折：{why}"),
    "note.folds_of_one_row": (
        "every fold has one row (leave-one-out), and AUC pooled over such folds is biased downward; use repeated "
        "stratified k-fold, or leave-pair-out cross-validation",
        "每折只有一行（留一法），在这样的折上合并的 AUC 偏低；请使用重复的分层 k 折，或留一对交叉验证",
    ),
    "note.folds_lack_class": (
        "{lacks:count} of {of:count} folds lack a class ({folds}); use stratified folds, or fewer of them, so that "
        "every fold has both classes",
        "{of:count} 折中有 {lacks:count} 折缺少一个类别（{folds}）；请使用分层的折，或减少折数，使每折都有两个类别",
    ),
}

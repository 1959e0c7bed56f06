"""Diagnostic accuracy, reader studies and verification bias."""

WORDS = {
    # reader studies
    "note.modalities_equal": (
        "all modalities equal: F {f:cost} on {first:cost} and {second:cost} degrees of freedom, p {p:relation}",
        "所有方式相同：F {f:cost}，自由度 {first:cost} 和 {second:cost}，P\u00a0{p:relation}",
    ),
    "note.reader_study_random_cases": (
        "readers and cases are samples: the intervals and p apply to readers and cases like these",
        "阅片者与病例都是样本：区间和 P 值针对同类的阅片者和病例",
    ),
    "note.reader_study_fixed_cases": (
        "readers are a sample, cases are not: the intervals and p apply only to these cases",
        "阅片者是样本，病例不是：区间和 P 值针对同类的阅片者和这些病例",
    ),
    "note.reader_study_fixed_readers": (
        "cases are a sample, readers are not: the intervals and p apply only to these readers",
        "病例是样本，阅片者不是：区间和 P 值针对这些阅片者和同类的病例",
    ),
    "note.few_readers": (
        "only {count:count} {count:one|reader|readers}: the test finds false differences slightly too often",
        "阅片者仅 {count:count} 名：检验误报差异的机会略高于标称水准",
    ),
    "note.reader_cases_dropped": (
        "cases without all scores dropped: {cases:count}",
        "缺少评分而剔除的病例：{cases:count}",
    ),
    "note.readers_do_not_vary": ("no interval: neither readers nor cases vary", "没有区间：阅片者和病例都没有变化"),
    # verification bias
    "note.verification_depends": (
        "the correction is valid if verified and unverified rows with the same {given:notes} are alike; if something "
        "else decided who was verified, it is not",
        "校正成立的前提：{given:notes}相同的行中，已证实与未证实的行相似；若由其他因素决定谁得到证实，则不成立",
    ),
    "note.verification_share": (
        "{verified:count} of {rows:count} rows verified",
        "{rows:count} 行中证实 {verified:count}",
    ),
    "note.all_verified": ("every row is verified: there is nothing to correct", "所有行都经过证实：无需校正"),
    "note.verification_decision": ("decision", "判定"),
    "note.verification_score": ("score", "分数"),
    "note.verification_score_bin": ("bin of the score", "分数区段"),
    "note.verification_covariate": ("covariate", "协变量"),
    "note.rate_at_end": (
        "no interval: a rate of 0 or 1 has no logit; use method='mover'",
        "没有区间：0 或 1 的率没有 logit；请用 method='mover'",
    ),
    "note.verification_thin": (
        "{cells:count} of {all:count} cells have fewer than {few:count} verified positives, which stand for more: "
        "intervals that other functions compute from the weighted rows are too narrow",
        "{all:count} 个单元中有 {cells:count} 个的已证实阳性少于 {few:count} 例，却代表更多的行：其他方法由加权行得到"
        "的区间过窄",
    ),
    "note.few_verified": (
        "only {count:count} verified {count:one|positive|positives}: no interval is reliable",
        "经证实的阳性仅 {count:count} 例：任何区间都不可靠",
    ),
    "note.one_cluster": ("no interval: there is only one cluster", "没有区间：只有一个群"),
    "note.weights_forgotten": (
        "no intervals: rows are weighted, and a Sweep does not keep the rows; pass labels, probabilities and weights",
        "没有区间：各行带权重，而 Sweep 不再保存各行；请传入标签、概率和权重",
    ),
    "note.certain_rows_left_out": (
        "{left_out:count} of {rows:count} rows have probability 0 or 1 and are right: slope, intercept and "
        "calibration in the large leave them out, because they fit any value",
        "{rows:count} 行中有 {left_out:count} 行的概率为 0 或 1 且正确：斜率、截距和总体校准略去它们，因为它们与任何系"
        "数都相符",
    ),
    "note.alone_in_bin": (
        "squared_error leaves out rows that are alone in their bin ({alone:count} of {rows:count})",
        "平方误差略去箱中唯一的行（{rows:count} 行中的 {alone:count} 行）",
    ),
    "note.certain_rows_stay": (
        "{rows:count} rows of p = 0 or p = 1 are unchanged",
        "概率为 0 或 1 的 {rows:count} 行不变",
    ),
    "note.constant_map": (
        "higher probabilities do not mean more positives: the map is constant",
        "概率较高并不对应更多阳性：映射为常数",
    ),
    "note.prevalence_estimated": (
        "prevalence estimated from {rows:count} unlabelled rows in {steps:count} steps",
        "患病率由 {rows:count} 个无标签的行估计，共 {steps:count} 步",
    ),
    "note.not_cross_validated_weights": (
        "not cross-validated: rows are weighted, and a Sweep does not keep the rows",
        "未做交叉验证：各行带权重，而 Sweep 不再保存各行",
    ),
    "note.part_without_map": ("not cross-validated: no map for a part ({why})", "未做交叉验证：一份没有映射（{why}）"),
    "note.few_for_parts": (
        "only {count:count} independent rows of a class for {parts:count} parts: the losses afterwards are unreliable",
        "某一类只有 {count:count} 个独立的行，却分成 {parts:count} 份：校准后的损失不可靠",
    ),
    "note.infinite_after": (
        "infinite log loss: a map gave 0 or 1 to a held-out row that turned out otherwise",
        "对数损失为无穷：映射对未参与拟合的行给出 0 或 1，而结果相反",
    ),
    # the table of diagnostic accuracy
    "diagnostic.caption": ("Diagnostic accuracy", "诊断准确性"),
    "diagnostic.caption.rule": ("Diagnostic accuracy, threshold rule: {rule}", "诊断准确性（阈值规则：{rule}）"),
    "diagnostic.rows": ("Rows, n", "样本量 n"),
    "diagnostic.positives": ("Positives, n (%)", "阳性 n（%）"),
    "diagnostic.counts": ("TP / FP / FN / TN, counted", "真阳性 / 假阳性 / 假阴性 / 真阴性（计数）"),
    "diagnostic.recall": ("Sensitivity", "灵敏度"),
    "diagnostic.precision": ("PPV", "阳性预测值"),
    "diagnostic.lr_positive": ("LR+", "阳性似然比"),
    "diagnostic.lr_negative": ("LR−", "阴性似然比"),
    "diagnostic.interval": (" ({level:level} CI)", "（{level:level} 置信区间）"),
    "diagnostic.n_of_n": ("{name}, n/N", "{name}，n/N"),
    "diagnostic.counted": ("{part:count}/{of:count}, {value}", "{part:count}/{of:count}，{value}"),
    "diagnostic.p": ("P, AUC against {first}", "P 值（AUC，与 {first} 比较）"),
    "diagnostic.reference": ("reference", "参照"),
    "diagnostic.none": ("–", "–"),
    "diagnostic.note": ("{said}.", "{said}。"),
    "note.diagnostic_intervals": (
        "AUC: area under the ROC curve; PPV, NPV: positive and negative predictive value; LR+, LR−: positive and "
        "negative likelihood ratio; CI: confidence interval. Intervals: {methods:names}",
        "AUC：ROC 曲线下面积。置信区间的方法：{methods:names}",
    ),
    "note.interval_by": ("{what} by {way}", "{what}采用 {way}"),
    "note.interval_of_area": ("AUC", "AUC "),
    "note.interval_of_rates": ("rates", "各比率"),
    "note.interval_of_ratios": ("likelihood ratios", "似然比"),
    "interval_way.delong": ("a score interval with DeLong’s variance", "DeLong 方差得分区间"),
    "interval_way.delong-wald": ("DeLong’s Wald interval, as in pROC", "DeLong 的 Wald 区间（与 pROC 相同）"),
    "interval_way.wilson": ("Wilson’s method", "Wilson 法"),
    "interval_way.optimism-corrected": (
        "Wilson’s method (corrected for the choice of the threshold)",
        "Wilson 法（已校正阈值选择）",
    ),
    "interval_way.jeffreys": ("Jeffreys’ posterior", "Jeffreys 后验分布"),
    "interval_way.mover": ("MOVER", "MOVER 法"),
    "note.diagnostic_fixed": (
        "Thresholds are as given, and rates are not corrected: that is right if the thresholds were fixed beforehand, "
        "too optimistic if they were chosen on these data",
        "阈值按给定值取用，各比率未作校正：阈值若为事先确定，则结果正确；若在这份数据上选定，则结果偏乐观",
    ),
    "note.diagnostic_chosen": (
        "Thresholds were chosen on these data, which is optimistic. Rates, likelihood ratios and their intervals are "
        "corrected for that and are those to expect on new data; TP, FP, FN and TN are counted on these data",
        "阈值由这份数据选定，结果偏乐观。各比率、似然比及其区间已作校正，为新数据中的预期值；真阳性、假阳性、假阴性、"
        "真阴性为这份数据的计数",
    ),
    "note.diagnostic_chosen_uncorrected": (
        "Thresholds were chosen on these data, which is optimistic; rates are not corrected for that",
        "阈值由这份数据选定，结果偏乐观；各比率未作校正",
    ),
    "note.diagnostic_prevalence": (
        "PPV, NPV and accuracy are for a prevalence of {prevalence:level}; these data have {here:share}",
        "阳性预测值、阴性预测值和准确率按患病率 {prevalence:level} 给出；这份数据的患病率为 {here:share}",
    ),
    "note.diagnostic_p": ("P: equal AUC to {first}, on the same rows", "P 值：在相同样本上与 {first} 比较 AUC"),
    "note.diagnostic_p_holm": (
        "P: test of equal AUC against {first}, on the same rows, corrected for {comparisons:count} comparisons (Holm)",
        "P 值：在相同样本上与 {first} 比较 AUC，已对 {comparisons:count} 次比较校正（Holm 法）",
    ),
    "note.diagnostic_weighted": ("Rows are weighted: counts are sums of weights", "样本带权重：计数为权重之和"),
    "note.diagnostic_rule_not_met": ("No threshold of {model} meets the rule", "{model}：没有阈值满足规则"),
    # texts that another key has
    "diagnostic.specificity": "metric.specificity",
    "diagnostic.npv": "metric.npv",
    "diagnostic.accuracy": "metric.accuracy",
}

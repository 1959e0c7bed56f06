"""Metrics of a whole ranking: name, meaning, and how each is most often misread."""

WORDS = {
    # metrics
    "metric.roc_auc": ("AUC", "AUC"),
    "metric.meaning.roc_auc": (
        "chance that a positive outranks a negative; 0.5 is chance, 1 perfect",
        "阳性得分高于阴性的概率；0.5 为随机，1 为完美",
    ),
    "metric.pitfall.roc_auc": (
        "it says nothing about probabilities, nor about the threshold that will be used; where only low false "
        "positive rates count, take partial_roc_auc",
        "不涉及概率是否准确，也不涉及实际使用的阈值；若只关心低假阳性率，请用 partial_roc_auc",
    ),
    "metric.partial_roc_auc": ("Partial AUC", "部分曲线下面积"),
    "metric.meaning.partial_roc_auc": (
        "area under the ROC curve within a range of rates",
        "ROC 曲线在某一段比率内的曲线下面积",
    ),
    "metric.pitfall.partial_roc_auc": (
        "the raw area depends on how wide the range is: state the range, and compare only with the same range and "
        "scale",
        "原始面积取决于区间宽度：须说明区间，且只在相同区间和相同尺度下比较",
    ),
    "metric.average_precision": ("Average precision", "平均精确率（AP）"),
    "metric.meaning.average_precision": (
        "mean precision over recall; chance is the prevalence",
        "精确率对召回率的平均；随机水平等于患病率",
    ),
    "metric.pitfall.average_precision": (
        "its chance level is the prevalence: values from data of different prevalence cannot be compared",
        "随机水平等于患病率：患病率不同的数据不能相互比较",
    ),
    "metric.pr_auc": ("Area under the PR curve", "PR 曲线下面积"),
    "metric.meaning.pr_auc": (
        "mean precision over recall, with exact interpolation between thresholds; chance is the prevalence",
        "精确率对召回率的平均，阈值之间按计数精确插值；随机水平等于患病率",
    ),
    "metric.pitfall.pr_auc": (
        "straight lines between points (the trapezoid rule) are too optimistic; values of different prevalence cannot "
        "be compared",
        "用直线连接各点（梯形法则）会高估；患病率不同的数据不能相互比较",
    ),
    "metric.pr_gain_area": ("Area under the PR-gain curve", "PR 增益曲线下面积"),
    "metric.meaning.pr_gain_area": (
        "precision and recall on a scale where flagging every row is 0; 1 is perfect",
        "以全部预警为 0 的尺度上的精确率与召回率；1 为完美",
    ),
    "metric.pitfall.pr_gain_area": (
        "chance is 0 at any prevalence, but the area of a better curve still moves with it",
        "任何患病率下随机水平都为 0，但优于随机的曲线的面积仍随患病率变化",
    ),
    "metric.equal_error_rate": ("Equal error rate", "等错误率"),
    "metric.meaning.equal_error_rate": (
        "miss rate where it equals the false positive rate; lower is better",
        "漏检率与假阳性率相等时的错误率；越低越好",
    ),
    "metric.pitfall.equal_error_rate": (
        "it weighs a miss and a false positive equally, at a threshold that nobody may use",
        "它把漏检率与假阳性率同等看待，而对应的阈值未必有人使用",
    ),
    "metric.h_measure": ("H-measure", "H 指标"),
    "metric.meaning.h_measure": (
        "cost saved, averaged over costs; 0 is useless, 1 perfect",
        "对各种代价平均后节省的代价；0 为无用，1 为完美",
    ),
    "metric.pitfall.h_measure": (
        "it depends on prevalence and on the distribution of costs, and is optimistic with few rows: state alpha and "
        "beta",
        "它取决于患病率和代价的分布，行数少时偏乐观：须说明 alpha 与 beta",
    ),
    "metric.ks": ("Kolmogorov–Smirnov statistic", "KS 统计量"),
    "metric.meaning.ks": (
        "largest distance of recall above the false positive rate; 0 is chance, 1 perfect",
        "灵敏度超出假阳性率的最大值；0 为随机，1 为完美",
    ),
    "metric.pitfall.ks": (
        "it is the best of many thresholds on the same rows: biased upward, more with few rows",
        "它是同一批行上众多阈值中的最大值：偏高，行数越少越明显",
    ),
    "metric.gini": ("Gini coefficient", "基尼系数"),
    "metric.meaning.gini": (
        "2·AUC − 1: pairs in the right order less pairs in the wrong order; 0 is chance, 1 perfect",
        "2·AUC − 1：排序正确的配对比例减去排序错误的配对比例；0 为随机，1 为完美",
    ),
    "metric.pitfall.gini": (
        "it is AUC on another scale and tells nothing more; another Gini, of impurity in trees, is not meant",
        "它只是换了尺度的 AUC，不含更多信息；与决策树中的基尼不纯度无关",
    ),
    "metric.recall_at_fpr": ("Recall at a false positive rate", "给定假阳性率下的灵敏度"),
    "metric.meaning.recall_at_fpr": (
        "of {base} positives, {value:of_base} are flagged at the false positive rate stated",
        "在给定的假阳性率下，每 {base} 个阳性中检出 {value:of_base} 个",
    ),
    "metric.pitfall.recall_at_fpr": (
        "the threshold is chosen on these rows: on new rows the false positive rate will not be exactly the one stated",
        "阈值由这批行选出：在新的行上，假阳性率不会恰好等于给定值",
    ),
    "metric.sensitivity_at_specificity": ("Sensitivity at a specificity", "给定特异度下的灵敏度"),
    "metric.meaning.sensitivity_at_specificity": (
        "of {base} positives, {value:of_base} are flagged at the specificity stated",
        "在给定的特异度下，每 {base} 个阳性中检出 {value:of_base} 个",
    ),
    "metric.pitfall.sensitivity_at_specificity": (
        "the threshold is chosen on these rows: on new rows the specificity will not be exactly the one stated",
        "阈值由这批行选出：在新的行上，特异度不会恰好等于给定值",
    ),
    "metric.specificity_at_sensitivity": ("Specificity at a sensitivity", "给定灵敏度下的特异度"),
    "metric.meaning.specificity_at_sensitivity": (
        "of {base} negatives, {value:of_base} are not flagged at the sensitivity stated",
        "在给定的灵敏度下，每 {base} 个阴性中有 {value:of_base} 个不预警",
    ),
    "metric.pitfall.specificity_at_sensitivity": (
        "few positives decide where the sensitivity is reached: with 20 of them one more or less moves it by 5 points",
        "达到给定灵敏度的位置由少数阳性决定：只有 20 个阳性时，一个之差就是 5 个百分点",
    ),
    "metric.precision_at_recall": ("Precision at a recall", "给定召回率下的精确率"),
    "metric.meaning.precision_at_recall": (
        "of {base} flagged rows, {value:of_base} are positive at the best threshold that reaches the recall stated",
        "在达到给定召回率的最佳阈值处，每 {base} 次预警中 {value:of_base} 例为阳性",
    ),
    "metric.pitfall.precision_at_recall": (
        "it is the best of many thresholds, and moves with prevalence",
        "它是众多阈值中的最好结果，并随患病率变化",
    ),
    "metric.recall_at_precision": ("Recall at a precision", "给定精确率下的召回率"),
    "metric.meaning.recall_at_precision": (
        "of {base} positives, {value:of_base} are flagged at the best threshold that reaches the precision stated",
        "在达到给定精确率的最佳阈值处，每 {base} 个阳性中检出 {value:of_base} 个",
    ),
    "metric.pitfall.recall_at_precision": (
        "one lucky run at the top of the list can decide it; it has no interval for that reason",
        "名单顶端的一次好运就可能决定它；因此不给出区间",
    ),
    "metric.top_precision": ("Precision at the top", "高分段的精确率"),
    "metric.meaning.top_precision": (
        "of {base} rows among the highest scores, {value:of_base} are positive",
        "分数最高的一段中，每 {base} 例有 {value:of_base} 例为阳性",
    ),
    "metric.pitfall.top_precision": (
        "it cannot exceed prevalence/fraction, even for a perfect model",
        "即使模型完美，它也不会超过患病率除以所取比例",
    ),
    "metric.top_recall": ("Recall at the top", "高分段的召回率"),
    "metric.meaning.top_recall": (
        "of {base} positives, {value:of_base} are among the highest scores",
        "每 {base} 个阳性中有 {value:of_base} 个位于分数最高的一段",
    ),
    "metric.pitfall.top_recall": (
        "it cannot exceed fraction/prevalence, even for a perfect model",
        "即使模型完美，它也不会超过所取比例除以患病率",
    ),
    # metrics as tables of everything show them, where their options say more than the name
    "metric.shown.partial_roc_auc": ("Partial AUC, FPR up to 10%", "部分 AUC（假阳性率不超过 10% 时）"),
    "metric.shown.meaning.partial_roc_auc": (
        "mean recall where at most 10% of negatives are flagged; 0.05 is chance",
        "误报不超过 10% 的阴性时的平均灵敏度；0.05 为随机",
    ),
    "metric.shown.sensitivity_at_specificity": ("Sensitivity at 95% specificity", "特异度为 95% 时的灵敏度"),
    "metric.shown.meaning.sensitivity_at_specificity": (
        "share of positives flagged where 5% of negatives are; 5% is chance",
        "误报 5% 的阴性时，检出的阳性所占比例；5% 为随机",
    ),
    "metric.shown.specificity_at_sensitivity": ("Specificity at 95% sensitivity", "灵敏度为 95% 时的特异度"),
    "metric.shown.meaning.specificity_at_sensitivity": (
        "share of negatives not flagged where 95% of positives are; 5% is chance",
        "检出 95% 的阳性时，不预警的阴性所占比例；5% 为随机",
    ),
    # numbers that are no registered metric
    "metric.recall_gain": ("Recall gain", "召回率增益"),
    "metric.precision_gain": ("Precision gain", "精确率增益"),
    "metric.hand_till": ("Hand and Till’s M", "Hand–Till M"),
    "metric.meaning.hand_till": (
        "mean AUC of all pairs of classes; 0.5 is chance, 1 perfect",
        "各对类别 AUC 的平均；0.5 为随机，1 为完美",
    ),
    "metric.expected_auc": ("AUC expected from case mix", "由病例构成预期的 AUC"),
    "metric.precision_common": ("Precision at one prevalence", "同一患病率下的精确率"),
    "metric.average_precision_common": ("Average precision at one prevalence", "同一患病率下的平均精确率"),
}

"""Metrics of a whole ranking: name, meaning, and how each is most often misread."""

WORDS = {
    # metrics
    "metric.roc_auc": ("AUC", "AUC"),
    "metric.meaning.roc_auc": (
        "chance that a positive outranks a negative; 0.5 is chance, 1 perfect",
        "任取阳性、阴性各一例，阳性得分更高的概率；0.5 相当于随机",
    ),
    "metric.pitfall.roc_auc": (
        "it says nothing about probabilities or about the threshold in use; if only low false positive rates matter, "
        "use partial_roc_auc",
        "不涉及概率是否准确，也不涉及实际使用的阈值；若只关心低假阳性率，请用 partial_roc_auc",
    ),
    "metric.partial_roc_auc": ("Partial AUC", "部分曲线下面积"),
    "metric.meaning.partial_roc_auc": ("area under the ROC curve within a range", "ROC 曲线在某一段比率内的面积"),
    "metric.pitfall.partial_roc_auc": (
        "the raw area depends on the width of the range: state the range, and compare only at the same range and scale",
        "原始面积取决于区间宽度：须说明区间，且只在相同区间和相同尺度下比较",
    ),
    "metric.average_precision": ("Average precision", "平均精确率（AP）"),
    "metric.meaning.average_precision": ("mean precision over recall", "精确率对召回率的平均；随机为患病率"),
    "metric.pitfall.average_precision": (
        "its chance level is the prevalence: values at different prevalences cannot be compared",
        "随机水平等于患病率：患病率不同的数据不能相互比较",
    ),
    "metric.pr_auc": ("Area under the PR curve", "PR 曲线下面积"),
    "metric.meaning.pr_auc": (
        "mean precision over recall, with exact interpolation between thresholds; chance is the prevalence",
        "精确率对召回率的平均，阈值之间按计数精确插值；随机水平等于患病率",
    ),
    "metric.pitfall.pr_auc": (
        "straight lines between points (the trapezoid rule) are too optimistic; values at different prevalences "
        "cannot be compared",
        "用直线连接各点（梯形法则）会高估；患病率不同的数据不能相互比较",
    ),
    "metric.pr_gain_area": ("Area under the PR-gain curve", "PR 增益曲线下面积"),
    "metric.meaning.pr_gain_area": (
        "precision and recall on a scale where flagging every row is 0; 1 is perfect",
        "以全部预警为 0 的尺度上的精确率与召回率；1 为完美",
    ),
    "metric.pitfall.pr_gain_area": (
        "chance is 0 at any prevalence, but the area of a better curve still depends on prevalence",
        "任何患病率下随机水平都为 0，但优于随机的曲线的面积仍随患病率变化",
    ),
    "metric.equal_error_rate": ("Equal error rate", "等错误率"),
    "metric.meaning.equal_error_rate": ("miss rate where it equals the FPR", "漏检率与假阳性率相等时的错误率"),
    "metric.pitfall.equal_error_rate": (
        "it weighs misses and false positives equally, at a threshold that nobody may use",
        "它把漏检率与假阳性率同等看待，而对应的阈值未必有人使用",
    ),
    "metric.h_measure": ("H-measure", "H 指标"),
    "metric.meaning.h_measure": ("cost saved, averaged over costs; 1 is perfect", "各种代价下平均节省的代价；1 为完美"),
    "metric.pitfall.h_measure": (
        "it depends on prevalence and the distribution of costs (state alpha and beta); optimistic in small samples",
        "它取决于患病率和代价的分布，行数少时偏乐观：须说明 alpha 与 beta",
    ),
    "metric.ks": ("Kolmogorov–Smirnov statistic", "KS 统计量"),
    "metric.meaning.ks": ("largest lead of recall over the false positive rate", "灵敏度超出假阳性率的最大值"),
    "metric.pitfall.ks": (
        "it is the best of many thresholds on the same data, so it is biased upward, more so in small samples",
        "它是同一批数据上众多阈值中的最大值：偏高，行数越少越明显",
    ),
    "metric.gini": ("Gini coefficient", "基尼系数"),
    "metric.meaning.gini": (
        "2·AUC − 1: pairs in the right order minus pairs in the wrong order; 0 is chance, 1 perfect",
        "2·AUC − 1：排序正确的配对比例减去排序错误的配对比例；0 为随机，1 为完美",
    ),
    "metric.pitfall.gini": (
        "it is AUC on another scale and adds nothing; the Gini impurity of decision trees is something else",
        "它只是换了尺度的 AUC，不含更多信息；与决策树中的基尼不纯度无关",
    ),
    "metric.recall_at_fpr": ("Recall at a false positive rate", "给定假阳性率下的灵敏度"),
    "metric.meaning.recall_at_fpr": (
        "share of positives flagged at the stated false positive rate ({value:of_base} of {base})",
        "给定假阳性率下检出的阳性比例（每 {base} 例检出 {value:of_base} 例）",
    ),
    "metric.pitfall.recall_at_fpr": (
        "the threshold is chosen on these data: on new data the false positive rate will differ from the one stated",
        "阈值由这些数据选出：在新数据中，假阳性率会偏离给定值",
    ),
    "metric.sensitivity_at_specificity": ("Sensitivity at a specificity", "给定特异度下的灵敏度"),
    "metric.meaning.sensitivity_at_specificity": (
        "share of positives flagged at the stated specificity ({value:of_base} of {base})",
        "给定特异度下检出的阳性比例（每 {base} 例检出 {value:of_base} 例）",
    ),
    "metric.pitfall.sensitivity_at_specificity": (
        "the threshold is chosen on these data: on new data the specificity will differ from the one stated",
        "阈值由这些数据选出：在新数据中，特异度会偏离给定值",
    ),
    "metric.specificity_at_sensitivity": ("Specificity at a sensitivity", "给定灵敏度下的特异度"),
    "metric.meaning.specificity_at_sensitivity": (
        "share of negatives not flagged at the stated sensitivity ({value:of_base} of {base})",
        "给定灵敏度下不预警的阴性比例（每 {base} 例有 {value:of_base} 例）",
    ),
    "metric.pitfall.specificity_at_sensitivity": (
        "a few positives decide where the sensitivity is reached: with 20, one more or less moves it by 5 points",
        "达到给定灵敏度的位置由少数阳性决定：只有 20 个阳性时，一个之差就是 5 个百分点",
    ),
    "metric.precision_at_recall": ("Precision at a recall", "给定灵敏度下的精确率"),
    "metric.meaning.precision_at_recall": (
        "share of flagged rows that are positive, best threshold with the stated recall ({value:of_base} of {base})",
        "在达到给定灵敏度的最佳阈值处，预警中阳性的比例（每 {base} 次有 {value:of_base} 次）",
    ),
    "metric.pitfall.precision_at_recall": ("best of many thresholds; varies with prevalence", "众多阈值中的最好结果"),
    "metric.recall_at_precision": ("Recall at a precision", "给定精确率下的灵敏度"),
    "metric.meaning.recall_at_precision": (
        "share of positives flagged at the best threshold with the stated precision ({value:of_base} of {base})",
        "在达到给定精确率的最佳阈值处检出的阳性比例（每 {base} 例检出 {value:of_base} 例）",
    ),
    "metric.pitfall.recall_at_precision": (
        "one lucky run at the top of the list can decide it, so it has no interval",
        "名单顶端的一次好运就可能决定它；因此不给出区间",
    ),
    "metric.top_precision": ("Precision at the top", "高分段的精确率"),
    "metric.meaning.top_precision": (
        "share of positives among the highest scores ({value:of_base} of {base})",
        "高分段中阳性的比例（每 {base} 例有 {value:of_base} 例）",
    ),
    "metric.pitfall.top_precision": (
        "even if perfect, at most prevalence/fraction",
        "即使完美，也不超过患病率/所取比例",
    ),
    "metric.top_recall": ("Recall at the top", "高分段的灵敏度"),
    "metric.meaning.top_recall": (
        "share of positives in the top scores ({value:of_base} of {base})",
        "阳性位于高分段的比例（每 {base} 例有 {value:of_base} 例）",
    ),
    "metric.top_average_precision": ("Average precision at the top", "高分段的平均精确率"),
    "metric.meaning.top_average_precision": (
        "average precision of the rows with the highest scores, as a share of all positives",
        "分数最高的一段的平均精确率，以全部阳性为分母",
    ),
    "metric.pitfall.top_average_precision": (
        "with fewer rows than positives even a perfect model stays below 1",
        "所取行数少于阳性数时，完美的模型也达不到 1",
    ),
    "metric.cllr": ("Cllr", "Cllr"),
    "metric.meaning.cllr": (
        "mean cost of log likelihood ratios in bits, both classes alike; 1 says nothing, 0 is perfect",
        "对数似然比的平均代价（比特），两类同等加权；1 表示没有信息，0 为完美",
    ),
    "metric.pitfall.cllr": (
        "scores must be natural logarithms of likelihood ratios, not probabilities or log odds",
        "分数必须是似然比的自然对数，不能是概率或对数比数",
    ),
    "metric.min_cllr": ("Minimum Cllr", "最小 Cllr"),
    "metric.meaning.min_cllr": (
        "Cllr after isotonic calibration on the same rows: the loss that is due to ranking",
        "在同一数据上作保序校准后的 Cllr：由排序造成的那部分损失",
    ),
    "metric.pitfall.min_cllr": (
        "it is fitted on the same rows, so it is too low, more with few rows",
        "校准在同一数据上拟合，因此偏低，数据越少偏得越多",
    ),
    "metric.min_dcf": ("Minimum detection cost", "最小检测代价"),
    "metric.meaning.min_dcf": (
        "cost of misses and false alarms at the best threshold; 1 is that of the better trivial decision",
        "取最佳阈值时漏检与误报的代价；1 相当于较便宜的平凡决策",
    ),
    "metric.pitfall.min_dcf": (
        "the threshold is chosen on the same rows, so it is too low, more with few rows",
        "阈值在同一数据上选取，因此偏低，数据越少偏得越多",
    ),
    "metric.act_dcf": ("Actual detection cost", "实际检测代价"),
    "metric.meaning.act_dcf": (
        "cost of errors at the threshold that prior and costs imply; above 1 a trivial decision is cheaper",
        "在先验与代价所决定的阈值处，漏检与误报的代价；大于 1 时平凡决策更便宜",
    ),
    "metric.pitfall.act_dcf": (
        "scores must be natural logarithms of likelihood ratios; of other scores the threshold means nothing",
        "分数必须是似然比的自然对数；否则这个阈值没有意义",
    ),
    "metric.pitfall.top_recall": ("even if perfect, at most fraction/prevalence", "即使完美，也不超过所取比例/患病率"),
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
        "mean AUC of pairs of classes; 0.5 is chance, 1 perfect",
        "各对类别 AUC 的平均；0.5 为随机，1 为完美",
    ),
    "metric.expected_auc": ("AUC expected from case mix", "由病例构成预期的 AUC"),
    "metric.precision_common": ("Precision at one prevalence", "同一患病率下的精确率"),
    "metric.average_precision_common": ("Average precision at one prevalence", "同一患病率下的平均精确率"),
}

"""The questions, the cards, the caveats and what was evaluated."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "ask.better": ("Which model is better?", "哪个模型更好？"),
    "ask.ranking": ("How well does it rank?", "模型区分能力如何？"),
    "ask.threshold": ("Which threshold?", "阈值取多少？"),
    "ask.then": ("What happens then?", "采用该阈值后结果如何？"),
    "ask.probabilities": ("Can the probabilities be trusted?", "概率可信吗？"),
    "ask.groups": ("Is it fair?", "是否公平？"),
    "ask.sites": ("Does it work everywhere?", "各中心是否都适用？"),
    "ask.folds": ("How much does it vary over folds?", "各折之间相差多少？"),
    "ask.caveats": ("What should I watch out for?", "有哪些注意事项？"),
    "note.best_of_all": ("{model} is the best of the {models:count} models.", "{models:count} 个模型中 {model} 最优。"),
    "note.no_caveats": ("No caveats.", "没有需要注意的事项。"),
    "note.caveats_counted": ("{counted}: see Caveats.", "共有{counted}，见“注意事项”。"),
    "note.warnings": ("{count:count} {count:one|warning|warnings}", " {count:count} 条警告"),
    "note.remarks": ("{count:count} {count:one|remark|remarks}", " {count:count} 条说明"),
    "note.first_and_second": ("{first} and {second}", "{first}和{second}"),
    "card.roc_auc": ("chance that a positive outranks a negative", "任取阳性、阴性各一例，阳性得分更高的概率"),
    "card.average_precision": ("mean precision; chance {prevalence:share}", "平均精确率；随机为 {prevalence:share}"),
    "card.recall.new": ("of positives found, expected on new data", "新数据中预期检出的阳性比例"),
    "card.recall.here": ("of positives found, on these data", "本数据中检出的阳性比例"),
    "card.precision.new": ("of alarms correct, expected on new data", "新数据中预期正确的预警比例"),
    "card.precision.here": ("of alarms correct, on these data", "本数据中正确的预警比例"),
    "card.guarantee": (
        "guaranteed on new data with {confidence:level} confidence",
        "在新数据中以 {confidence:level} 的置信度保证",
    ),
    "card.expected_cost": (
        "{unit}per case; no alarm {none:cost}, all {every:cost}",
        "{unit}每例；不预警 {none:cost}，全部 {every:cost}",
    ),
    "card.leader": ("better on these data", "在本数据上更优"),
    "card.leader.use": ("better for this use", "更适合此用途"),
    "models.table": ("The models ({level:level} intervals)", "各模型（{level:level} 置信区间）"),
    "caveats.more": (
        "{more:count} more about models not shown one by one: see the report’s data (-o report.json).",
        "另有 {more:count} 条涉及未逐一显示的模型，见报告数据（-o report.json）。",
    ),
    "caveats.left_out": ("Not included, and why", "未包含的内容及原因"),
    # many classes: the page
    "ask.classify": ("How well does it classify?", "分类效果如何？"),
    "ask.worst": ("Which class is found least often?", "哪一类最难识别？"),
    "ask.confused": ("Which classes does it confuse?", "哪些类别容易混淆？"),
    # notes: evaluation
    "note.evaluated": (
        "{rows:count} rows, {positives:count} positive ({prevalence:level})",
        "{rows:count} 例，其中阳性 {positives:count} 例（{prevalence:level}）",
    ),
    "note.evaluated_weighted": (
        "{rows:count} rows (weight {weight:count}), {positives:count} of the weight positive ({prevalence:level})",
        "{rows:count} 行（权重 {weight:count}），其中阳性权重 {positives:count}（{prevalence:level}）",
    ),
    "note.evaluated_label": ("{counted}, label {label}", "{counted}，标签列 {label}"),
    "note.of_model": ("{model}: {said}", "{model}：{said}"),
    "note.evaluated_classes": ("{rows:count} rows, {classes:count} classes", "{rows:count} 例，{classes:count} 个类别"),
    "note.too_few_positives": (
        "Few positives ({count:count}): intervals are wide, and a threshold chosen here is unreliable.",
        "阳性很少（{count:count} 例）：置信区间宽，在此选出的阈值不可靠。",
    ),
    "note.too_few_negatives": (
        "Few negatives ({count:count}): intervals are wide, and the false positive rate is imprecise.",
        "阴性很少（{count:count} 例）：置信区间宽，假阳性率难以估准。",
    ),
    "note.reversed": (
        "AUC is {auc:area} and its interval lies below 0.5: scores or labels may be reversed. If a low score means "
        'positive, give --higher-is negative (in Python higher_is="negative").',
        "AUC 为 {auc:area}，置信区间低于 0.5：分数或标签的方向可能弄反了。如果分数低表示阳性，请使用 --higher-is "
        'negative（Python 中为 higher_is="negative"）。',
    ),
    "note.reversed_again": (
        "AUC is {auc:area} and its interval lies below 0.5: scores or labels may be reversed. If a high score means "
        'positive, leave out --higher-is negative (in Python higher_is="negative").',
        "AUC 为 {auc:area}，置信区间低于 0.5：分数或标签的方向可能弄反了。如果分数高表示阳性，请去掉 --higher-is "
        'negative（Python 中为 higher_is="negative"）。',
    ),
    "note.tied_scores": (
        "Many rows share a score ({distinct:count} distinct scores in {rows:count} rows): no threshold lies between "
        "them, and average precision depends on how ties are treated.",
        "许多行分数相同（{rows:count} 行只有 {distinct:count} 个不同的分数）：其间没有可用的阈值，平均精确率也取决于并"
        "列的处理方式。",
    ),
    "note.perfect": (
        "AUC is exactly 1. Has the label leaked into the score, or are these training data?",
        "AUC 恰为 1。标签是否泄漏到了分数中，或者这是训练数据？",
    ),
    "note.one_class_group": (
        "{group} ({column}) has only one class in its {rows:count} rows, so most metrics are undefined there.",
        "{group}（{column}）的 {rows:count} 行只有一个类别，大多数指标在该组无定义。",
    ),
    "note.small_group": (
        "{group} ({column}): {rows:count} rows, {few:count} of the rarer class, too few to conclude anything.",
        "{group}（{column}）：共 {rows:count} 行，较少的一类仅 {few:count} 行，不足以得出任何结论。",
    ),
    "note.threshold_on_same_rows": (
        "The threshold was chosen on these data. Its rates are corrected for that; what is counted on these data "
        "(groups, sites, the page’s sliders) is somewhat optimistic.",
        "阈值是用这些数据选出的。其比率已作校正；直接由这些数据计数的结果（分组、各中心、页面的滑块）略偏乐观。",
    ),
    "note.prevalence_unlike": (
        "The prevalence here ({sample:share}) is far from the one stated ({stated:share}). Recall and specificity "
        "still apply; precision was recalculated.",
        "本数据的患病率（{sample:share}）与设定的患病率（{stated:share}）相差很大：灵敏度和特异度仍可参考；精确率已按"
        "后者重新计算。",
    ),
    "note.training_rows_suspected": (
        "This is almost too good (AUC {auc:area}). Were these data used in training?",
        "结果好得可疑（AUC 为 {auc:area}）。这是否为训练数据？",
    ),
    "note.constant_score": ("All scores are equal, which carries no information.", "所有行的分数相同，不含任何信息。"),
    "note.dropped_rows": (
        "Rows with missing values were dropped ({rows:count}). If they differ from the rest, so may the answer.",
        "含缺失值的行已剔除（{rows:count} 行）。若它们与其余的行不同，结论也可能不同。",
    ),
    "note.weighted_rows": (
        "Rows are weighted ({column}): counts are weights.",
        "各行带权重（{column}）：计数为权重和。",
    ),
    "note.scores_outside": ("The scores are not probabilities.", "分数不是概率。"),
    "note.scores_decisions": ("The scores are only 0 or 1: decisions.", "分数只有 0 和 1，是判定而非概率。"),
    "note.many_classes": ("The label has more than two classes.", "标签多于两个类别。"),
    "note.guarantee_not_met": (
        "No threshold satisfies the rule ({rule}): {why}.",
        "没有阈值满足规则（{rule}）：{why}。",
    ),
    "note.rule_not_met": ("No threshold satisfies the rule ({rule}).", "没有阈值满足规则（{rule}）。"),
    "note.no_column": ("No column was named for it.", "没有指定相应的列。"),
    "note.one_model": ("There is only one model.", "只有一个模型。"),
    # then and now: a saved evaluation, and what has changed since
    "ask.baseline": ("What has changed since the baseline?", "与基线相比有何变化？"),
    # detection
    "ask.detector_quality": ("How good is it?", "检测效果如何？"),
    "ask.detector_better": ("Which detector is better?", "哪个检测器更好？"),
    "ask.detector_threshold": ("What does the threshold do?", "阈值的效果如何？"),
    "ask.detector_errors": ("What goes wrong?", "错在哪里？"),
    # survival
    "ask.over_time": ("How well does it rank over time?", "随时间的区分能力如何？"),
}

"""More than two classes."""

WORDS = {
    # groups, sites, classes
    "classes.estimates": ("All classes together ({level:level} intervals)", "全部类别合计（{level:level} 置信区间）"),
    "classes.table": ("Class by class ({level:level} intervals)", "逐类结果（{level:level} 置信区间）"),
    "classes.confusion": ("Confusion matrix", "混淆矩阵"),
    # notes: many classes
    "note.class_never_occurs": ("no row of y is {classes}: not in class means", "y 中没有 {classes}：不计入各类平均"),
    "note.class_columns_sorted": ("columns taken as the sorted labels: {classes}", "各列按排序后的标签对应：{classes}"),
    "note.class_labels_as_text": ("labels were matched with the names of the columns as text", "标签与列名按文本匹配"),
    "note.class_scores_tied": (
        "{rows:count} of {n:count} rows have several highest scores: the first column is taken as predicted",
        "{n:count} 行中有 {rows:count} 行的最高分不止一个，取第一列为预测类别",
    ),
    "note.class_scores_outside": (
        "class {label} has {scores:count} scores outside [0, 1], the first {first} ({row:rows})",
        "类别 {label} 有 {scores:count} 个分数超出 [0, 1]（{row:rows}），第一个为 {first}",
    ),
    "note.class_sums_off": (
        "{rows:count} of {n:count} rows: scores do not sum to 1, the first to {first} ({row:rows})",
        "{n:count} 行中有 {rows:count} 行的分数之和不为 1（{row:rows}），第一个为 {first}",
    ),
    "note.class_scores_only_rank": ("scores can rank, but are not probabilities", "分数可排序，但不能计算概率类指标"),
    "note.class_rows_dropped": ("rows dropped for missing values: {rows:count}", "因缺失值而剔除的行：{rows:count}"),
    "note.few_of_class": (
        "independent rows of {label}: {rows:count}; no interval is reliable",
        "{label} 的独立行数：{rows:count}；任何区间都不可靠",
    ),
    "note.label_no_positives": ("no positive row: {labels}; not in label means", "没有阳性行：{labels}；不计入平均"),
    "note.label_no_negatives": (
        "no negative row: {labels}; left out of mean areas under ROC curves",
        "没有阴性行的标签：{labels}；计算平均 ROC 曲线下面积时不计入",
    ),
    "note.rows_without_label": (
        "rows without a label: {rows:count}; left out of means of rows’ rankings",
        "没有标签的行：{rows:count}；计算行内排序的平均时不计入",
    ),
    "note.rows_with_every_label": (
        "rows with every label: {rows:count}; left out of ranking loss and of samples AUC",
        "具有全部标签的行：{rows:count}；计算排序损失和按行 AUC 时不计入",
    ),
    "note.class_intervals_left_out": (
        "intervals of class means are left out: resampling {cells:count} scores takes too long",
        "未给出各类平均的区间：{cells:count} 个分数的重抽样耗时过长",
    ),
    "many.meaning.accuracy": ("share of rows predicted correctly", "预测正确的行的比例"),
    "many.meaning.balanced_accuracy": ("mean recall of the classes", "各类召回率的平均"),
    "many.meaning.precision": ("share of predictions that are correct, {average}", "预测中正确的比例，{average}"),
    "many.meaning.recall": ("share of a class or label found, {average}", "某类（标签）被找到的比例，{average}"),
    "many.meaning.f1": ("harmonic mean of precision and recall, {average}", "精确率与召回率的调和平均，{average}"),
    "many.meaning.kappa": "metric.meaning.kappa",
    "many.meaning.mcc": ("correlation of truth and prediction; 0 is chance", "真实与预测的相关；0 为随机"),
    "many.meaning.roc_auc": ("one class against the rest, {average}; chance 0.5", "一类对其余，{average}；0.5 为随机"),
    "many.meaning.hand_till": "metric.meaning.hand_till",
    "many.meaning.average_precision": ("one class against the rest, {average}", "一类对其余，{average}"),
    "many.meaning.log_loss": ("mean −log of the true class’s probability", "真实类别概率的 −log 的平均"),
    "many.meaning.brier_loss": ("squared error summed over classes; 0 to 2", "各类平方误差之和的平均；0 到 2"),
    "many.meaning.f_beta": ("precision and recall together, {average}", "精确率与召回率的综合，{average}"),
    "many.meaning.top_k_accuracy": ("share of rows with their class at the top", "真实类别在最高几个分数中的行的比例"),
    "many.meaning.label_ranking_ap": ("how precisely a row ranks its labels", "每行对自身标签排序的精确率；1 为完美"),
    "many.meaning.ranking_loss": ("share of a row’s label pairs in the wrong order", "每行标签对次序错误的比例"),
    "many.meaning.coverage_error": ("top labels needed to include all true ones", "由高到低包含全部真标签所需的个数"),
    "many.meaning.hamming_loss": ("share of row–label pairs that are wrong", "行与标签的组合中错误的比例"),
    "many.meaning.subset_accuracy": ("share of rows with all labels right", "全部标签都正确的行的比例"),
    # many classes: the page
    "many.average.macro": ("macro", "宏平均"),
    "many.average.weighted": ("weighted", "加权平均"),
    "many.average.micro": ("micro", "微平均"),
    "many.average.samples": ("samples", "按行平均"),
    "many.average_of": ("{meaning}, {average}", "{meaning}，{average}"),
    "many.undefined": ("undefined: {why}", "无定义：{why}"),
    "many.all": ("All classes together", "全部类别合计"),
    "many.card.accuracy": "many.meaning.accuracy",
    "many.card.balanced_accuracy": ("mean recall of the classes, each counted alike", "各类召回率的平均，每类权重相同"),
    "many.card.roc_auc": ("each class against the rest, macro average", "各类对其余类别的 AUC，宏平均"),
    "many.card.log_loss": ("mean −log of the true class’s probability; 0 is best", "真实类别概率的平均 −log；越低越好"),
    "many.classes.lead": (
        "Each class against the rest. Recall is the share of the class that is found, precision the share of its "
        "predictions that are correct.",
        "每一类对其余各类。召回率是该类被识别的比例，精确率是预测为该类时正确的比例。",
    ),
    "many.estimates": ("All numbers of all classes together", "全部类别合计的各项指标"),
    "many.pairs": ("Most frequent confusions, by rows", "最常见的混淆（按行数）"),
    "many.taken_as": ("as {label}", "判为 {label}"),
    "many.calibration": (
        "Predicted probabilities and observed shares by class ({level:level} intervals for all classes together)",
        "各类的预测概率与实际比例（{level:level} 置信区间，对所有类别同时成立）",
    ),
    "many.mistakes": ("Most confident mistakes, by the score of the wrong class", "最有把握的错误：错判类别的分数最高"),
    "many.groups.lead": (
        "The same model, group by group. A difference is not always unfair, and means over classes are compared only "
        "where every class occurs in every group.",
        "同一模型，逐组比较。有差异未必不公；只有每组都含有全部类别时，才比较各类平均。",
    ),
    "many.column.rows": ("Rows", "行数"),
    "many.column.prevalence": ("Share of rows", "占比"),
    "many.column.precision": ("Precision", "精确率"),
    "many.column.recall": ("Recall", "召回率"),
    "many.column.f1": ("F1", "F1"),
    "many.column.average_precision": ("Average precision", "平均精确率"),
    "many.column.undefined": ("Undefined", "无定义"),
    "many.column.taken_for": ("Taken for", "误判为"),
    "many.column.share_of_class": ("Of its rows", "占该类"),
    "many.column.mean_probability": ("Mean predicted", "平均预测概率"),
    "many.column.observed_expected": ("Observed / predicted", "实际 / 预测"),
    "many.column.calibration_slope": ("Slope", "校准斜率"),
    "many.column.ece": ("ECE", "期望校准误差"),
    "many.column.score_of_taken": ("Score of the class taken", "误判类别的分数"),
    "many.column.score_of_class": ("Score of the true class", "真实类别的分数"),
    "many.lacks.rows": ("no row is of this class", "没有该类的行"),
    "many.lacks.predictions": ("no row is predicted so", "没有行被预测为该类"),
    "special.the one chosen": ("the class chosen", "所选类别"),
    "data.classes": ("Classes and their rows", "各类别及其行数"),
    "data.weighted_classes": (
        "yes ({column}), sum {sum:count}; counts are sums of weights",
        "有（{column}），合计 {sum:count}；计数为权重之和",
    ),
    "note.class_groups_small": (
        "Groups that lack a class, or have fewer than {few:count} rows of one: {groups:names}. Their means are "
        "unreliable.",
        "缺少某一类或某一类不足 {few:count} 行的组：{groups:names}。其各类平均不可靠。",
    ),
    "note.classes_no_threshold": (
        "With many classes, the highest score is predicted; there is no threshold to choose.",
        "多分类时取分数最高的类别，没有需要选择的阈值。",
    ),
    "many.mean": ("mean (macro)", "平均（宏平均）"),
    "note.classes_better": (
        "Accuracy is {accuracy:share}; always predicting {label}, the most frequent class, would reach {share:share}. "
        "The model is better by {gain:points} ({level:level} interval {ends:points_ends}).",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。模型高出 {gain:points}"
        "（{level:level} 置信区间 {ends:points_ends}）。",
    ),
    "note.classes_worse": (
        "Accuracy is {accuracy:share}; always predicting {label}, the most frequent class, would reach {share:share}. "
        "The model is worse by {gain:points} ({level:level} interval {ends:points_ends}).",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。模型低了 {gain:points}"
        "（{level:level} 置信区间 {ends:points_ends}）。",
    ),
    "note.classes_unclear": (
        "Accuracy is {accuracy:share}; always predicting {label}, the most frequent class, would reach {share:share}. "
        "These data do not show which is better (difference {ends:points_ends}, {level:level} interval).",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。根据现有数据尚不能判断孰优"
        "（差值的 {level:level} 置信区间 {ends:points_ends}）。",
    ),
    "note.classes_accuracy": (
        "Accuracy is {accuracy:share}; always predicting {label}, the most frequent class, would reach {share:share}.",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。",
    ),
    "note.classes_balanced_better": (
        "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share} ({level:level} interval "
        "{ends:share_ends}), better than the {chance:share} of guessing.",
        "平衡准确率（{classes:count} 个类别召回率的平均）为 {value:share}（{level:level} 置信区间 "
        "{ends:share_ends}），高于随机猜测的 {chance:share}。",
    ),
    "note.classes_balanced_worse": (
        "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share} ({level:level} interval "
        "{ends:share_ends}), worse than the {chance:share} of guessing.",
        "平衡准确率（{classes:count} 个类别召回率的平均）为 {value:share}（{level:level} 置信区间 "
        "{ends:share_ends}），低于随机猜测的 {chance:share}。",
    ),
    "note.classes_balanced_unclear": (
        "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share} ({level:level} interval "
        "{ends:share_ends}), which these data do not separate from the {chance:share} of guessing.",
        "平衡准确率（{classes:count} 个类别召回率的平均）为 {value:share}（{level:level} 置信区间 "
        "{ends:share_ends}），尚不能判断是否优于随机猜测的 {chance:share}。",
    ),
    "note.classes_balanced_alone": (
        "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share}; guessing reaches "
        "{chance:share}.",
        "平衡准确率（{classes:count} 个类别召回率的平均）为 {value:share}；随机猜测为 {chance:share}。",
    ),
    "note.class_worst": (
        "{label}: {recall:share} of its {rows:count} rows are found ({level:level} interval {ends:share_ends}).",
        "“{label}”：{rows:count} 行中有 {recall:share} 被识别（{level:level} 置信区间 {ends:share_ends}）。",
    ),
    "note.class_worst_alone": (
        "{label}: {recall:share} of {rows:count} rows are found.",
        "“{label}”：{rows:count} 行中有 {recall:share} 被识别。",
    ),
    "note.classes_all_found": ("Every row of every class is found.", "每一类的每一行都被识别。"),
    "note.class_pair": (
        "{label} is taken for {other} in {rows:count} rows, {share:share} of its rows.",
        "“{label}”有 {rows:count} 行被误判为“{other}”，占该类的 {share:share}。",
    ),
    "note.classes_never_confused": ("No row was assigned a wrong class.", "没有一行被判错类别。"),
    "note.class_remark": ("{said:sentence}.", "{said:sentence}。"),
    "note.class_scores_alone": (
        "The scores are not probabilities: {why}. They can rank; metrics of probabilities are left out.",
        "分数不是概率：{why}。分数可用于排序，需要概率的指标不予计算。",
    ),
    "note.class_labels_alone": ("Predicted labels were given, not probabilities.", "给出的是预测类别，不是概率。"),
    "note.classes_off": (
        "The probabilities of {off:count} of {classes:count} classes are miscalibrated: {said}.",
        "{classes:count} 个类别中有 {off:count} 个的概率存在校准偏差：{said}。",
    ),
    "note.classes_off_more": (
        "The probabilities of {off:count} of {classes:count} classes are miscalibrated: {said}; and {more:count} more.",
        "{classes:count} 个类别中有 {off:count} 个的概率存在校准偏差：{said}；另有 {more:count} 个。",
    ),
    "note.classes_no_sign": (
        "No evidence of miscalibration in any of {classes:count} classes, in level, slope or curvature ({level:level} "
        "intervals for all classes together).",
        "{classes:count} 个类别的水平、斜率和曲率上均未发现校准偏差（{level:level} 置信区间，对所有类别同时成立）。",
    ),
    "note.class_sign": (
        "{label}: {sign} (mean predicted {stated:share}, observed {observed:share})",
        "“{label}”{sign}（平均预测 {stated:share}，实际 {observed:share}）",
    ),
    "note.class_sign_too_many": ("too high", "偏高"),
    "note.class_sign_too_few": ("too low", "偏低"),
    "note.class_sign_extreme": ("too extreme, slope {slope:short}", "过于极端，斜率 {slope:short}"),
    "note.class_sign_moderate": ("too moderate, slope {slope:short}", "过于保守，斜率 {slope:short}"),
    "note.class_sign_curved": ("too high in some ranges and too low in others", "某些区间偏高，另一些区间偏低"),
    "note.choice_too_sure": (
        "The model is overconfident: the class it chooses is given {stated:share} on average and is correct in "
        "{observed:share} of the rows.",
        "模型过于自信：所选类别的平均概率为 {stated:share}，而判断正确的行占 {observed:share}。",
    ),
    "note.choice_too_unsure": (
        "The model is underconfident: the class it chooses is given {stated:share} on average and is correct in "
        "{observed:share} of the rows.",
        "模型信心不足：所选类别的平均概率为 {stated:share}，而判断正确的行占 {observed:share}。",
    ),
    "note.choice_as_sure": (
        "The model’s confidence matches its accuracy: the class it chooses is given {stated:share} on average and is "
        "correct in {observed:share} of the rows.",
        "模型的把握与正确率大致相符：所选类别的平均概率为 {stated:share}，判断正确的行占 {observed:share}。",
    ),
    "note.class_gap": (
        "{metric} varies by {gap:points} across groups of {column} ({level:level} interval {ends:points_ends}; "
        "p\u00a0{p:relation}, corrected for all numbers and columns).",
        "不同{column}的{metric}存在差异，最高与最低相差 {gap:points}（{level:level} 置信区间 {ends:points_ends}；"
        "P\u00a0{p:relation}，已对全部指标和分组变量作多重比较校正）。",
    ),
    "note.class_gap_area": (
        "{metric} varies by {gap:area} across groups of {column} ({level:level} interval {ends:area_ends}; "
        "p\u00a0{p:relation}, corrected for all numbers and columns).",
        "不同{column}的{metric}存在差异，最高与最低相差 {gap:area}（{level:level} 置信区间 {ends:area_ends}；"
        "P\u00a0{p:relation}，已对全部指标和分组变量作多重比较校正）。",
    ),
    "note.class_gaps_none": (
        "No significant difference between groups ({looked:count} compared, p-values corrected for all numbers and "
        "columns). In small groups, a large difference can go unnoticed.",
        "各组之间未见有统计学意义的差异（共比较 {looked:count} 项，P 值已对全部指标和分组变量作多重比较校正）。样本少"
        "的组即使差异较大也可能看不出来。",
    ),
    "note.class_gaps_undefined": ("No number is defined in every group to compare.", "没有指标在每组都有定义可比较。"),
    "note.class_gaps_not_drawn": ("Groups are not compared: too many rows to resample.", "各组未作比较：行数过多。"),
    "note.few_rows_in_classes": (
        "Few rows of some classes: {classes:names}. Below {few:count}, recall, AUC and all class means are unreliable.",
        "某些类别的行数很少：{classes:names}。少于 {few:count} 行时，召回率、AUC 和各类平均都不可靠。",
    ),
    "note.classes_never_predicted": (
        "Never predicted: {classes:names}. Their recall is 0 and their precision is undefined.",
        "从未被预测的类别：{classes:names}。其召回率为 0，精确率无定义。",
    ),
    "note.classes_perfect": (
        "Every row is predicted correctly. Has the label leaked into the scores, or are these training data?",
        "每一行都判对了。标签是否泄漏到了分数中，或者这是训练数据？",
    ),
    "note.class_probabilities": ("{verdict}", "{verdict}"),
    "note.classes_absent_here": ("without a row of {classes:names}", "没有 {classes:names} 的行"),
    "note.classes_few_here": ("fewer than {few:count} rows of {classes:names}", "{classes:names} 不足 {few:count} 行"),
    "note.means_of_other_classes": (
        "{group} has no row of {classes:names}: means over different classes are not comparable",
        "{group} 没有 {classes:names} 的行：不同类别的平均不可比较",
    ),
    "note.class_zero_over_zero": (
        "0/0 for {label}, which never occurs or is never predicted",
        "类别 {label} 没有行或从未被预测，为 0/0",
    ),
    "note.class_needs_probabilities": ("it needs probabilities, and {why}", "需要概率，而{why}"),
    "note.class_loss_infinite": ("infinite: a true class has probability 0", "某行的真实类别所得概率为 0，为无穷大"),
    # texts that another key has
    "many.column.observed": "column.observed",
    "many.column.predicted": "column.predicted",
    "many.column.class": "column.class",
    "many.column.row": "column.row",
    "many.column.roc_auc": "metric.roc_auc",
    "many.card.kappa": "metric.meaning.kappa",
    "note.class_gaps_more": "note.groups_differ_more",
}

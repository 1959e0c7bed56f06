"""More than two classes."""

WORDS = {
    # groups, sites, classes
    "classes.estimates": ("All classes together ({level:level} intervals)", "全部类别合计（{level:level} 置信区间）"),
    "classes.table": ("Class by class ({level:level} intervals)", "逐类结果（{level:level} 置信区间）"),
    "classes.confusion": ("Confusion matrix", "混淆矩阵"),
    # notes: many classes
    "note.class_never_occurs": (
        "no row of y is of {classes}: left out of means over classes",
        "y 中没有类别 {classes} 的行：各类平均时不计入",
    ),
    "note.class_columns_sorted": (
        "the columns were taken for the sorted labels: {classes}",
        "各列按排序后的标签对应：{classes}",
    ),
    "note.class_labels_as_text": ("labels were matched with the names of the columns as text", "标签与列名按文本匹配"),
    "note.class_scores_tied": (
        "{rows:count} of {n:count} rows have several highest scores: the first column counts as predicted",
        "{n:count} 行中有 {rows:count} 行的最高分不止一个，取第一列为预测类别",
    ),
    "note.class_scores_outside": (
        "class {label} has {scores:count} scores outside [0, 1], the first {first} ({row:rows})",
        "类别 {label} 有 {scores:count} 个分数超出 [0, 1]（{row:rows}），第一个为 {first}",
    ),
    "note.class_sums_off": (
        "{rows:count} of {n:count} rows: the scores do not sum to 1, the first to {first} ({row:rows})",
        "{n:count} 行中有 {rows:count} 行的分数之和不为 1（{row:rows}），第一个为 {first}",
    ),
    "note.class_scores_only_rank": (
        "the scores rank, but what needs probabilities is refused",
        "分数可用于排序，但需要概率的指标不予计算",
    ),
    "note.class_rows_dropped": (
        "rows left out because a value is missing: {rows:count}",
        "因缺失值而剔除的行：{rows:count}",
    ),
    "note.few_of_class": (
        "independent rows of {label}: {rows:count}, so any interval is unreliable",
        "{label} 的独立行数：{rows:count}，任何区间都不可靠",
    ),
    "note.label_no_positives": (
        "no positive row: {labels}; left out of means over labels",
        "没有阳性行的标签：{labels}；各标签平均时不计入",
    ),
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
        "intervals of means over classes are left out: {cells:count} scores take long to resample",
        "未给出各类平均的区间：{cells:count} 个分数的重抽样耗时过长",
    ),
    "many.meaning.accuracy": ("share of rows predicted rightly", "预测正确的行的比例"),
    "many.meaning.balanced_accuracy": ("mean recall of the classes", "各类召回率的平均"),
    "many.meaning.precision": (
        "how often a predicted class or label is right, {average}",
        "预测为某类（标签）时正确的比例，{average}",
    ),
    "many.meaning.recall": ("how much of a class or label is found, {average}", "某类（标签）被找到的比例，{average}"),
    "many.meaning.f1": ("harmonic mean of precision and recall, {average}", "精确率与召回率的调和平均，{average}"),
    "many.meaning.kappa": ("agreement beyond chance; 0 is chance, 1 perfect", "超出随机的一致程度；0 为随机，1 为完美"),
    "many.meaning.mcc": (
        "correlation of truth and prediction; 0 is chance, 1 perfect",
        "真实与预测的相关；0 为随机，1 为完美",
    ),
    "many.meaning.roc_auc": (
        "one class against the rest, {average}; 0.5 is chance, 1 perfect",
        "一类对其余，{average}；0.5 为随机，1 为完美",
    ),
    "many.meaning.hand_till": (
        "mean AUC of all pairs of classes; 0.5 is chance, 1 perfect",
        "所有类别两两之间 AUC 的平均；0.5 为随机，1 为完美",
    ),
    "many.meaning.average_precision": (
        "one class against the rest, {average}; 1 perfect",
        "一类对其余，{average}；1 为完美",
    ),
    "many.meaning.log_loss": (
        "mean −log of the true class’s probability; 0 is perfect",
        "真实类别概率的 −log 的平均；0 为完美",
    ),
    "many.meaning.brier_loss": (
        "mean squared error summed over classes; 0 is perfect, 2 worst",
        "各类平方误差之和的平均；0 为完美，2 为最差",
    ),
    "many.meaning.f_beta": ("precision and recall together, {average}", "精确率与召回率的综合，{average}"),
    "many.meaning.top_k_accuracy": (
        "share of rows whose class is among the highest scores",
        "真实类别位于最高几个分数之中的行的比例",
    ),
    "many.meaning.label_ranking_ap": (
        "precision with which a row ranks its own labels; 1 perfect",
        "每行对自己标签排序的精确率；1 为完美",
    ),
    "many.meaning.ranking_loss": (
        "share of a row’s (true, false) pairs out of order; 0 perfect",
        "每行中（真，假）标签对次序错误的比例；0 为完美",
    ),
    "many.meaning.coverage_error": (
        "labels to take, best first, to have all true ones",
        "由高到低需取多少个标签才能包含全部真标签",
    ),
    "many.meaning.hamming_loss": ("share of pairs of row and label that are wrong", "行与标签的组合中错误的比例"),
    "many.meaning.subset_accuracy": ("share of rows with all labels right", "全部标签都正确的行的比例"),
    # many classes: the page
    "many.average.macro": ("macro", "宏平均"),
    "many.average.weighted": ("weighted", "加权平均"),
    "many.average.micro": ("micro", "微平均"),
    "many.average.samples": ("samples", "按行平均"),
    "many.average_of": ("{meaning}, {average}", "{meaning}，{average}"),
    "many.undefined": ("undefined: {why}", "无定义：{why}"),
    "many.all": ("All classes together", "全部类别合计"),
    "many.card.accuracy": ("share of rows given their true class", "被判为真实类别的行的比例"),
    "many.card.balanced_accuracy": ("mean recall of the classes, each counted alike", "各类召回率的平均，每类权重相同"),
    "many.card.roc_auc": (
        "mean over classes, each against the rest (macro); 0.5 is chance, 1 perfect",
        "各类对其余类别的 AUC 的宏平均；0.5 为随机，1 为完美",
    ),
    "many.card.log_loss": (
        "mean −log of the probability given to the true class; 0 is perfect",
        "真实类别所得概率的 −log 的平均；0 为完美",
    ),
    "many.classes.lead": (
        "Each class against the rest. Recall says how much of a class is found, precision how often it is right when "
        "the class is predicted.",
        "每一类对其余各类。召回率表示该类有多少被识别出来，精确率表示预测为该类时有多少是对的。",
    ),
    "many.estimates": ("All numbers of all classes together", "全部类别合计的各项指标"),
    "many.pairs": ("Which class is taken for which, the most rows first", "哪一类被误判为哪一类（按行数从多到少）"),
    "many.taken_as": ("as {label}", "判为 {label}"),
    "many.calibration": (
        "Stated probabilities and what was observed, class by class ({level:level} intervals for all classes together)",
        "各类的预测概率与实际比例（{level:level} 置信区间，对所有类别同时成立）",
    ),
    "many.mistakes": (
        "The surest mistakes: rows taken for a wrong class with the highest score",
        "最有把握的错误：以最高分数被判错类别的行",
    ),
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
    "many.column.mean_probability": ("Stated on average", "平均预测概率"),
    "many.column.observed_expected": ("Observed / stated", "实际 / 预测"),
    "many.column.calibration_slope": ("Slope", "校准斜率"),
    "many.column.ece": ("ECE", "期望校准误差"),
    "many.column.score_of_taken": ("Score of the class taken", "误判类别的分数"),
    "many.column.score_of_class": ("Score of the true class", "真实类别的分数"),
    "many.lacks.rows": ("no row is of this class", "没有该类的行"),
    "many.lacks.predictions": ("no row is predicted so", "没有行被预测为该类"),
    "special.the one chosen": ("the class chosen", "所选类别"),
    "data.classes": ("Classes and their rows", "各类别及其行数"),
    "data.weighted_classes": (
        "yes, column {column}, sum {sum:count}; counts are sums of weights",
        "有，列 {column}，合计 {sum:count}；计数为权重之和",
    ),
    "note.class_groups_small": (
        "Groups that lack a class, or have fewer than {few:count} rows of one: {groups:names}. Means over classes say "
        "little there.",
        "缺少某一类或某一类不足 {few:count} 行的组：{groups:names}。各类平均在那里说明不了多少。",
    ),
    "note.classes_no_threshold": (
        "Of many classes, the highest score is predicted; there is no threshold to choose.",
        "多分类时取分数最高的类别，没有需要选择的阈值。",
    ),
    "many.mean": ("mean (macro)", "平均（宏平均）"),
    "note.classes_better": (
        "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would reach {share:share}. It "
        "is better by {gain:points} ({level:level} interval {ends:points_ends}).",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。模型高出 {gain:points}"
        "（{level:level} 置信区间 {ends:points_ends}）。",
    ),
    "note.classes_worse": (
        "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would reach {share:share}. It "
        "is worse by {gain:points} ({level:level} interval {ends:points_ends}).",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。模型低了 {gain:points}"
        "（{level:level} 置信区间 {ends:points_ends}）。",
    ),
    "note.classes_unclear": (
        "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would reach {share:share}. "
        "These rows do not show which is better (difference {ends:points_ends}, {level:level} interval).",
        "准确率为 {accuracy:share}；若一律判为最常见的类别“{label}”，可达 {share:share}。这些行不能说明哪个更好（差值"
        "的 {level:level} 置信区间 {ends:points_ends}）。",
    ),
    "note.classes_accuracy": (
        "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would reach {share:share}.",
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
        "{ends:share_ends}): these rows do not tell it from the {chance:share} of guessing.",
        "平衡准确率（{classes:count} 个类别召回率的平均）为 {value:share}（{level:level} 置信区间 "
        "{ends:share_ends}）：这些行不能把它与随机猜测的 {chance:share} 区分开。",
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
        "{label}: {recall:share} of its {rows:count} rows are found.",
        "“{label}”：{rows:count} 行中有 {recall:share} 被识别。",
    ),
    "note.classes_all_found": ("Every row of every class is found.", "每一类的每一行都被识别。"),
    "note.class_pair": (
        "{label} is taken for {other} in {rows:count} rows, {share:share} of its rows.",
        "“{label}”有 {rows:count} 行被误判为“{other}”，占该类的 {share:share}。",
    ),
    "note.classes_never_confused": ("No row was taken for a wrong class.", "没有一行被判错类别。"),
    "note.class_remark": ("{said:sentence}.", "{said:sentence}。"),
    "note.class_scores_alone": (
        "The scores are not probabilities: {why}. They rank, and what needs probabilities is left out.",
        "分数不是概率：{why}。分数可用于排序，需要概率的指标不予计算。",
    ),
    "note.class_labels_alone": ("Predicted labels were given, not probabilities.", "给出的是预测类别，不是概率。"),
    "note.classes_off": (
        "The probabilities of {off:count} of {classes:count} classes are off: {said}.",
        "{classes:count} 个类别中有 {off:count} 个的概率有偏差：{said}。",
    ),
    "note.classes_off_more": (
        "The probabilities of {off:count} of {classes:count} classes are off: {said}; and {more:count} more.",
        "{classes:count} 个类别中有 {off:count} 个的概率有偏差：{said}；另有 {more:count} 个。",
    ),
    "note.classes_no_sign": (
        "No sign that the probabilities of any of {classes:count} classes are off, in level, slope or curvature "
        "({level:level} intervals for all classes together).",
        "{classes:count} 个类别的概率在水平、斜率和曲率上都没有偏差的迹象（{level:level} 置信区间，对所有类别同时成"
        "立）。",
    ),
    "note.class_sign": (
        "{label}: {sign} (stated {stated:share} on average, observed {observed:share})",
        "“{label}”{sign}（平均预测 {stated:share}，实际 {observed:share}）",
    ),
    "note.class_sign_too_many": ("too high", "偏高"),
    "note.class_sign_too_few": ("too low", "偏低"),
    "note.class_sign_extreme": ("too extreme, slope {slope:short}", "过于极端，斜率 {slope:short}"),
    "note.class_sign_moderate": ("too moderate, slope {slope:short}", "过于保守，斜率 {slope:short}"),
    "note.class_sign_curved": ("too high in some ranges and too low in others", "某些区间偏高，另一些区间偏低"),
    "note.choice_too_sure": (
        "It is too sure of itself: the class it chooses is given {stated:share} on average, and is right in "
        "{observed:share} of the rows.",
        "模型过于自信：所选类别的平均概率为 {stated:share}，而判断正确的行占 {observed:share}。",
    ),
    "note.choice_too_unsure": (
        "It is less sure than it could be: the class it chooses is given {stated:share} on average, and is right in "
        "{observed:share} of the rows.",
        "模型信心不足：所选类别的平均概率为 {stated:share}，而判断正确的行占 {observed:share}。",
    ),
    "note.choice_as_sure": (
        "It is about as sure as it is right: the class it chooses is given {stated:share} on average, and is right in "
        "{observed:share} of the rows.",
        "模型的把握与正确率大致相符：所选类别的平均概率为 {stated:share}，判断正确的行占 {observed:share}。",
    ),
    "note.class_gap": (
        "{metric} differs between groups of {column}, by {gap:points} from the lowest to the highest ({level:level} "
        "interval {ends:points_ends}; p\u00a0{p:relation}, corrected for all numbers and columns).",
        "{column} 各组的{metric}有差异，最高与最低相差 {gap:points}（{level:level} 置信区间 {ends:points_ends}；"
        "P\u00a0{p:relation}，已按所有指标和列校正）。",
    ),
    "note.class_gap_area": (
        "{metric} differs between groups of {column}, by {gap:area} from the lowest to the highest ({level:level} "
        "interval {ends:area_ends}; p\u00a0{p:relation}, corrected for all numbers and columns).",
        "{column} 各组的{metric}有差异，最高与最低相差 {gap:area}（{level:level} 置信区间 {ends:area_ends}；"
        "P\u00a0{p:relation}，已按所有指标和列校正）。",
    ),
    "note.class_gaps_none": (
        "No difference between groups is larger than chance explains ({looked:count} compared, p-values corrected for "
        "all numbers and columns). With few rows in a group, a large difference can go unseen.",
        "各组之间没有超出偶然范围的差异（比较了 {looked:count} 项，P 值已按所有指标和列校正）。组内行数少时，很大的差"
        "异也可能看不出来。",
    ),
    "note.class_gaps_undefined": (
        "No number is defined in every group, so groups cannot be compared.",
        "没有任何指标在每一组都有定义，各组无法比较。",
    ),
    "note.class_gaps_not_drawn": (
        "Groups were not compared: there are too many rows to resample.",
        "各组未作比较：行数过多，无法重抽样。",
    ),
    "note.few_rows_in_classes": (
        "Few rows of some classes: {classes:names}. With fewer than {few:count}, recall, AUC and all means over "
        "classes are unreliable.",
        "某些类别的行数很少：{classes:names}。少于 {few:count} 行时，召回率、AUC 和各类平均都不可靠。",
    ),
    "note.classes_never_predicted": (
        "Never predicted: {classes:names}. Their recall is 0 and their precision has no value.",
        "从未被预测的类别：{classes:names}。其召回率为 0，精确率无定义。",
    ),
    "note.classes_perfect": (
        "Every row is given its true class. Has the label leaked into the scores, or are the rows those of training?",
        "每一行都判对了。是否标签泄漏到了分数中，或者这些行就是训练数据？",
    ),
    "note.class_probabilities": ("{verdict}", "{verdict}"),
    "note.classes_absent_here": ("without a row of {classes:names}", "没有 {classes:names} 的行"),
    "note.classes_few_here": ("fewer than {few:count} rows of {classes:names}", "{classes:names} 不足 {few:count} 行"),
    "note.means_of_other_classes": (
        "{group} has no row of {classes:names}: means over different classes are not comparable",
        "{group} 没有 {classes:names} 的行：不同类别的平均不可比较",
    ),
    "note.class_zero_over_zero": (
        "it is 0/0 for {label}, which no row is of, or which is never predicted",
        "类别 {label} 没有行或从未被预测，为 0/0",
    ),
    "note.class_needs_probabilities": ("it needs probabilities, and {why}", "需要概率，而{why}"),
    "note.class_loss_infinite": (
        "a true class was given probability 0, so it is infinite",
        "某行的真实类别所得概率为 0，因此为无穷大",
    ),
    # texts that another key has
    "many.column.observed": "column.observed",
    "many.column.predicted": "column.predicted",
    "many.column.class": "column.class",
    "many.column.row": "column.row",
    "many.column.roc_auc": "metric.roc_auc",
    "many.card.kappa": "many.meaning.kappa",
    "note.class_gaps_more": "note.groups_differ_more",
}

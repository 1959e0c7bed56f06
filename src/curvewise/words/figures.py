"""Titles, captions and words of figures."""

WORDS = {
    # figures
    "figure.of": ("{title}: {model}", "{title}：{model}"),
    "figure.roc": ("ROC curve", "ROC 曲线"),
    "figure.roc.caption": (
        "Share of positives found against share of negatives flagged, over all thresholds. Up and left is better; the "
        "diagonal is chance.",
        "各阈值下检出的阳性与误报的阴性。越靠左上越好；对角线为随机水平。",
    ),
    "figure.roc_log": ("ROC curve at few false alarms", "低假阳性率下的 ROC 曲线"),
    "figure.roc_log.caption": (
        "The same curve with the false positive rate on a log scale: what can be found while few negatives are "
        "flagged. Up and left is better.",
        "同一曲线，假阳性率取对数刻度：误报很少时能检出多少阳性。越靠左上越好。",
    ),
    "figure.pr": ("Precision and recall", "精确率-召回率曲线"),
    "figure.pr.caption": (
        "Share of correct alarms against share of positives found. Up and right is better; chance is the prevalence.",
        "预警有多少正确，阳性有多少被检出。越靠右上越好；随机水平等于患病率。",
    ),
    "figure.pr_gain": ("Precision and recall gain", "精确率-召回率增益曲线"),
    "figure.pr_gain.caption": (
        "The same, rescaled so that flagging every row is 0 at any prevalence. The area still depends on prevalence: "
        "compare areas only at the same one.",
        "与上相同，但在任何患病率下都以全部预警为 0。面积仍随患病率而变：只应在相同患病率下比较。",
    ),
    "figure.det": ("Detection error trade-off", "DET 曲线（检测错误权衡）"),
    "figure.det.caption": (
        "Misses against false alarms on normal-deviate axes. Down and left is better.",
        "漏检率对假阳性率，正态分位坐标。越靠左下越好。",
    ),
    "figure.lift": ("Gain and lift", "增益与提升度"),
    "figure.lift.caption": ("How many positives are among the highest scores.", "分数最高的行里有多少阳性。"),
    "figure.distribution": ("Scores by class", "两类的分数分布"),
    "figure.distribution.caption": (
        "Where scores of positives and negatives lie. Less overlap is better.",
        "阳性与阴性的分数分布。重叠越少越好。",
    ),
    "figure.confusion.caption": ("Rows at the chosen threshold.", "所选阈值下的行数。"),
    "figure.thresholds": ("Rates over thresholds", "各阈值下的比率"),
    "figure.thresholds.caption": ("What changes as the threshold moves.", "阈值移动时的变化。"),
    "figure.reliability": ("Reliability", "可靠性图（校准曲线）"),
    "figure.reliability.caption": (
        "Observed frequency against predicted probability. Perfect calibration lies on the diagonal.",
        "实际比例与预测概率。越接近对角线，校准越好。",
    ),
    "figure.cost": ("Cost curve", "代价曲线"),
    "figure.cost.caption": (
        "Normalised expected cost over all costs and prevalences. Lower is better.",
        "各种代价和患病率下的归一化期望代价。越低越好。",
    ),
    "figure.decision": ("Decision curve", "决策曲线"),
    "figure.decision.caption": (
        "Net benefit of acting on the probabilities as given, compared with acting on all or on none. The threshold "
        "probability is the risk at which one would act. Recalibrate miscalibrated probabilities first.",
        "直接按模型给出的概率行事的净获益，与全部干预、全不干预相比。阈值概率是愿意采取行动的风险水平。概率校准不佳"
        "时，请先重新校准。",
    ),
    "figure.groups": ("Groups", "各组"),
    "figure.groups.caption": ("Each group with its interval; wide if rows are few.", "各组及其区间；行数少则区间宽。"),
    "figure.sites": ("Sites", "各中心"),
    "figure.sites.caption": (
        "Each site with its interval, the pooled value, and a new site.",
        "各中心及其置信区间、合并值，以及新中心的预期。",
    ),
    "figure.difference": ("Differences between models", "模型之间的差异"),
    "figure.folds": ("ROC curves of the folds", "各折的 ROC 曲线"),
    "figure.folds.caption": (
        "Thin: one curve per fold. Thick: their mean at each false positive rate. Shaded: one standard deviation over "
        "folds on either side; this is not a confidence band.",
        "细线：每折一条曲线。粗线：在各假阳性率处的平均。阴影：上下各一个折间标准差，并非置信带。",
    ),
    "figure.difference.caption": (
        "If an interval includes 0, these data do not separate the two models.",
        "区间包含 0 时，根据现有数据尚不能判断二者孰优。",
    ),
    # many classes: the page
    "figure.confusion_matrix.caption": (
        "One row per true class, with what it was taken for: counts and their share of the true class. Correct "
        "answers are on the diagonal.",
        "每一行是一个真实类别，各格为判为该列类别的行数及其占真实类别的比例；对角线上为判断正确。",
    ),
    "figure.class_roc": ("ROC curves, each class against the rest", "各类对其余类别的 ROC 曲线"),
    "figure.class_roc.caption": (
        "Rows of the class found against other rows flagged, over all thresholds of its score. Up and left is better; "
        "the diagonal is chance; the thick line is the mean over classes.",
        "在该类分数的所有阈值下，该类检出的比例与其他类误报的比例。越靠左上越好；对角线为随机；粗线为各类平均。",
    ),
    "figure.class_pr": ("Precision and recall, each class against the rest", "各类对其余类别的精确率与召回率"),
    "figure.class_pr.caption": (
        "How often the class is right when predicted, against how much of it is found, over all thresholds of its "
        "score. Up and right is better; rare classes lie lower.",
        "在该类分数的所有阈值下，判为该类时正确的比例与该类被找到的比例。越靠右上越好；少见的类别曲线较低。",
    ),
    "figure.class_reliability": ("Predicted probability and observed share", "预测概率与实际比例"),
    "figure.class_reliability.caption": (
        "Smooth curves, one per class. On the diagonal, 30 of 100 rows given 30% for a class belong to it; below it, "
        "probabilities are too high.",
        "平滑曲线，每类一条。在对角线上表示：给某类 30% 概率的 100 行中有 30 行确为该类；低于对角线表示概率偏高。",
    ),
    "figure.class_groups": ("Accuracy by group", "各组的准确率"),
    "figure.class_groups.caption": "figure.groups.caption",
    "figure.class_groups_auc": ("AUC by group", "各组的 AUC"),
    "figure.class_groups_auc.caption": (
        "Mean over classes, each against the rest, with intervals.",
        "各类对其余类别的 AUC 的宏平均，附置信区间。",
    ),
    "figure.word.mean_of_classes": ("mean {metric}", "{metric} 宏平均"),
    "figure.word.mean_of_folds": ("mean {area} {value} ± {spread}", "平均 {area} {value} ± {spread}"),
    "figure.word.other_classes": ("{n} others", "其他 {n} 类"),
    "figure.word.shares_alone": ("shares of the row; counts in the table", "占行比例；计数见数据表"),
    "figure.word.row_percent": ("Actual (rows, % of row)", "实际（行数，占行 %）"),
    # figures
    "figure.word.tpr": ("True positive rate", "真阳性率"),
    "figure.word.pr_gain_area": ("AUPRG", "AUPRG"),
    "figure.word.eer": ("EER", "等错误率"),
    "figure.word.chance": ("chance", "随机水平"),
    "figure.word.hull": ("hull", "凸包"),
    "figure.word.joint_hull": ("joint hull", "联合凸包"),
    "figure.word.iso_cost": ("equal cost", "等代价线"),
    "figure.word.point": ("operating point", "工作点"),
    "figure.word.share_of_class": ("Share of class", "占本类的比例"),
    "figure.word.positives": ("positives", "阳性"),
    "figure.word.negatives": ("negatives", "阴性"),
    "figure.word.rate": ("Rate", "比率"),
    "figure.word.probability": ("Predicted probability", "预测概率"),
    "figure.word.observed": ("Observed share", "实际发生比例"),
    "figure.word.n": ("n", "n"),
    "figure.word.coverage": ("Share of rows answered", "作出判断的比例"),
    "figure.word.risk": ("Share of wrong answers", "判断错误的比例"),
    "figure.word.answer_all": ("all rows answered", "全部作出判断"),
    "figure.word.predicted_rate": ("Share of rows flagged", "预警比例"),
    "figure.word.gain": ("Share of positives found", "检出的阳性比例"),
    "figure.word.perfect": ("perfect", "完美模型"),
    "figure.word.probability_cost": ("Probability cost PC(+)", "概率代价 PC(+)"),
    "figure.word.normalised_cost": ("Normalised expected cost", "归一化期望代价"),
    "figure.word.never": ("never positive", "全判为阴性"),
    "figure.word.always": ("always positive", "全判为阳性"),
    "figure.word.cost_proportion": ("Cost proportion of a false alarm", "误报的代价占比"),
    "figure.word.brier": ("Brier", "Brier"),
    "figure.word.all_or_none": ("flag all or none", "全部预警或全不预警"),
    "figure.word.treat_all": ("treat all", "全部干预"),
    "figure.word.treat_none": ("treat none", "全不干预"),
    "figure.word.predicted": ("Predicted", "预测"),
    "figure.word.actual": ("Actual", "实际"),
    "figure.word.of_row": ("{share} of row", "占本行 {share}"),
    "figure.word.overall": ("all rows", "全部行"),
    "figure.word.pooled": ("pooled", "合并"),
    "figure.word.prediction": ("new site", "新中心"),
    "figure.word.difference": ("Difference in {metric}", "{metric} 之差"),
    "figure.word.more": ("({n} more not shown)", "（另有 {n} 个未显示）"),
    "figure.word.minus_log_p": ("−log₁₀ p", "−log₁₀ P"),
    "figure.word.undefined": ("undefined", "无定义"),
    "figure.word.unknown": ("unknown", "未知"),
    "figure.word.first_minus_second": ("First minus second", "前者减后者"),
    "figure.word.others": ("({n} more)", "（另有 {n} 个）"),
    "figure.word.log_odds": ("{name} (log-odds scale; 0 and 1 at the edges)", "{name}（对数几率刻度；0 和 1 在边缘）"),
    # then and now: a saved evaluation, and what has changed since
    "figure.drift": ("Scores then and now", "当时与现在的分数分布"),
    "figure.drift.caption": (
        "Share of each class in bins of equal width: now filled, then outlined. Positives up, negatives down.",
        "各类别在等宽分箱中所占的比例：填充为现在，轮廓为当时。阳性向上，阴性向下。",
    ),
    "figure.word.then": ("then", "当时"),
    "figure.word.now": ("now", "现在"),
    # detection: figures
    "figure.word.iou": ("IoU threshold", "交并比阈值"),
    "figure.word.best_f": ("best {name} {f} at {threshold}", "最佳 {name} {f}（阈值 {threshold}）"),
    "figure.word.error_localisation": ("localisation", "定位错误"),
    "figure.word.error_class": ("class", "分类错误"),
    "figure.word.error_both": ("class and localisation", "分类且定位错误"),
    "figure.word.error_duplicate": ("duplicate", "重复检测"),
    "figure.word.error_background": ("background", "背景误检"),
    "figure.word.background": ("background", "背景"),
    "figure.word.annotated_as": ("Annotated as", "标注为"),
    "figure.word.annotated_percent": ("Annotated as (objects, % of row)", "标注为（目标数，占该行的 %）"),
    "figure.word.right_boxes": ("correct boxes", "正确的检测框"),
    "figure.word.wrong_boxes": ("wrong boxes", "误检框"),
    "figure.word.share_of_boxes": ("Share of boxes", "占检测框的比例"),
    "figure.word.share_right": ("Share of correct boxes", "检测框正确的比例"),
    # detection: page
    "figure.detection_pr": ("Precision and recall by class", "各类别的精确率与召回率"),
    "figure.detection_pr.caption": (
        "At IoU {iou:amount}. Coloured: the classes with the lowest AP, with their AP. Thin lines: the envelopes, "
        "whose area is AP. Grey: the others. Points: the threshold of this report.",
        "交并比 {iou:amount}。AP 最低的类别以颜色标出并附 AP；细线为包络线，线下面积即 AP；灰线为其他类别。点为本报告"
        "所用的阈值。",
    ),
    "figure.detection_classes": ("AP by class", "各类别的 AP"),
    "figure.detection_classes.caption": (
        "Lowest first (at most 20 classes), with intervals. Dashed: the mean of all classes; n: annotated objects.",
        "由低到高，类别较多时取最低的 20 个，附置信区间。虚线为全部类别的均值；n 为标注目标数。",
    ),
    "figure.detection_iou": ("AP by overlap", "各交并比阈值处的 AP"),
    "figure.detection_iou.caption": (
        "How much overlap a correct box needs. If a line falls early, objects are found but poorly located.",
        "正确检测框所需的交并比。曲线过早下降，说明目标虽被检出但定位不准。",
    ),
    "figure.detection_size": ("AP by size of object", "按目标尺寸的 AP"),
    "figure.detection_size.caption": (
        "By area in pixels; means over the classes that have objects of that size.",
        "按面积（像素）划分，均值只含有该尺寸目标的类别。",
    ),
    "figure.detection_difference": ("Differences in AP", "AP 之差"),
    "figure.detection_difference.caption": ("First minus second, on the same images.", "前者减后者，用相同的图像。"),
    "figure.detection_errors.caption": (
        "How many there are, and how much AP would rise if each type alone were corrected.",
        "各类错误的数量，以及仅消除该类错误时 AP 的增量。",
    ),
    "figure.detection_confusion": ("Which class is detected as which", "各类别被检测为何类"),
    "figure.detection_confusion.caption": (
        "One row per class: what its objects were detected as, with shares of the row. Last column: missed. Last row: "
        "boxes without an object.",
        "每行为一个类别的标注目标及其检测结果，附占该行的比例。末列为漏检；末行为没有目标处的检测框。",
    ),
    "figure.detection_froc": ("Recall by wrong boxes per image", "召回率与每张图像的误检数"),
    "figure.detection_froc.caption": (
        "Share of objects found against wrong boxes per image, all classes together. Up and left is better. Points: "
        "the threshold of this report.",
        "全部类别合计，检出比例与误检数的关系。越靠左上越好。点为本报告所用的阈值。",
    ),
    "figure.detection_f": "detection.js.chart_f",
    "figure.detection_f.caption": (
        "All classes together; point: the highest F1 on these images.",
        "全部类别合计；点为这些图像上 F1 最高处。",
    ),
    "figure.detection_reliability": ("How often a box is correct", "检测框正确的比例"),
    "figure.detection_reliability.caption": (
        "Share of correct boxes by score; on the diagonal, scores are probabilities. Below: number of boxes by score.",
        "各置信度下检测框正确的比例；位于对角线上时置信度即概率。下方为各置信度的检测框数。",
    ),
    "figure.detection_scores": ("Scores of correct and wrong boxes", "正确与误检的检测框的置信度"),
    "figure.detection_scores.caption": (
        "Correct boxes up, wrong ones down, each as shares of its kind. The line is the threshold of this report.",
        "正确的检测框向上，误检框向下，均为占各自总数的比例。竖线为本报告所用的阈值。",
    ),
    "figure.detection_groups": ("AP by group of images", "各组图像的 AP"),
    "figure.detection_groups.caption": ("Each group with its interval; n: images.", "各组及其置信区间；n 为图像数。"),
    # survival
    "figure.word.had_event": ("Share that had the event", "发生事件的比例"),
    "figure.word.lowest_risk": ("lowest risk", "风险最低"),
    "figure.word.highest_risk": ("highest risk", "风险最高"),
    "figure.word.risk_group": ("risk group {k}", "风险组 {k}"),
    "figure.word.survival_at_own_time": ("Predicted survival at each row’s own time", "各行自身时间的预测生存概率"),
    "figure.auc_over_time": ("AUC over time", "AUC 随时间的变化"),
    "figure.auc_over_time.caption": (
        "How well the risk score separates rows that had the event by each time from those that did not. 0.5 is "
        "chance. Times with fewer than 10 rows of either kind are left out.",
        "风险评分在各时间点区分已发生与未发生事件者的能力。0.5 为随机。任一类不足 10 行的时间不画出。",
    ),
    "figure.calibration_at": ("Calibration", "校准"),
    "figure.calibration_at.caption": (
        "Share with the event, by Kaplan–Meier, in equal-count bins of the probabilities; the bins contain all rows. "
        "Perfect calibration lies on the diagonal.",
        "按概率等量分箱，各箱中由 Kaplan–Meier 估计的发生事件的比例；所有行都在箱内。越接近对角线，校准越好。",
    ),
    "figure.risk_groups": ("Events by group of risk", "各风险组的事件"),
    "figure.risk_groups.caption": (
        "Share with the event by each time (Kaplan–Meier) in three equal groups by risk score. Far apart is better.",
        "按风险评分等分为三组，各组由 Kaplan–Meier 估计的到各时间为止发生事件的比例。相距越远越好。",
    ),
    "figure.distribution.shares": ("Scores by class, as shares of the class", "各类别的分数，占该类别的比例"),
    # texts that another key has
    "figure.detection_errors": "detection.methods.errors.title",
    "figure.word.error_missed": "mistake.miss",
    "figure.word.missed": "mistake.miss",
    "figure.confusion": "classes.confusion",
    "figure.confusion_matrix": "classes.confusion",
    "figure.word.threshold": "column.threshold",
    "figure.word.value": "column.value",
    "figure.word.threshold_probability": "column.threshold_probability",
    "figure.word.time": "column.time",
    "figure.word.loss": "column.score",
    "figure.word.detected_as": "column.taken_for",
    "figure.word.ap": "detection.column.ap",
    "figure.word.average_precision": "detection.column.ap",
    "figure.word.false_positives_per_image": "detection.column.false_positives_per_image",
    "figure.word.delta_ap": "detection.column.delta_ap",
    "figure.word.errors": "detection.column.count",
    "figure.word.boxes": "detection.column.detections",
    "figure.word.rows": "many.column.rows",
    "figure.word.precision": "many.column.precision",
    "figure.word.recall": "many.column.recall",
    "figure.word.f1": "many.column.f1",
    "figure.word.positive": "matrix.positive",
    "figure.word.negative": "matrix.negative",
    "figure.word.specificity": "metric.specificity",
    "figure.word.fpr": "metric.fpr",
    "figure.word.fnr": "metric.fnr",
    "figure.word.roc_auc": "metric.roc_auc",
    "figure.word.auc": "metric.roc_auc",
    "figure.word.net_benefit": "metric.net_benefit",
    "figure.word.recall_gain": "metric.recall_gain",
    "figure.word.precision_gain": "metric.precision_gain",
    "figure.word.lift": "metric.lift",
    "figure.word.score": "mistakes.column.score",
}

"""Object detection: the page."""

WORDS = {
    # detection: page
    "detection.page.title": ("Detection report", "目标检测报告"),
    "detection.page.title.of": ("Detection: {names}", "目标检测：{names}"),
    "detection.page.subtitle": (
        "{images:count} images, {truths:count} annotated objects, {classes:count} classes",
        "{images:count} 张图像，{truths:count} 个标注目标，{classes:count} 个类别",
    ),
    "detection.page.detectors": ("Detectors", "检测器"),
    "detection.section.explorer": "ask.threshold",
    "detection.section.scores": ("Can scores be trusted?", "置信度可信吗？"),
    "detection.section.groups": ("Groups of images", "图像分组"),
    "detection.number.ap_of": ("AP, {what}", "AP（{what}）"),
    "detection.number.ar_of": ("AR, {what}", "AR（{what}）"),
    "detection.card.ap": (
        "mean over {classes:count} classes and over IoU {low:amount} to {high:amount}",
        "{classes:count} 个类别、交并比 {low:amount} 至 {high:amount} 的均值",
    ),
    "detection.card.ap_one": (
        "mean over {classes:count} classes at IoU {low:amount}",
        "{classes:count} 个类别的均值，交并比 {low:amount}",
    ),
    "detection.card.ap50": ("a box is correct from IoU 0.5 on", "交并比达到 0.5 即为正确"),
    "detection.card.recall": ("of objects found, score ≥ {threshold:cost}", "检出的目标（置信度 ≥ {threshold:cost}）"),
    "detection.card.precision": ("of boxes correct, score ≥ {threshold:cost}", "正确的框（置信度 ≥ {threshold:cost}）"),
    "detection.column.detector": ("Detector", "检测器"),
    "detection.column.number": ("Number", "指标"),
    "detection.column.classes": ("Classes", "类别数"),
    "detection.column.threshold": ("Score from", "置信度下限"),
    "detection.column.truths": ("Objects", "标注目标"),
    "detection.column.detections": ("Boxes", "检测框"),
    "detection.column.tp": ("Found", "检出"),
    "detection.column.fp": ("Wrong boxes", "误检"),
    "detection.column.false_positives_per_image": ("Wrong boxes per image", "每张图像的误检数"),
    "detection.column.ap": ("AP", "AP"),
    "detection.column.ap50": ("AP50", "AP50"),
    "detection.column.ap75": ("AP75", "AP75"),
    "detection.column.ar": ("AR", "AR"),
    "detection.column.best_f": ("Best F1", "最佳 F1"),
    "detection.column.best_threshold": ("at score", "对应的置信度"),
    "detection.column.type": ("Type", "类型"),
    "detection.column.count": ("Errors", "错误数"),
    "detection.column.delta_ap": ("ΔAP if fixed", "消除后 AP 的增量"),
    "detection.column.size": ("Size", "尺寸"),
    "detection.column.images": ("Images", "图像"),
    "detection.column.truth": ("Object", "标注目标"),
    "detection.column.truth_class": ("Its class", "其类别"),
    "detection.column.score": ("Score", "置信度"),
    "detection.column.taken_for": ("Taken for", "被检测为"),
    "detection.column.share_of_class": ("Share of class", "占该类别的比例"),
    "detection.column.from": ("Score from", "置信度自"),
    "detection.column.to": ("to", "至"),
    "detection.column.right": ("Correct boxes", "正确的检测框"),
    "detection.column.wrong": ("Wrong boxes", "误检框"),
    "detection.column.gap": ("Below the best group", "低于最佳组"),
    "detection.explorer.lead": (
        "A box is shown if its score reaches the threshold: a lower one finds more objects and shows more wrong "
        "boxes. Move it, or drag the point in a chart, and see what happens. A box is correct if it overlaps an "
        "object of its class with IoU {iou:amount} or more.",
        "置信度达到阈值的检测框才会显示：阈值越低，检出的目标越多，误检也越多。移动滑块，或拖动图中的点，看看结果如"
        "何。检测框与同类标注目标的交并比达到 {iou:amount} 即为正确。",
    ),
    "detection.explorer.noscript": (
        "The slider needs JavaScript. The table below shows the threshold of this report.",
        "滑块需要 JavaScript。下表给出本报告所用阈值处的结果。",
    ),
    "detection.explorer.title": ("Threshold explorer", "阈值探索"),
    "detection.explorer.all": ("all classes together", "全部类别合计"),
    "detection.explorer.threshold": ("Show boxes from score", "显示检测框的最低置信度"),
    "detection.explorer.more": ("more boxes", "更多检测框"),
    "detection.explorer.fewer": ("fewer boxes", "更少检测框"),
    "detection.explorer.chosen": ("This report’s", "本报告的阈值"),
    "detection.explorer.at_most": ("Wrong boxes per image ≤", "每张图像的误检数 ≤"),
    "detection.explorer.at_least": ("Objects found ≥", "检出的目标 ≥"),
    "detection.explorer.counts": ("Counts", "计数"),
    "detection.explorer.rates": ("Rates", "比率"),
    "detection.explorer.note": (
        "Counts on these images. Boxes of one image are not independent, so intervals resample images: those at the "
        "threshold of this report are below. The best F1 is chosen and tested on the same images, so expect slightly "
        "less on new ones.",
        "以上为这些图像上的计数。同一张图像中的检测框并不独立，置信区间需对图像重抽样：本报告所用阈值处的区间见下表。"
        "最佳 F1 的选取与评价使用相同的图像，在新图像上应略低。",
    ),
    "detection.explorer.some": (
        "The {kept:count} classes with the most objects, of {all:count}, can be chosen.",
        "共 {all:count} 个类别，可选择其中标注目标最多的 {kept:count} 个。",
    ),
    "detection.js.sentence": (
        "Boxes that score {threshold} or more: {recall} of {base} objects are found, {precision} of {base} boxes "
        "shown are correct, and there are {wrong} wrong boxes per image.",
        "显示置信度不低于 {threshold} 的检测框：每 {base} 个标注目标检出 {recall} 个，每 {base} 个检测框有 "
        "{precision} 个正确，平均每张图像有 {wrong} 个误检。",
    ),
    "detection.js.no_boxes": ("No box is shown, and every object is missed.", "不显示任何检测框，全部目标漏检。"),
    "detection.js.none_short": ("no box", "无检测框"),
    "detection.js.valuetext": (
        "score {threshold}, recall {recall}, precision {precision}",
        "置信度 {threshold}，召回率 {recall}，精确率 {precision}",
    ),
    "detection.js.objects": ("Annotated objects", "标注目标"),
    "detection.js.found": ("found", "检出"),
    "detection.js.boxes": ("Boxes shown", "显示的检测框"),
    "detection.js.right": ("correct", "正确"),
    "detection.js.wrong": ("wrong", "误检"),
    "detection.js.f1_best": ("the best on this curve", "该曲线上的最佳值"),
    "detection.js.chart_pr": ("Precision and recall", "精确率与召回率"),
    "detection.js.chart_f": ("F1 by threshold", "各阈值处的 F1"),
    "detection.js.chart_froc": ("Recall and wrong boxes", "召回率与误检数"),
    "detection.at.table": (
        "At the threshold of this report, at IoU {iou:amount}, with {level:level} intervals",
        "本报告所用阈值处的结果，交并比 {iou:amount}，附 {level:level} 置信区间",
    ),
    "detection.at.table_alone": ("At this report’s threshold, IoU {iou:amount}", "本报告的阈值处，交并比 {iou:amount}"),
    "detection.at.best": (
        "No threshold was stated, so each detector is shown at its highest F1 over all classes together.",
        "未指定阈值，因此各检测器取其全部类别合计 F1 最大处的阈值。",
    ),
    "detection.at.by_class": ("By class, at that threshold", "该阈值处各类别的结果"),
    "detection.at.class_table": ("Each class at score ≥ {threshold:cost}", "各类别，置信度 ≥ {threshold:cost}"),
    "detection.at.curves": ("Over all thresholds, all detectors", "全部阈值处，各检测器"),
    "detection.quality.table": (
        "Average precision (AP) and average recall (AR), with {level:level} intervals",
        "平均精度（AP）与平均召回率（AR），附 {level:level} 置信区间",
    ),
    "detection.quality.table_alone": ("Average precision (AP) and recall (AR)", "平均精度（AP）与平均召回率（AR）"),
    "detection.quality.bias": (
        "AP is too high in small samples. Intervals correct for that, so a value may lie off its interval’s centre.",
        "样本较小时 AP 偏高。置信区间已对此作了修正，因此估计值未必位于区间中央。",
    ),
    "detection.quality.compare_table": (
        "Differences in AP ({level:level} intervals), first minus second",
        "AP 之差（{level:level} 置信区间），前者减后者",
    ),
    "detection.quality.compare_how": (
        "All detectors have the same resamples of images, so the differences are paired. Whether intervals of single "
        "detectors overlap is not a test.",
        "所有检测器使用相同的图像重抽样，因此差值是配对的。单个检测器的区间是否重叠并不是检验。",
    ),
    "detection.quality.classes": ("By class", "各类别"),
    "detection.quality.class_table": (
        "Each class, lowest AP first ({level:level} intervals)",
        "各类别，AP 由低到高（{level:level} 置信区间）",
    ),
    "detection.quality.class_table_alone": ("Each class, lowest AP first", "各类别，AP 由低到高"),
    "detection.quality.class_fold": ("All {count:count} classes as a table", "全部 {count:count} 个类别的表格"),
    "detection.quality.overlap": ("By overlap and size", "按交并比与尺寸"),
    "detection.errors.how": (
        "After TIDE, at IoU {iou:amount}: every wrong box and every missed object gets the first type that fits. ΔAP "
        "is the gain in AP at that IoU if this type alone were corrected; the gains do not sum to 1 − AP.",
        "参照 TIDE，交并比 {iou:amount}：每个误检框和每个未检出的目标取第一个符合的错误类型。AP 的增量指仅消除该类错误"
        "时，该交并比处 AP 的增加；各增量之和并不等于 1 − AP。",
    ),
    "detection.errors.table": ("Types of errors at IoU {iou:amount}", "错误类型，交并比 {iou:amount}"),
    "detection.errors.meaning.localisation": (
        "correct class, overlap between {background:amount} and {iou:amount}",
        "类别正确，交并比在 {background:amount} 与 {iou:amount} 之间",
    ),
    "detection.errors.meaning.class": ("overlaps an object of another class", "与其他类别的目标重叠"),
    "detection.errors.meaning.both": ("neither class nor place is correct", "类别与位置均不正确"),
    "detection.errors.meaning.duplicate": ("a higher-scoring box found its object", "该目标已被置信度更高的检测框检出"),
    "detection.errors.meaning.background": (
        "overlaps no object by over {background:amount}",
        "与目标的交并比不超过 {background:amount}",
    ),
    "detection.errors.meaning.missed": ("object that no box indicates", "没有检测框指向的标注目标"),
    "detection.errors.all_false": ("all wrong boxes removed", "去除全部误检框"),
    "detection.errors.all_missed": ("all missed objects left out", "不计全部未检出的目标"),
    "detection.errors.confusion": ("Classes taken for others", "类别混淆"),
    "detection.errors.pairs": ("Classes taken for others most often", "最常混淆的类别"),
    "detection.errors.no_pairs": ("No object is detected as another class here.", "该阈值处没有目标被检测为其他类别。"),
    "detection.errors.strongest": ("Wrong boxes with the highest scores", "置信度最高的误检框"),
    "detection.errors.rows": ("Wrong boxes, highest score first", "误检框，置信度由高到低"),
    "detection.scores.lead": (
        "If scores are probabilities, about 80 of 100 boxes that score 0.8 are correct. Otherwise the threshold of "
        "one detector means nothing for another.",
        "若置信度是概率，则每 100 个置信度为 0.8 的检测框约有 80 个正确。否则，一个检测器的阈值对另一个没有意义。",
    ),
    "detection.scores.no_probabilities": (
        "Some scores are below 0 or above 1, so they are not probabilities.",
        "部分置信度小于 0 或大于 1，因此不是概率。",
    ),
    "detection.groups.table": ("AP by {column} ({level:level} intervals)", "{column} 各组的 AP（{level:level} 区间）"),
    "detection.groups.lead": (
        "The same detector on parts of the images. A group with other classes or fewer objects is a different task: "
        "compare with care.",
        "同一检测器在不同图像上的表现。类别不同或目标较少的组并非相同的任务，比较时须谨慎。",
    ),
    "detection.data.truths": ("Annotated objects that count", "计入的标注目标"),
    "detection.data.aside": ("Objects set aside (crowds, ignored)", "不计入的目标（群体、忽略）"),
    "detection.data.classes": ("Classes with objects", "有标注目标的类别"),
    "detection.data.detections": ("Detections of {name}", "{name} 的检测框"),
    "detection.data.detections_one": ("Detections", "检测框"),
    "detection.data.classes_of": ("{with_objects:count} of {all:count}", "{with_objects:count} / {all:count}"),
    "detection.made.rule": ("Matching rule", "匹配规则"),
    "detection.made.iou": ("IoU thresholds", "匹配的交并比阈值"),
    "detection.made.at_iou": ("IoU of a correct box", "正确检测框的交并比"),
    "detection.made.limit": ("Maximum detections per image and class", "每张图像每个类别的检测框上限"),
    "detection.made.limit_image": ("Maximum detections per image", "每张图像的检测框上限"),
    "detection.made.sizes": ("Size ranges (area in pixels)", "尺寸范围（面积，像素）"),
    "detection.made.ties": ("Equal scores", "相同的置信度"),
    "detection.made.ties.block": ("enter together", "作为一个整体同时计入"),
    "detection.made.ties.row": ("in row order, as in pycocotools", "按行的顺序，同 pycocotools"),
    "detection.made.interpolation": ("Area under precision and recall", "精确率-召回率曲线下面积"),
    "detection.made.absent": ("Classes without objects", "没有标注目标的类别"),
    "detection.made.absent.skip": ("left out of means", "不计入均值"),
    "detection.made.absent.zero": ("with detections: AP 0", "有检测框时 AP 为 0"),
    "detection.made.absent.raise": ("refused", "报错"),
    "detection.made.threshold": ("Threshold of the scores", "置信度阈值"),
    "detection.made.threshold.best": ("highest F1 of each detector", "各检测器 F1 最大处"),
    "detection.made.resamples": ("Resamples of images", "图像重抽样次数"),
    "detection.made.none": ("no limit", "无上限"),
    "detection.made.sources": ("Files", "文件"),
    "detection.interpolation.101-point": ("101 points of recall", "101 个召回率点"),
    "detection.interpolation.11-point": ("11 points of recall", "11 个召回率点"),
    "detection.interpolation.all-point": ("all points, envelope", "全部点，包络线"),
    "detection.interpolation.step": ("all points, no envelope", "全部点，不取包络线"),
    "detection.interpolation.101-point (pycocotools)": (
        "101 points of recall, rounded as in pycocotools",
        "101 个召回率点，舍入同 pycocotools",
    ),
    "detection.methods.match.title": ("Matching", "匹配"),
    "detection.methods.match": (
        "Within each image and class, boxes in order of falling score each take the free object that they overlap "
        "most, if IoU reaches the threshold. A box without an object is wrong; an object without a box is missed. "
        "Crowds and objects outside the size range do not count.",
        "在每张图像的每个类别内，检测框按置信度由高到低依次取与其交并比最大且尚未匹配的标注目标，前提是交并比达到阈"
        "值。未匹配到目标的检测框为误检，未匹配到检测框的目标为漏检。群体标注和尺寸范围之外的目标不计入。",
    ),
    "detection.methods.ap.title": ("Average precision", "平均精度"),
    "detection.methods.ap": (
        "The area under the envelope of precision against recall, for each class and IoU threshold; AP is the mean "
        "over both. Detection has no number of true negatives, so it has no ROC curve, specificity or accuracy.",
        "对每个类别、每个交并比阈值，取精确率-召回率曲线的包络线下面积；AP 为各类别、各交并比阈值的均值。检测任务没有"
        "真阴性数，因此没有 ROC 曲线、特异度和准确率。",
    ),
    "detection.methods.interval.title": ("Intervals", "置信区间"),
    "detection.methods.interval": (
        "Whole images are resampled, since boxes of one image depend on each other. AP is too high in small samples; "
        "the bias is estimated from halves of the images, and the interval lies around the corrected value. "
        "Differences between detectors use the same resamples.",
        "由于同一张图像中的检测框相互依赖，以整张图像为单位重抽样。样本较小时 AP 偏高：偏差由图像对半拆分估计，置信区"
        "间围绕修正后的值。检测器之间的差值使用相同的抽样。",
    ),
    "detection.methods.errors.title": ("Types of errors", "错误类型"),
    "detection.methods.errors": (
        "A wrong box gets the first type that fits: localisation error, class error, duplicate, background, or both. "
        "An object is missed unless a localisation or class error points to it.",
        "误检框按第一个符合的情况归类：定位错误、分类错误、重复检测、背景误检，或分类且定位错误。没有定位错误或分类错"
        "误指向的未检出目标为漏检。",
    ),
    # texts that another key has
    "detection.column.group": "column.group",
    "detection.column.class": "column.class",
    "detection.column.image": "column.image",
    "detection.column.missed": "column.missed",
    "detection.column.iou": "column.iou",
    "detection.column.precision": "many.column.precision",
    "detection.column.recall": "many.column.recall",
    "detection.column.f": "many.column.f1",
    "detection.column.objects": "detection.column.truths",
    "detection.data.images": "detection.column.images",
    "detection.js.threshold": "detection.column.threshold",
    "detection.js.wrong_per_image": "detection.column.false_positives_per_image",
    "detection.js.missed": "mistake.miss",
    "detection.js.precision": "many.column.precision",
    "detection.js.recall": "many.column.recall",
    "detection.js.f1": "many.column.f1",
}

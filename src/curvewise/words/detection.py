"""Object detection: results, files and intervals."""

WORDS = {
    # detection
    "detection.quality.compare_classes": ("Class by class: {first} minus {second}", "逐类比较：{first} 减 {second}"),
    "note.detector_finds_nothing": (
        "no object is found at IoU {iou:amount}, whatever the score",
        "交并比 {iou:amount} 下，无论置信度如何都没有检出目标",
    ),
    "detection.scene": ("{images:count} images, {truths:count} objects", "{images:count} 张图像，{truths:count} 目标"),
    "note.detector_ap": (
        "average precision is {ap:area} ({level:level} interval {ends:area_ends})",
        "平均精度为 {ap:area}（{level:level} 置信区间 {ends:area_ends}）",
    ),
    "note.detector_ap_alone": ("average precision is {ap:area}", "平均精度为 {ap:area}"),
    "note.detector_at": (
        "at a score of {threshold:amount} or more, {recall:of_base} of {base} objects are found, {precision:of_base} "
        "of {base} boxes shown are correct, and there are {wrong:short} wrong boxes per image",
        "置信度不低于 {threshold:amount} 时，每 {base} 个标注目标检出 {recall:of_base} 个，每 {base} 个显示的检测框有 "
        "{precision:of_base} 个正确，每张图像有 {wrong:short} 个误检",
    ),
    "note.detector_shows_nothing": (
        "no detection scores {threshold:amount} or more",
        "没有置信度达 {threshold:amount} 的检测框",
    ),
    "note.detector_main_error": (
        "the costliest type of error is “{kind}”: correcting all {count:count} would raise AP by {gain:area}",
        "代价最大的错误类型是“{kind}”：纠正全部 {count:count} 个可使 AP 提高 {gain:area}",
    ),
    "note.detector_no_error": ("no single type of error costs much AP", "没有哪一类错误使 AP 明显下降"),
    "note.detector_better": ("{name} is the best of {count:count} detectors", "{count:count} 个检测器中 {name} 最优"),
    "note.detectors_alike": ("these images do not separate {names:names}", "根据这些图像尚不能判断 {names:names} 孰优"),
    "note.detector_difference": (
        "{first} minus {second}: {gap:area} of average precision ({level:level} interval {ends:area_ends}, "
        "p\u00a0{p:relation})",
        "{first} 减 {second}：平均精度相差 {gap:area}（{level:level} 置信区间 {ends:area_ends}，P\u00a0{p:relation}）",
    ),
    "side.truth": ("truth", "标注"),
    "side.found": ("found", "检测"),
    "note.detection_dropped_missing": (
        "{side}: {rows:count} of {of:count} rows lack an image, a class, a box or a score and are left out",
        "{side}：{of:count} 行中有 {rows:count} 行缺少图像、类别、框或置信度，已排除",
    ),
    "note.detection_unknown_image": (
        "{rows:count} of {of:count} detections are in images that truth does not list and are left out ({names})",
        "{of:count} 个检测中有 {rows:count} 个所在的图像不在标注之列，已排除（{names}）",
    ),
    "note.detection_unknown_class": (
        "{rows:count} of {of:count} detections are of classes that truth does not list and are left out ({names})",
        "{of:count} 个检测中有 {rows:count} 个的类别不在标注之列，已排除（{names}）",
    ),
    "note.detection_only_found": ("some classes are never annotated: {names}", "有些类别没有标注：{names}"),
    "note.detection_classes_shifted": (
        "class ids seem shifted by one between truth and found; only found has {names}",
        "标注与检测的类别编号似乎相差 1；仅检测中有 {names}",
    ),
    "note.detection_in_shares": (
        "boxes of both files are shares of the image: overlaps are correct, but areas are not in pixels, so small, "
        "medium and large mean nothing. Give the image sizes for those",
        "两侧的框都以图像宽高的比例表示：重叠计算正确，但面积不以像素计，因此小、中、大没有意义。如需按大小统计，请给"
        "出图像尺寸",
    ),
    "note.detection_other_form": (
        "of a sample of 100 objects, boxes match {as_given:of_100} as given, and would match {share:of_100} as {form}",
        "抽样的每 100 个目标中，按所给格式读取有 {as_given:of_100} 个得到匹配，若用 {form} 则有 {share:of_100} 个",
    ),
    "note.detection_like_corners": (
        "in all {rows:count} boxes the third number is at least the first, and the fourth at least the second: they "
        "look like corners, and are read as x, y, width, height",
        "全部 {rows:count} 个框的第三个数都不小于第一个，第四个数都不小于第二个：看起来是角点坐标，目前按 x、y、宽、高"
        "读取",
    ),
    "note.detection_most_beyond": (
        "most boxes extend beyond their image ({truths:count} objects, {found:count} detections): they may be "
        "corners, and are read as x, y, width, height",
        "大多数框超出图像（{truths:count} 个目标，{found:count} 个检测）：它们可能是角点坐标，目前按 x、y、宽、高读取",
    ),
    "note.detection_beyond": (
        "{side}: {rows:count} of {of:count} boxes extend more than 1 pixel beyond their image; they are not clipped",
        "{side}：{of:count} 个框中有 {rows:count} 个超出图像 1 个像素以上；未作裁剪",
    ),
    "note.detection_zero_truth": (
        "{rows:count} of {of:count} objects have a box without area, so nothing can match them; they count as missed",
        "{of:count} 个目标中有 {rows:count} 个的框面积为零，无法被匹配；计为漏检",
    ),
    "note.detection_zero_found": (
        "{rows:count} of {of:count} detections have a box without area, so they match nothing",
        "{of:count} 个检测中有 {rows:count} 个的框面积为零，不会匹配任何目标",
    ),
    "note.detection_no_area": (
        "{rows:count} of {of:count} objects state no area; that of the box is used",
        "{of:count} 个目标中有 {rows:count} 个未给出面积；使用框的面积",
    ),
    "note.detection_unlike_area": (
        "{rows:count} of {of:count} objects state an area that differs from width × height by more than 1%; size "
        "ranges use the stated area",
        "{of:count} 个目标中有 {rows:count} 个所给的面积与宽 × 高相差超过 1%；按大小划分时使用所给的面积",
    ),
    "note.detection_ignored": (
        "{rows:count} of {of:count} objects are marked as ignored and do not count; pycocotools ignores this mark",
        "{of:count} 个目标中有 {rows:count} 个被标记为忽略，不计对错；pycocotools 不读取这一标记",
    ),
    "note.detection_ids_repeat": (
        "{ids:count} ids belong to several objects (the first {first}); rows are used to distinguish them here, which "
        "pycocotools does not do",
        "有 {ids:count} 个编号属于多个目标（第一个是 {first}）；这里按行区分，pycocotools 则不能区分",
    ),
    "note.detection_none_found": ("there are no detections at all", "没有任何检测"),
    "note.detection_identical": (
        "{rows:count} of {of:count} detections repeat another in image, class, box and score; every one counts",
        "{of:count} 个检测中有 {rows:count} 个与另一个的图像、类别、框和置信度完全相同；每个都计入",
    ),
    "note.detection_mixed_scores": (
        "{rows:count} of {of:count} scores exceed 1 (up to {most:amount}), the others do not: two scales may be mixed",
        "{of:count} 个置信度中有 {rows:count} 个大于 1（最大 {most:amount}），其余不大于 1：可能混用了两种尺度",
    ),
    "detection.summary": (
        "{images:count} images, {truths:count} objects, {found:count} detections",
        "{images:count} 张图像，{truths:count} 个标注目标，{found:count} 个检测框",
    ),
    "detection.ap": ("average precision", "平均精度"),
    "detection.ar": ("average recall", "平均召回率"),
    "detection.at_iou": ("IoU {iou:amount}", "交并比 {iou:amount}"),
    "detection.mean_iou": ("mean over IoU {low:amount} to {high:amount}", "交并比 {low:amount}～{high:amount} 的均值"),
    "detection.of_size": ("{area} objects", "{area}"),
    "detection.size.small": ("small", "小目标"),
    "detection.size.medium": ("medium", "中目标"),
    "detection.size.large": ("large", "大目标"),
    "detection.size.all": ("all", "全部目标"),
    "detection.limit": (
        "at most {limit:count} {limit:one|detection|detections} per image and class",
        "每张图像每个类别最多 {limit:count} 个检测框",
    ),
    "detection.frequency.r": ("rare classes", "稀有类别"),
    "detection.frequency.c": ("common classes", "常见类别"),
    "detection.frequency.f": ("frequent classes", "高频类别"),
    "note.nothing_found_at_any_threshold": (
        "no detection is correct at this overlap, so no threshold is better than another",
        "在该交并比下没有正确的检测，因此任何阈值都不更优",
    ),
    "note.best_f_on_same_images": (
        "the threshold was chosen on the same images, so expect less of it on new ones",
        "阈值由同一批图像选出，在新图像上的表现预期会低一些",
    ),
    "note.means_at_threshold": (
        "means over classes: precision {precision:area} ({precision_classes:count} classes), recall {recall:area} "
        "({recall_classes:count}), F {f:area} ({f_classes:count})",
        "各类别平均：精确率 {precision:area}（{precision_classes:count} 个类别），召回率 {recall:area}"
        "（{recall_classes:count} 个），F 值 {f:area}（{f_classes:count} 个）",
    ),
    "note.no_detections": ("there is no detection", "没有检测框"),
    "note.delta_ap_do_not_sum": (
        "each rise in AP corrects one type alone; they do not sum to 1 − AP",
        "每个 AP 增量只纠正一种错误；各增量之和并不等于 1 − AP",
    ),
    "column.image": ("Image", "图像"),
    "column.objects": ("Objects", "目标数"),
    "column.missed": ("Missed", "漏检"),
    "column.false_positives_per_image": ("False detections per image", "每幅图像误检数"),
    "column.error": ("Error", "错误类型"),
    "column.count": ("Count", "数量"),
    "column.delta_ap": ("Rise in AP", "AP 增量"),
    "column.row": ("Row", "行"),
    "column.truth": ("Object", "目标"),
    "column.truth_class": ("Class of the object", "目标类别"),
    "column.iou": ("IoU", "交并比"),
    "column.taken_for": ("Detected as", "检测为"),
    "column.share_of_class": ("Share of the class", "占该类别的比例"),
    "note.no_truths": ("no annotated object counts", "没有计入评估的标注目标"),
    "note.absent_class": (
        "{truths:count} objects, {detections:count} detections",
        "{truths:count} 个标注目标，{detections:count} 个检测框",
    ),
    "note.no_class_of_size": ("no class has an object of this size ({area})", "没有任何类别含有该尺寸的目标（{area}）"),
    "note.not_looked_for": (
        "{rows:count} of {of:count} detections were left out: their class was not checked in their image",
        "{of:count} 个检测框中有 {rows:count} 个未计入：其类别在所在图像中未被检查",
    ),
    "note.as_pycocotools_counts": (
        "as pycocotools counts: {numbers}. It orders equal scores by row and image id and compares recall with "
        "rounded grid points, so its numbers change with file names; ours do not",
        "按 pycocotools 的算法：{numbers}。它把置信度相同的检测框按行号和图像编号排序，并与经过舍入的召回率网格比较，"
        "因此结果会随文件名变化；本报告的结果不会",
    ),
    "note.tied_detections": (
        "{tied:count} of {of:count} detections share their score with another of their class. Depending on their "
        "order AP is {low:area} to {high:area}; the lower value is given, with tied scores entering together",
        "{of:count} 个检测框中有 {tied:count} 个与同类别的其他检测框置信度相同。排列次序不同，AP 在 {low:area} 与 "
        "{high:area} 之间；此处给出较低值，即把相同置信度作为一个整体",
    ),
    "note.beyond_limit": (
        "{rows:count} detections beyond the first {limit:count} of an image and class were left out",
        "每张图像每个类别前 {limit:count} 个之外的 {rows:count} 个检测框未计入",
    ),
    "note.beyond_limit_image": (
        "{rows:count} detections beyond the first {limit:count} of an image were left out",
        "每张图像前 {limit:count} 个之外的 {rows:count} 个检测框未计入",
    ),
    "note.absent_classes_skip": (
        "classes without objects have no AP and are left out of means: {names:names} (detections in brackets)",
        "没有标注目标的类别没有平均精度，均值不包括它们：{names:names}（括号内为检测框数）",
    ),
    "note.absent_classes_zero": (
        "classes without objects: {names:names} (detections in brackets); those with detections count as 0 in means",
        "没有标注目标的类别：{names:names}（括号内为检测框数）；均值把其中有检测框的类别计为 0",
    ),
    "note.absent_classes_raise": (
        "classes without objects: {names:names} (with their detections)",
        "没有标注目标的类别：{names:names}（括号内为检测框数）",
    ),
    "note.few_truths": (
        "classes with fewer than {least:count} objects have unreliable average precision: {names:names}",
        "标注目标少于 {least:count} 个、平均精度不可靠的类别：{names:names}",
    ),
    "note.few_images": (
        "only {images:count} {images:one|image|images}: with fewer than {least:count}, intervals are unreliable",
        "只有 {images:count} 张图像：少于 {least:count} 张时区间不可靠",
    ),
    # detection: intervals
    "note.one_image": ("no interval: all of its objects are in one image", "没有区间：其标注目标都在同一张图像中"),
    "note.covers_less": (
        "in simulations of mean average precision, {low:share} to {high:share} of the 95% intervals by method "
        "'{method}' contained the true value; the default method reached {default_low:share} to {default_high:share}",
        "在平均精度均值的模拟中，方法“{method}”的 95% 区间有 {low:share} 至 {high:share} 包含真值；默认方法为 "
        "{default_low:share} 至 {default_high:share}",
    ),
    "note.few_truths_interval": (
        "only {truths:count} {truths:one|object|objects}: with fewer than {least:count}, the interval is unreliable",
        "只有 {truths:count} 个标注目标：少于 {least:count} 个时区间不可靠",
    ),
    "note.rare_classes_interval": (
        "{rare:count} of {classes:count} classes have fewer than {least:count} objects: the interval is unreliable",
        "{classes:count} 个类别中有 {rare:count} 个的标注目标少于 {least:count} 个：区间不可靠",
    ),
    "note.resamples_lost_class": (
        "in {lost:count} of {replicates:count} resamples a class had no object and was left out of the mean",
        "{replicates:count} 次重抽样中有 {lost:count} 次缺少某一类别的标注目标，该类别未计入那次的均值",
    ),
    "note.value_too_high": (
        "samples of this size overestimate it by about {bias:area}: the interval is placed lower by that much",
        "这种规模的样本所得的值约偏高 {bias:area}：区间已相应下移",
    ),
    "note.value_too_low": (
        "samples of this size underestimate it by about {bias:area}: the interval is placed higher by that much",
        "这种规模的样本所得的值约偏低 {bias:area}：区间已相应上移",
    ),
    "note.detector_rate_undefined": (
        "there is nothing to take a share of: no detection is shown, or no object exists",
        "没有可计算比例的对象：没有显示检测框，或没有标注目标",
    ),
    "note.group_lacks_classes": (
        "{group}: no object of {classes:names}; its mean goes over {of:count} classes",
        "{group}：没有 {classes:names} 的标注目标；其均值基于 {of:count} 个类别",
    ),
    "note.gaps_of_groups": (
        "gaps are {best} minus each other group, on the same resamples; intervals cover all {pairs:count} pairs "
        "together",
        "差距为 {best} 减去其他各组，取自相同的重抽样；其区间对全部 {pairs:count} 对同时成立",
    ),
}

"""The threshold explorer, what its script says, and the costliest mistakes."""

WORDS = {
    # the explorer
    "explorer.lead": (
        "Every threshold is a trade-off: fewer false alarms, more misses. Move it and see what happens. The sliders "
        "show rates measured on these data. What to expect of the chosen threshold on new data is below.",
        "每个阈值都是取舍：误报少了，漏检就多。移动阈值，看看结果。滑块所示为这份数据上测得的比率；所选阈值在新数据中"
        "的预期见下方。",
    ),
    "explorer.noscript": (
        "The sliders need JavaScript. Full results at the chosen threshold are below.",
        "滑块需要 JavaScript。所选阈值的完整结果见下文。",
    ),
    "explorer.title": ("Operating-point explorer", "工作点浏览器"),
    "explorer.threshold.exact": ("Threshold as a number", "阈值数值"),
    "explorer.threshold.copy": ("Copy the exact threshold", "复制精确阈值"),
    "explorer.fewer": ("fewer alarms", "预警更少"),
    "explorer.more": ("more alarms", "预警更多"),
    "explorer.presets": ("Jump to", "跳到"),
    "explorer.rule": ("Chosen by rule", "按规则选定"),
    "explorer.youden": ("Youden’s J", "约登指数最大"),
    "explorer.cheapest": ("Cheapest", "代价最小"),
    "explorer.at_most": ("False positive rate at most", "假阳性率不超过"),
    "explorer.at_least": ("Recall at least", "灵敏度不低于"),
    "explorer.guarantee": (
        "Guaranteed on new data with {level:level} confidence",
        "在新数据中以 {level:level} 的置信度保证",
    ),
    "explorer.find": ("Find", "查找"),
    "explorer.costs.title": ("Costs and benefit", "代价与净获益"),
    "explorer.fp": ("A false alarm costs", "误报一次的代价"),
    "explorer.fn": ("A miss costs", "漏检一次的代价"),
    "explorer.ratio": ("One miss equals", "一次漏检相当于"),
    "explorer.ratio.after": ("false alarms", "次误报"),
    "explorer.implied": ("No costs stated; the rule’s choice implies this.", "未设定代价：此为规则的选择所隐含的。"),
    "explorer.prevalence": ("Prevalence where it is used", "使用场景的患病率"),
    "explorer.prevalence.number": ("Prevalence in percent", "患病率（百分数）"),
    "explorer.reset": ("Reset all", "全部重置"),
    "explorer.link": ("Link to this view", "当前视图的链接"),
    "explorer.copy": ("Copy link", "复制链接"),
    "explorer.figures": ("The point in each figure", "各图中的工作点"),
    "explorer.figures.note": (
        "Figures show these data at their own prevalence; the numbers beside them are for the prevalence stated "
        "above. The decision curve uses the probabilities as given: a miscalibrated model loses there, but not in the "
        "costs, which use its own cheapest threshold.",
        "图按这份数据自身的患病率绘制；旁边的数字按上面设定的患病率计算。决策曲线直接采用模型给出的概率：校准不佳的模"
        "型在图中会吃亏，而代价取各模型自身代价最低的阈值，不受影响。",
    ),
    "explorer.matrix.note": ("Large: these data. Small: at stated prevalence.", "大字：本数据。小字：所设患病率下。"),
    "explorer.rates": ("Rates, uncorrected", "比率（未校正）"),
    "explorer.alarms": ("Alarms", "预警"),
    "explorer.costs": ("Costs and benefits over all assumptions", "各种假设下的代价与获益"),
    "explorer.costs.lead": (
        "How the models compare, whatever a miss costs and whatever the prevalence.",
        "各种漏检代价和患病率下各模型的比较。",
    ),
    "matrix.flagged": ("alarm", "预警"),
    "matrix.passed": ("no alarm", "不预警"),
    "matrix.positive": ("positive", "阳性"),
    "matrix.negative": ("negative", "阴性"),
    # what the script says
    "js.positive": ("Flag scores of {threshold} or more.", "分数不低于 {threshold} 时预警。"),
    "js.negative": ("Flag scores of {threshold} or less.", "分数不高于 {threshold} 时预警。"),
    "js.none": ("No row is flagged.", "均不预警。"),
    "js.alarms": (
        "At the rates of these data, {ppv} of {base} alarms are correct, {recall} of {base} positives are found and "
        "{fpr} of {base_negatives} negatives are flagged.",
        "按这份数据的比率，每 {base} 次预警有 {ppv} 次正确；每 {base} 例阳性检出 {recall} 例；每 {base_negatives} 例阴"
        "性误报 {fpr} 例。",
    ),
    "js.alarms_new": (
        "On new data, expect {ppv} of {base} alarms to be correct, {recall} of {base} positives to be found and {fpr} "
        "of {base_negatives} negatives to be flagged.",
        "在新数据中，预期每 {base} 次预警有 {ppv} 次正确；每 {base} 例阳性检出 {recall} 例；每 {base_negatives} 例阴性"
        "误报 {fpr} 例。",
    ),
    "js.no_alarms": ("There are no alarms, and every positive is missed.", "没有预警，所有阳性都会漏检。"),
    "js.thinned": (
        "This page keeps {kept} of {distinct} thresholds; one in between may come closer to the limit.",
        "本页保留了 {distinct} 个阈值中的 {kept} 个；未保留的阈值可能更接近该限度。",
    ),
    "js.between": ("Nearest threshold on this page: {threshold}.", "本页保留的最近阈值：{threshold}。"),
    "js.no_cut": ("No threshold reaches that; this one comes nearest.", "没有阈值能达到；这是最接近的一个。"),
    "js.no_guarantee": (
        "These data cannot guarantee that on new data; this threshold comes nearest.",
        "这份数据不足以在新数据中作出该保证；这是最接近的阈值。",
    ),
    "js.bad": ("Enter a number within the allowed range.", "请输入允许范围内的数字。"),
    "js.of_cases": ("{count} of {cases}", "每 {cases} 例 {count}"),
    "js.recall": ("Recall (sensitivity)", "灵敏度（召回率）"),
    "js.ppv_here": ("Precision on these data", "这份数据的精确率"),
    "js.alarms_in": ("Alarms in {cases} cases", "每 {cases} 例的预警数"),
    "js.right_in": ("of which correct", "其中正确"),
    "js.missed_in": ("Misses in {cases} cases", "每 {cases} 例的漏检数"),
    "js.cost": ("Expected cost per case", "每例期望代价"),
    "js.cost_best": ("at the cheapest threshold", "代价最小的阈值"),
    "js.cost_none": ("flagging no row", "均不预警"),
    "js.cost_all": ("flagging every row", "全部预警"),
    "js.hover": (
        "threshold\u00a0{threshold}: recall\u00a0{recall}, FPR\u00a0{fpr}, precision\u00a0{precision}",
        "阈值\u00a0{threshold}：灵敏度\u00a0{recall}，假阳性率\u00a0{fpr}，精确率\u00a0{precision}",
    ),
    "js.space": "space",
    "js.copied": ("Copied.", "已复制。"),
    "js.none_short": ("no row", "均不预警"),
    "js.valuetext": (
        "threshold {threshold}, recall {recall}, false positive rate {fpr}",
        "阈值 {threshold}，灵敏度 {recall}，假阳性率 {fpr}",
    ),
    "js.ratio_text": ("one miss equals {ratio} false alarms", "一次漏检相当于 {ratio} 次误报"),
    "js.model": ("model", "模型"),
    "js.threshold": ("threshold", "阈值"),
    "js.tp": ("true positives", "真阳性"),
    "js.fp": ("false positives", "假阳性"),
    "js.precision": ("precision", "精确率"),
    # what the script says of figures
    "js.save": ("Save or copy", "保存或复制"),
    "js.png": ("PNG", "PNG"),
    "js.svg": ("SVG", "SVG"),
    "js.csv": ("CSV", "CSV"),
    "js.copy": ("Copy image", "复制图像"),
    "js.copy_csv": ("Copy CSV", "复制 CSV"),
    "js.copied_text": ("Copied as SVG text.", "已复制为 SVG 文本。"),
    "js.not_copied": ("This browser does not allow copying.", "此浏览器不允许复制。"),
    "js.unzoom": ("Reset zoom", "还原缩放"),
    "js.exact": ("Exact threshold: {threshold}", "精确阈值：{threshold}"),
    # the costliest mistakes
    "mistakes.title": ("Costliest mistakes", "代价最大的错误"),
    "mistakes.lead": (
        "At the chosen threshold: at most ten of each kind, scores furthest on the wrong side first.",
        "所选阈值下：每类最多十例，分数在错误一侧偏离阈值最远的在前。",
    ),
    "mistakes.both": (
        "{model} at threshold {threshold:cut}: {miss:count} missed, {false_alarm:count} false alarms in total; the "
        "more expensive kind first",
        "{model}，阈值 {threshold:cut}：共漏检 {miss:count} 例，误报 {false_alarm:count} 例；代价较大的一类在前",
    ),
    "mistakes.miss": (
        "{model} at threshold {threshold:cut}: {miss:count} positives missed",
        "{model}，阈值 {threshold:cut}：漏检阳性共 {miss:count} 例",
    ),
    "mistakes.false_alarm": (
        "{model} at threshold {threshold:cut}: {false_alarm:count} false alarms",
        "{model}，阈值 {threshold:cut}：误报共 {false_alarm:count} 例",
    ),
    "mistake.miss": ("missed", "漏检"),
    "mistake.false_alarm": ("false alarm", "误报"),
    "mistakes.column.id": ("Row", "编号"),
    "mistakes.column.truth": ("Truth", "真实类别"),
    "mistakes.column.score": ("Score", "分数"),
    "mistakes.column.mistake": ("Mistake", "错误"),
    "mistakes.column.cost": ("Cost", "代价"),
    # texts that another key has
    "js.specificity": "metric.specificity",
    "js.fpr": "metric.fpr",
    "js.npv": "metric.npv",
    "js.ppv": "metric.precision",
    "js.benefit": "metric.net_benefit",
    "js.miss_rate": "metric.fnr",
}

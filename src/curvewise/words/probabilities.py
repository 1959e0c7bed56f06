"""Whether probabilities can be trusted, and how they change from one model to another."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.not_probabilities": ("{model} gives scores, not probabilities.", "{model} 给出的是分数，不是概率。"),
    "note.trust": ("{model}: {verdict}.", "{model}：{verdict}。"),
    "note.recalibrate": ("{model}: {verdict}. Recalibrate them before use.", "{model}：{verdict}。使用前请重新校准。"),
    # probabilities
    "probabilities.lead": (
        "Probabilities can be trusted if about 30 of 100 cases predicted at 30% turn out positive. A model can rank "
        "well and still fail this.",
        "概率可信，是指预测为 30% 的 100 例中约有 30 例确为阳性。区分能力强的模型也可能做不到这一点。",
    ),
    "probabilities.losses": ("Quality of probabilities ({level:level} intervals)", "概率质量（{level:level} 区间）"),
    "probabilities.parts": ("Brier score decomposition", "Brier 分数分解"),
    "probabilities.parts.note": (
        "Loss = miscalibration − discrimination + uncertainty. Miscalibration is what recalibration would remove; "
        "uncertainty is the loss of always predicting the prevalence.",
        "损失 = 校准误差 − 区分度 + 不确定性。校准误差是重新校准能够消除的部分；不确定性是总以患病率作预测时的损失。",
    ),
    "probabilities.calibration": (
        "Calibration: {model} ({level:level} intervals)",
        "{model} 校准（{level:level} 区间）",
    ),
    # notes: probabilities
    "note.certain_rows_wrong": (
        "{wrong:count} of {rows:count} rows of probability 0 or 1 turned out otherwise: their log odds are infinitely "
        "wrong. Clip p, and report the limit",
        "{rows:count} 行中有 {wrong:count} 行的概率为 0 或 1 而结果相反：其对数几率的误差为无穷大。请截断 p 并说明界限",
    ),
    "note.one_probability": (
        "all probabilities are {p:cost}: at least two values are needed",
        "所有概率都是 {p:cost}：至少需要两个不同的值",
    ),
    "note.separated_no_fit": (
        "the probabilities separate the classes perfectly: a steeper slope always fits better, without a finite "
        "estimate",
        "概率把两类完全分开，越陡拟合越好：没有有限的答案",
    ),
    "note.probabilities_all_0": ("every probability is 0", "所有概率都是 0"),
    "note.alone_in_every_bin": ("no bin has two independent rows: use fewer", "没有一个箱含两个独立的行：请减少箱数"),
    "note.nothing_to_test": ("a probability other than 0, 0.5 and 1 is needed", "需要 0、0.5 和 1 以外的概率"),
    "note.needs_equal_weights": ("rows must count equally; these are weighted", "要求各行权重相同，而此处带权重"),
    "note.probabilities_certain": ("a probability other than 0 and 1 is needed", "需要严格介于 0 与 1 之间的概率"),
    "note.few_clusters_per_group": (
        "{least:count} clusters per group are needed: there are {clusters:count} for {groups:count} groups",
        "每组需要 {least:count} 个群：{groups:count} 组只有 {clusters:count} 个群",
    ),
    "note.clusters_counted": (
        "rows of one cluster depend on each other: {clusters:count} clusters, correlation {correlation:short} within "
        "them. Bands and tests count them as fewer independent rows",
        "同一群内的行相互依赖：{clusters:count} 个群，群内相关 {correlation:short}。置信带和检验按有效行数计算",
    ),
    # notes: reclassification
    "note.one_row_of_class": ("no interval: one class has only one row", "没有区间：有一类只有一行"),
    "note.same_gain_everywhere": ("no interval: all rows of a class change equally", "没有区间：一类中各行的变化相同"),
    "note.reclassification_misleads": (
        "do not choose a model by NRI or IDI: both favour models fitted on these data or with too extreme "
        "probabilities, and their tests reject far too often. Compare log loss, or net benefit at the decision "
        "threshold",
        "不要凭 NRI 或 IDI 选择模型：两者都偏向用这些数据拟合的模型或概率过于极端的模型，其检验拒绝得过于频繁。应比较"
        "对数损失，或决策阈值处的净获益",
    ),
    # NRI and IDI
    "reclassification.title": (
        "Net reclassification (NRI), integrated discrimination (IDI)",
        "净重新分类指数（NRI）与综合判别改善指数（IDI）",
    ),
    "reclassification.caption": (
        "NRI and IDI: {new} against {old} ({level:level} intervals)",
        "{new} 对 {old} 的 NRI 与 IDI（{level:level} 置信区间）",
    ),
    "reclassification.nri": ("NRI, categories divided at {limits}", "NRI（以 {limits} 分界）"),
    "reclassification.continuous_nri": ("Continuous NRI", "连续 NRI"),
    "reclassification.idi": ("IDI", "IDI"),
    "reclassification.total": ("Total", "合计"),
    "column.measure": ("Measure", "指标"),
    # numbers that are no registered metric
    "note.no_interval_biased": (
        "it is biased upward, and resampling adds the same bias again, so no interval is valid. See the calibration "
        "test and the value expected of correct probabilities",
        "它偏高，而重抽样会再次加上同样的偏差，因此没有可信的置信区间。请看校准检验，以及概率正确时的期望值",
    ),
    "note.one_decides": (
        "one cluster or weighted row carries nearly all the information, so there is no interval",
        "几乎全部信息来自一个群或一个加权的行，因此没有置信区间",
    ),
    "note.few_clusters_joint": (
        "a joint test of level, slope and curvature needs over {clusters:count} clusters, or clusters more equal in "
        "size",
        "对水平、斜率和曲率的联合检验需要多于 {clusters:count} 个群，或大小更均匀的群",
    ),
    "note.first_and_then": ("{first}; {then}", "{first}；{then}"),
    "note.sign_too_many": (
        "too many positives are predicted: {value:per_100} observed per 100 predicted ({level:level} interval "
        "{low:per_100} to {high:per_100})",
        "预测的阳性过多：每预测 100 例，实际 {value:per_100} 例（{level:level} 置信区间 {low:per_100}～"
        "{high:per_100}）",
    ),
    "note.sign_too_few": (
        "too few positives are predicted: {value:per_100} observed per 100 predicted ({level:level} interval "
        "{low:per_100} to {high:per_100})",
        "预测的阳性过少：每预测 100 例，实际 {value:per_100} 例（{level:level} 置信区间 {low:per_100}～"
        "{high:per_100}）",
    ),
    "note.sign_extreme": (
        "they are too extreme (slope {value:short}, {level:level} interval {low:short} to {high:short}; ideal 1)",
        "概率过于极端（校准斜率 {value:short}，{level:level} 置信区间 {low:short}～{high:short}；理想值为 1）",
    ),
    "note.sign_moderate": (
        "they are too moderate (slope {value:short}, {level:level} interval {low:short} to {high:short}; ideal 1)",
        "概率过于保守（校准斜率 {value:short}，{level:level} 置信区间 {low:short}～{high:short}；理想值为 1）",
    ),
    "note.sign_curved": (
        "the joint test of level, slope and curvature rejects them (p\u00a0{p:relation}), although neither level nor "
        "slope alone does. Some ranges are too high and others too low, as the reliability curve shows",
        "水平、斜率和曲率的联合检验拒绝这些概率（P\u00a0{p:relation}），虽然单看水平或斜率都不能拒绝。某些范围的概率过"
        "高，另一些过低，见可靠性曲线",
    ),
    "note.probabilities_off": ("the probabilities are miscalibrated: {signs}", "概率存在校准偏差：{signs}"),
    "note.no_sign": (
        "no evidence of miscalibration: {ratio:per_100} positives observed per 100 predicted ({level:level} interval "
        "{ratio_low:per_100} to {ratio_high:per_100}); calibration slope {slope_low:short} to {slope_high:short} "
        "(ideal 1)",
        "未发现校准偏差：每预测 100 例阳性，实际观察到 {ratio:per_100} 例（{level:level} 置信区间 {ratio_low:per_100}"
        "～{ratio_high:per_100}）；校准斜率 {slope_low:short}～{slope_high:short}（理想值为 1）",
    ),
    "note.no_sign_little_known": (
        "no evidence of miscalibration, but these data would show only a large error of {what}: {ratio_low:per_100} "
        "to {ratio_high:per_100} positives per 100 predicted, slope {slope_low:short} to {slope_high:short} "
        "({level:level} intervals; ideal 1)",
        "未发现校准偏差，但这些数据只能发现{what}上很大的偏差：每预测 100 例阳性，实际可能为 {ratio_low:per_100}～"
        "{ratio_high:per_100} 例，校准斜率 {slope_low:short}～{slope_high:short}（{level:level} 置信区间；理想值为 1）",
    ),
    "note.little_known_level": ("the level", "总体水平"),
    "note.little_known_slope": ("the slope", "斜率"),
    "note.little_known_both": ("level and slope", "总体水平和斜率"),
    "note.probabilities_untested": (
        "these data do not show whether the probabilities are calibrated: no interval and no test is defined",
        "这些数据无法说明概率是否校准：置信区间和检验都没有定义",
    ),
    "column.expected": ("If calibrated", "校准良好时"),
    "column.limit": ("Limit if calibrated", "校准良好时的上限"),
    "probabilities.expected.note": (
        "“If calibrated” is the error to expect on average of calibrated probabilities: in a finite sample it is "
        "never 0. It exceeds the limit in {beyond:share} of such samples; p is the share with an error as large as "
        "here.",
        "“校准良好时”是概率校准时该误差的平均值：样本有限时它不会为 0。在这样的样本中，有 {beyond:share} 会超过上限；"
        "p 是误差不小于此处的比例。",
    ),
    "note.miscalibrated": (
        "The probabilities are miscalibrated: {signs}. Recalibrate them before use.",
        "概率存在校准偏差：{signs}。作为概率使用前请重新校准。",
    ),
    "note.no_sign_hardly_tested": (
        "no evidence of miscalibration, but these data could hardly show any: slope or level has no interval",
        "未发现校准偏差，但这些数据也几乎无法显示偏差：斜率或水平没有置信区间",
    ),
    # texts that another key has
    "reclassification.positives": "column.positives",
    "reclassification.negatives": "column.negatives",
}

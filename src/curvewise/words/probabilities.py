"""Whether probabilities can be trusted, and how they change from one model to another."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.not_probabilities": ("{model} gives scores, not probabilities.", "{model} 给出的是分数，不是概率。"),
    "note.trust": ("{model}: {verdict}.", "{model}：{verdict}。"),
    "note.recalibrate": (
        "{model}: {verdict}. Recalibrate before using them as probabilities.",
        "{model}：{verdict}。作为概率使用前请重新校准。",
    ),
    # probabilities
    "probabilities.lead": (
        "A probability can be trusted if, of 100 cases that were given 30%, about 30 turn out positive. A model can "
        "rank well and still fail this.",
        "概率可信，是指在被判为 30% 的 100 例中约有 30 例确为阳性。排序好的模型也可能做不到这一点。",
    ),
    "probabilities.losses": (
        "How good the probabilities are ({level:level} intervals)",
        "概率的质量（{level:level} 置信区间）",
    ),
    "probabilities.parts": ("Brier score decomposition", "Brier 分数分解"),
    "probabilities.parts.note": (
        "Loss = miscalibration − discrimination + uncertainty. Miscalibration is what recalibration would save; "
        "uncertainty is the loss of always stating the prevalence.",
        "损失 = 校准误差 − 区分度 + 不确定性。校准误差是重新校准能够省去的部分；不确定性是总以患病率作预测时的损失。",
    ),
    "probabilities.calibration": (
        "Calibration of {model} ({level:level} intervals)",
        "{model} 的校准（{level:level} 置信区间）",
    ),
    # notes: probabilities
    "note.certain_rows_wrong": (
        "{wrong:count} of {rows:count} rows of probability 0 or 1 turned out otherwise: their log odds are infinitely "
        "wrong; clip p, and say at what",
        "{rows:count} 行中有 {wrong:count} 行的概率为 0 或 1 而结果相反：其对数几率的误差为无穷大；请截断 p 并说明界限",
    ),
    "note.one_probability": (
        "all probabilities are {p:cost}: two different ones are needed",
        "所有概率都是 {p:cost}：至少需要两个不同的概率",
    ),
    "note.separated_no_fit": (
        "the probabilities separate the classes perfectly, so the steeper, the better it fits: no finite answer",
        "概率把两类完全分开，越陡拟合越好：没有有限的答案",
    ),
    "note.probabilities_all_0": ("every probability is 0", "所有概率都是 0"),
    "note.alone_in_every_bin": (
        "no bin has two independent rows; use fewer bins",
        "没有一个箱含两个独立的行；请减少箱数",
    ),
    "note.nothing_to_test": ("it needs a probability other than 0, 0.5 and 1", "需要 0、0.5 和 1 以外的概率"),
    "note.needs_equal_weights": (
        "it needs rows that count alike: these are weighted",
        "需要权重相同的行：这些行带权重",
    ),
    "note.probabilities_certain": ("it needs a probability between 0 and 1", "需要 0 与 1 之间的概率"),
    "note.few_clusters_per_group": (
        "it needs {least:count} clusters per group: there are {clusters:count} for {groups:count} groups",
        "每组需要 {least:count} 个群：{groups:count} 组只有 {clusters:count} 个群",
    ),
    "note.clusters_counted": (
        "rows of one cluster depend on each other: {clusters:count} clusters, correlation {correlation:short} within "
        "them; bands and tests count them as fewer independent rows",
        "同一群内的行相互依赖：{clusters:count} 个群，群内相关 {correlation:short}；置信带和检验按有效行数计算",
    ),
    # notes: reclassification
    "note.one_row_of_class": ("no interval: a class has one row only", "没有区间：有一类只有一行"),
    "note.same_gain_everywhere": (
        "no interval: every row of a class changes by the same amount",
        "没有区间：一类中每一行的变化都相同",
    ),
    "note.reclassification_misleads": (
        "do not choose a model by NRI or IDI: both favour models that were fitted on these rows, or whose "
        "probabilities are too extreme, and their tests then reject far too often; compare log loss, or net benefit "
        "at the threshold of the decision",
        "不要凭 NRI 或 IDI 选择模型：两者都偏向在这些行上拟合过的模型，或概率过于极端的模型，其检验会过于频繁地拒绝；"
        "应比较对数损失，或决策阈值处的净获益",
    ),
    # NRI and IDI
    "reclassification.title": (
        "Net reclassification (NRI) and integrated discrimination (IDI)",
        "净重新分类指数（NRI）与综合判别改善指数（IDI）",
    ),
    "reclassification.caption": (
        "NRI and IDI: {new} against {old} ({level:level} intervals)",
        "NRI 与 IDI：{new} 与 {old} 比较（{level:level} 置信区间）",
    ),
    "reclassification.nri": ("NRI, categories divided at {limits}", "NRI（以 {limits} 分界）"),
    "reclassification.continuous_nri": ("Continuous NRI", "连续 NRI"),
    "reclassification.idi": ("IDI", "IDI"),
    "reclassification.total": ("Total", "合计"),
    "column.measure": ("Measure", "指标"),
    # numbers that are no registered metric
    "note.no_interval_biased": (
        "it is biased upward, and a resample adds the same bias once more, so it has no honest interval; see the test "
        "of calibration, and the value expected of right probabilities",
        "它偏高，而重抽样会再次加上同样的偏差，因此没有可信的置信区间；请看校准检验，以及概率正确时的期望值",
    ),
    "note.one_decides": (
        "one cluster or weighted row holds nearly all that there is to learn from, so there is no interval",
        "几乎全部信息都来自一个群或一个加权的行，因此没有置信区间",
    ),
    "note.few_clusters_joint": (
        "a joint test of level, slope and curvature needs more clusters than {clusters:count}, or clusters of more "
        "equal size",
        "对水平、斜率和曲率的联合检验需要多于 {clusters:count} 个群，或大小更均匀的群",
    ),
    "note.first_and_then": ("{first}; {then}", "{first}；{then}"),
    "note.sign_too_many": (
        "it predicts too many positives: 100 predicted, {value:per_100} observed ({level:level} interval "
        "{low:per_100} to {high:per_100})",
        "预测的阳性过多：预测 100 个，实际 {value:per_100} 个（{level:level} 置信区间 {low:per_100}～{high:per_100}）",
    ),
    "note.sign_too_few": (
        "it predicts too few positives: 100 predicted, {value:per_100} observed ({level:level} interval {low:per_100} "
        "to {high:per_100})",
        "预测的阳性过少：预测 100 个，实际 {value:per_100} 个（{level:level} 置信区间 {low:per_100}～{high:per_100}）",
    ),
    "note.sign_extreme": (
        "they are too extreme (slope {value:short}, {level:level} interval {low:short} to {high:short}; 1 is right)",
        "概率过于极端（校准斜率 {value:short}，{level:level} 置信区间 {low:short}～{high:short}；1 为正确）",
    ),
    "note.sign_moderate": (
        "they are too moderate (slope {value:short}, {level:level} interval {low:short} to {high:short}; 1 is right)",
        "概率过于保守（校准斜率 {value:short}，{level:level} 置信区间 {low:short}～{high:short}；1 为正确）",
    ),
    "note.sign_curved": (
        "the joint test of level, slope and curvature rejects them (p\u00a0{p:relation}) although neither level nor "
        "slope alone does: probabilities of some ranges are too high and of others too low, as the reliability curve "
        "shows",
        "水平、斜率和曲率的联合检验拒绝这些概率（P\u00a0{p:relation}），虽然单看水平或斜率都不能拒绝：某些范围的概率过"
        "高，另一些过低，见可靠性曲线",
    ),
    "note.probabilities_off": ("the probabilities are off: {signs}", "概率有偏差：{signs}"),
    "note.no_sign": (
        "no sign that the probabilities are wrong: 100 positives predicted, {ratio:per_100} observed ({level:level} "
        "interval {ratio_low:per_100} to {ratio_high:per_100}); slope between {slope_low:short} and "
        "{slope_high:short}, where 1 is right",
        "没有迹象表明概率有偏差：预测 100 个阳性，实际 {ratio:per_100} 个（{level:level} 置信区间 {ratio_low:per_100}"
        "～{ratio_high:per_100}）；校准斜率在 {slope_low:short} 与 {slope_high:short} 之间，1 为正确",
    ),
    "note.no_sign_little_known": (
        "no sign that the probabilities are wrong: for 100 positives predicted there may be {ratio_low:per_100} to "
        "{ratio_high:per_100}, and the slope may lie between {slope_low:short} and {slope_high:short} ({level:level} "
        "intervals; 1 is right), but of {what} these rows would show only a large error",
        "没有迹象表明概率有偏差：预测 100 个阳性，实际可能有 {ratio_low:per_100}～{ratio_high:per_100} 个，校准斜率可"
        "能在 {slope_low:short} 与 {slope_high:short} 之间（{level:level} 置信区间；1 为正确），但就{what}而言，这些数"
        "据只能发现很大的偏差",
    ),
    "note.little_known_level": ("the level", "总体水平"),
    "note.little_known_slope": ("the slope", "斜率"),
    "note.little_known_both": ("level and slope", "总体水平和斜率"),
    "note.probabilities_untested": (
        "these rows do not tell whether the probabilities are right: no interval and no test is defined",
        "这些行无法说明概率是否正确：置信区间和检验都没有定义",
    ),
    "column.expected": ("If right", "概率正确时"),
    "column.limit": ("Limit if right", "概率正确时的上限"),
    "probabilities.expected.note": (
        "“If right” is what the error would be on average if the probabilities were right: these errors are never 0 "
        "on finitely many rows. It exceeds the limit in {beyond:share} of such samples; p is how often it is as large "
        "as here.",
        "“概率正确时”是概率正确时该误差的平均值：行数有限时这些误差不会是 0。在这样的样本中，有 {beyond:share} 会超过"
        "上限；p 是误差达到这里这么大的频率。",
    ),
    "note.miscalibrated": (
        "The probabilities are off: {signs}. Recalibrate before using them as probabilities.",
        "概率有偏差：{signs}。作为概率使用前请重新校准。",
    ),
    "note.no_sign_hardly_tested": (
        "no sign that the probabilities are wrong, but these rows could hardly show one: slope or level has no "
        "interval",
        "没有迹象表明概率有偏差，但这些行也几乎无法显示偏差：斜率或水平没有置信区间",
    ),
    # texts that another key has
    "reclassification.positives": "column.positives",
    "reclassification.negatives": "column.negatives",
}

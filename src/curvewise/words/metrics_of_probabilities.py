"""Metrics of probabilities: name, meaning, and how each is most often misread."""

WORDS = {
    # metrics
    "metric.ece": ("Expected calibration error (ECE)", "期望校准误差（ECE）"),
    "metric.meaning.ece": (
        "mean gap between predicted probability and outcome in bins; above 0 even for perfect probabilities",
        "各箱中预测与实际差距的平均；概率完美时也大于 0",
    ),
    "metric.pitfall.ece": (
        "it depends on the number of bins and is above 0 for perfect probabilities; compare it with the value that "
        "calibration() expects by chance",
        "它取决于箱数，概率完美时也大于 0；请与 calibration() 给出的随机期望值比较",
    ),
    "metric.mce": ("Maximum calibration error (MCE)", "最大校准误差（MCE）"),
    "metric.meaning.mce": ("largest gap of any bin, often one with few rows", "各箱中最大的差距；往往来自行数很少的箱"),
    "metric.pitfall.mce": ("the bin with the fewest rows usually decides it", "通常由行数最少的箱决定"),
    "metric.observed_expected": ("Observed over expected (O/E)", "实际数与预期数之比（O/E）"),
    "metric.meaning.observed_expected": (
        "positives observed per positive predicted; ideal 1, below 1 if too many are predicted",
        "每预测 1 个阳性实际出现的个数；1 为理想，小于 1 表示预测过多",
    ),
    "metric.pitfall.observed_expected": ("1 does not mean calibrated: errors can cancel", "等于 1 不代表校准良好"),
    "metric.ici": ("Integrated calibration index (ICI)", "综合校准指数（ICI）"),
    "metric.meaning.ici": ("mean gap to a smooth curve; above 0 even if perfect", "与平滑曲线差距的平均"),
    "metric.pitfall.ici": (
        "above 0 for perfect probabilities, more so in small samples; another smoother (R’s loess, splines) gives "
        "another number",
        "概率完美时也大于 0，行数越少越大；换一种平滑方法（如 R 的 loess、样条），数值会不同",
    ),
    "metric.calibration_slope": ("Calibration slope", "校准斜率"),
    "metric.meaning.calibration_slope": (
        "ideal 1; below 1 probabilities are too extreme, above 1 too moderate",
        "理想值为 1；小于 1 表示概率过于极端，大于 1 表示过于保守",
    ),
    "metric.pitfall.calibration_slope": (
        "1 with a wrong intercept is miscalibrated",
        "斜率为 1 而截距不对，校准仍不好",
    ),
    "metric.calibration_intercept": ("Calibration intercept", "校准截距"),
    "metric.meaning.calibration_intercept": (
        "goes with the slope: log odds of the outcome at p = 0.5; ideal 0",
        "与斜率配套：p = 0.5 处结局的对数几率；理想值为 0",
    ),
    "metric.pitfall.calibration_intercept": (
        "it goes with the slope; for the level alone read calibration_in_the_large",
        "它与斜率配套；只看整体水平时请用 calibration_in_the_large",
    ),
    "metric.calibration_in_the_large": ("Calibration in the large", "总体校准（CITL）"),
    "metric.meaning.calibration_in_the_large": (
        "log odds to add to every row; ideal 0, below 0 if probabilities are too high",
        "每行应加上的对数几率；理想值为 0，小于 0 表示概率偏高",
    ),
    "metric.pitfall.calibration_in_the_large": (
        "0 only means that the level is right on average, not that single probabilities are",
        "等于 0 只说明平均水平正确，不说明各个概率正确",
    ),
    "metric.brier_loss": ("Brier loss", "Brier 损失"),
    "metric.meaning.brier_loss": ("mean squared error of the probabilities", "概率与真实之差的均方；0 为完美"),
    "metric.pitfall.brier_loss": (
        "where positives are rare it is small even for a useless model: read brier_skill",
        "阳性少见时，无用的模型也会得到很小的值：请看 brier_skill",
    ),
    "metric.log_loss": ("Log loss", "对数损失"),
    "metric.meaning.log_loss": ("mean −log of the outcome’s probability", "真实结果所得概率的负对数的平均；0 为完美"),
    "metric.pitfall.log_loss": (
        "one positive with probability 0 makes it infinite; clipping hides that",
        "只要有一个阳性的概率为 0，它就是无穷大；截断只会掩盖这一点",
    ),
    "metric.spherical_loss": ("Spherical loss", "球面损失"),
    "metric.meaning.spherical_loss": (
        "1 − q/√(q² + (1−q)²) of the probability q given to the truth, on average; 0 is perfect",
        "真实结果所得概率 q 的 1 − q/√(q² + (1−q)²) 的平均；0 为完美",
    ),
    "metric.pitfall.spherical_loss": ("rarely used: few studies to compare with", "使用者不多：难以与其他研究比较"),
    "metric.brier_skill": ("Brier skill", "Brier 技能评分"),
    "metric.meaning.brier_skill": (
        "share of the Brier loss saved compared with always predicting the prevalence; 0 is no gain, 1 perfect",
        "与总以患病率作预测相比，Brier 损失减少的比例；0 为没有改进，1 为完美",
    ),
    "metric.pitfall.brier_skill": (
        "the base rate comes from the data being judged; at another prevalence it is another number",
        "基准取自被评价的数据；患病率不同，数值也不同",
    ),
    "metric.log_skill": ("Log skill", "对数技能评分"),
    "metric.meaning.log_skill": (
        "share of the log loss saved compared with always predicting the prevalence; 0 is no gain, 1 perfect",
        "与总以患病率作预测相比，对数损失减少的比例；0 为没有改进，1 为完美",
    ),
    "metric.pitfall.log_skill": (
        "minus infinity if a single positive has probability 0 or a negative 1",
        "只要有一个阳性的概率为 0 或阴性的概率为 1，它就是负无穷",
    ),
    "metric.spherical_skill": ("Spherical skill", "球面技能评分"),
    "metric.meaning.spherical_skill": (
        "share of the spherical loss saved compared with always predicting the prevalence; 0 is no gain, 1 perfect",
        "与总以患病率作预测相比，球面损失减少的比例；0 为没有改进，1 为完美",
    ),
    # numbers that are no registered metric
    "metric.squared_error": ("Squared error", "校准误差的平方"),
    "metric.meaning.squared_error": ("mean squared gap less chance; ideal 0", "差距的均方减去随机成分；理想值为 0"),
    "metric.e50": ("E50", "E50"),
    "metric.meaning.e50": ("half of the rows are closer to the smooth curve", "半数的行与平滑曲线的差距小于此值"),
    "metric.pitfall.e50": ("the other half may be far worse", "另一半的行可能差得多；概率完美时也大于 0"),
    "metric.e90": ("E90", "E90"),
    "metric.meaning.e90": ("90% of rows are closer to the smooth curve", "九成的行与平滑曲线的差距小于此值"),
    "metric.pitfall.e90": ("above 0 if perfect; unstable in small samples", "概率完美时也大于 0，行数少时不稳定"),
    "metric.spiegelhalter": ("Spiegelhalter’s z", "Spiegelhalter z 检验"),
    "metric.meaning.spiegelhalter": (
        "z of the Brier score against its expected value; opposite errors can cancel",
        "Brier 分数与其应有值之比较；偏高与偏低可能抵消",
    ),
    "metric.hosmer_lemeshow": ("Hosmer–Lemeshow", "Hosmer–Lemeshow 检验"),
    "metric.meaning.hosmer_lemeshow": (
        "chi-square, {degrees} degrees of freedom; depends on groups and n, so it does not measure the error",
        "卡方，自由度 {degrees}；取决于分组和行数，不衡量偏差的大小",
    ),
    "metric.joint_test": ("Joint test of calibration", "校准的联合检验"),
    "metric.meaning.joint_test": (
        "chi-square, {degrees} degrees of freedom: level, slope and curvature together",
        "卡方，{degrees} 个自由度：同时检验水平、斜率和曲率",
    ),
    "metric.smooth_ece": ("Smooth calibration error (SmoothECE)", "平滑校准误差（SmoothECE）"),
    "metric.meaning.smooth_ece": ("mean smoothed gap, without bins", "平滑后的平均差距，不分箱；完美时也大于 0"),
    "metric.pitfall.smooth_ece": (
        "above 0 for perfect probabilities; values at different sample sizes cannot be compared",
        "概率完美时也大于 0；行数不同时不能相互比较",
    ),
    # texts that another key has
    "metric.pitfall.spherical_skill": "metric.pitfall.brier_skill",
}

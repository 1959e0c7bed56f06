"""How every number is defined, with its interval."""

WORDS = {
    # methods
    "methods.fold": ("Definitions and references ({count:count})", "各数值的定义与参考文献（{count:count} 条）"),
    "methods.lead": (
        "A row is flagged if its score reaches the threshold. Tied scores enter together, so row order never matters.",
        "分数不低于阈值即预警。分数相同的行作为一个整体，结果与行的次序无关。",
    ),
    "method.sweep.title": ("The sweep.", "扫描表。"),
    "method.sweep": (
        "The distinct scores in falling order, with the number of positives and negatives at or above each; "
        "everything here is read from it.",
        "由高到低排列的不同分数，以及不低于每个分数的阳性数和阴性数；本报告的一切都由它读出。",
    ),
    "method.roc_auc.title": ("AUC.", "AUC。"),
    "method.roc_auc": (
        "The chance that a random positive outranks a random negative; ties count half. Interval: a score interval "
        "with DeLong’s variance.",
        "随机一个阳性的得分高于随机一个阴性的概率，并列算一半。置信区间：采用 DeLong 方差的得分区间。",
    ),
    "method.partial_roc_auc.title": ("Partial AUC.", "部分曲线下面积。"),
    "method.partial_roc_auc": (
        "The area under the ROC curve up to a false positive rate of 10%, divided by that width: the mean recall in "
        "the range. Interval: a score interval with the variance of each row’s influence; likewise for average "
        "precision and equal error rate.",
        "假阳性率不超过 10% 的一段 ROC 曲线下面积，除以该宽度：即这一段内的平均灵敏度。置信区间：采用各行影响函数方差"
        "的得分区间；平均精确率和等错误率亦同。",
    ),
    "method.pr.title": ("Precision and recall.", "精确率与召回率。"),
    "method.pr": (
        "Average precision is the sum over steps of the gain in recall times precision. The area under the curve "
        "interpolates counts, not rates, between points.",
        "平均精确率是逐步的召回率增量乘以精确率之和。曲线下面积在点与点之间对计数插值，而不是对比率插值。",
    ),
    "method.equal_error_rate.title": ("Equal error rate.", "等错误率。"),
    "method.equal_error_rate": (
        "Where the miss rate equals the false positive rate, on the convex hull of the ROC curve.",
        "ROC 曲线凸包上漏检率等于假阳性率之处。",
    ),
    "method.h_measure.title": ("H-measure.", "H 指标。"),
    "method.h_measure": (
        "One minus the minimum expected loss, averaged over a fixed distribution of costs, relative to that of the "
        "best constant answer.",
        "1 减去最小期望损失（对一个固定的代价分布取平均）与最佳固定答案的损失之比。",
    ),
    "method.rates.title": ("Rates at a threshold.", "阈值处的比率。"),
    "method.rates": (
        "Recall is TP/(TP+FN), specificity TN/(TN+FP), precision TP/(TP+FP), NPV TN/(TN+FN). Intervals: Wilson.",
        "灵敏度 TP/(TP+FN)，特异度 TN/(TN+FP)，精确率 TP/(TP+FP)，阴性预测值 TN/(TN+FN)。置信区间：Wilson 法。",
    ),
    "method.prevalence.title": ("Another prevalence.", "换一个患病率。"),
    "method.prevalence": (
        "PPV = π·TPR / (π·TPR + (1−π)·FPR), NPV likewise; recall and specificity are assumed not to change.",
        "PPV = π·TPR / (π·TPR + (1−π)·FPR)，NPV 类推；假定灵敏度和特异度不变。",
    ),
    "method.costs.title": ("Costs.", "代价。"),
    "method.costs": (
        "Expected cost = c(FP)·(1−π)·FPR + c(FN)·π·(1−TPR), plus the costs of hits and correct passes. The cheapest "
        "point is where a line of slope c(FP)/c(FN)·(1−π)/π touches the ROC curve.",
        "期望代价 = c(FP)·(1−π)·FPR + c(FN)·π·(1−TPR)，再加上正确预警和正确放行的代价。代价最小的点，是斜率为 "
        "c(FP)/c(FN)·(1−π)/π 的直线与 ROC 曲线相切之处。",
    ),
    "method.optimism.title": ("Optimism.", "乐观偏差。"),
    "method.optimism": (
        "The rule is applied again to bootstrap resamples. What its choices achieve there, minus what they achieve on "
        "the rows not drawn, is their optimism. Recall and false positive rate are corrected by 63% of it (50% for a "
        "rule with a limit), and every other number follows from those two. Intervals: Wilson at the corrected rates, "
        "widened by the size of the correction.",
        "把规则重新用于自助重抽样；所选阈值在抽中的行上的结果减去在未抽中的行上的结果，即为乐观偏差。灵敏度和假阳性率"
        "各减去其中的 63%（有限制的规则为 50%），其他数值都由这两个比率得出。区间：在校正后的比率处取 Wilson 区间，并"
        "按校正的大小加宽。",
    ),
    "method.decision.title": ("Net benefit.", "净获益。"),
    "method.decision": (
        "π·TPR − (1−π)·FPR·p/(1−p) at the threshold probability p, in true positives per case.",
        "在阈值概率 p 处为 π·TPR − (1−π)·FPR·p/(1−p)，单位是每例的真阳性数。",
    ),
    "method.comparison.title": ("Comparison.", "模型比较。"),
    "method.comparison": (
        "Paired: the variance of the difference allows for all models having the same rows. The p-values of several "
        "pairs are corrected by Holm’s method.",
        "配对比较：差值的方差考虑到各模型用的是相同的行。多对比较的 P 值用 Holm 法校正。",
    ),
    "method.strata.title": ("Strata.", "层。"),
    "method.strata": (
        "Rows or clusters were sampled within strata: variances compare them, and resamples draw them, within strata.",
        "行或群在层内抽样：方差只在层内比较，重抽样也在层内进行。",
    ),
    "method.clusters.title": ("Clusters.", "群。"),
    "method.clusters": (
        "Rows of one cluster depend on each other: whole clusters are resampled, or their sums are used.",
        "同一群内的行相互依赖：整群一起重抽样，或取其合计。",
    ),
    "method.losses.title": ("Losses.", "损失。"),
    "method.losses": (
        "Brier: mean of (p−y)². Log loss: mean −log of the outcome’s probability. The parts come from the isotonic "
        "fit.",
        "Brier：(p−y)² 的平均。对数损失：实际结果所得概率的负对数的平均。各部分由保序回归得出。",
    ),
    "method.calibration.title": ("Calibration.", "校准。"),
    "method.calibration": (
        "Slope and intercept come from a logistic regression of the outcome on the logit of the probability; observed "
        "over expected is the sum of outcomes over the sum of probabilities. The verdict uses both with their "
        "intervals, and a score test of level, slope and curvature. Errors that are biased upward (such as ECE) are "
        "judged against labels drawn from the probabilities themselves.",
        "斜率和截距来自结局对概率 logit 的逻辑回归；实际数与预期数之比是结局之和除以概率之和。结论同时看这两者的置信区"
        "间，以及对水平、斜率和曲率的得分检验。偏高的误差（ECE 等）与按这些概率抽取的标签所得的误差相比较。",
    ),
    "method.groups.title": ("Groups.", "分组。"),
    "method.groups": (
        "Every metric within each group at the common threshold. With over two groups, gaps have simultaneous "
        "intervals.",
        "在共同阈值下计算各组的每个指标。多于两组时，差距的置信区间是同时成立的。",
    ),
    "method.sites.title": ("Sites.", "各中心。"),
    "method.sites": (
        "Random effects on the logit of the AUC (REML). Q-profile intervals allow for the uncertain variation between "
        "sites; the prediction interval is for the true AUC of a new site.",
        "AUC 的 logit 的随机效应模型（REML）；区间用 Q-profile 法，计入了中心间差异本身的不确定性；预测区间针对新中心"
        "的真实 AUC。",
    ),
    "method.folds.title": ("Folds.", "各折。"),
    "method.folds": (
        "The mean AUC over folds; its interval, from DeLong’s variance in each fold, applies to new data for these "
        "models. The standard deviation over folds divided by √k is not a standard error, since training sets "
        "overlap. Models are compared by the t-test corrected for that overlap. Folds differ if ranks within classes "
        "do (Kruskal–Wallis, p < 0.01).",
        "各折 AUC 的平均；其区间由每折的 DeLong 方差得出，针对这些模型在新行上的表现。折间标准差除以 √k 并非标准误，因"
        "为训练集相互重叠。模型之间用计入这种重叠的校正 t 检验比较。若同一类别内各折的秩不同（Kruskal–Wallis，P < "
        "0.01），则各折有差异。",
    ),
    "method.classes.title": ("Classes.", "多分类。"),
    "method.classes": (
        "One class against the rest; Hand and Till’s M is the mean AUC over pairs of classes.",
        "一类对其余各类；Hand–Till M 是各对类别 AUC 的平均。",
    ),
    # survival
    "method.horizon.title": ("Horizons.", "时间点。"),
    "method.horizon": (
        "At a horizon t, rows with the event by t are cases, rows known to be without it at t are controls, and rows "
        "censored before t are unknown. A case at T weighs 1/G(T−), a control 1/G(t−), where G estimates the chance "
        "of not being censored. The weights sum to the number of rows, and the weighted share of cases is the "
        "Kaplan–Meier estimate. AUC has DeLong’s weighted variance; other intervals allow for the estimation of G.",
        "在时间点 t，到 t 为止发生事件的行为病例，已知在 t 时未发生事件的行为对照，t 之前删失的行未知。在 T 发生事件的"
        "病例权重为 1/G(T−)，对照为 1/G(t−)，G 为未被删失的概率的估计；权重之和等于行数，加权的病例比例等于 "
        "Kaplan–Meier 估计。AUC 用加权的 DeLong 方差；其他区间计入删失估计本身的误差。",
    ),
    "method.concordance.title": ("Concordance.", "一致性。"),
    "method.concordance": (
        "Harrell’s C: of pairs in which one row has its event while the other is still under observation, the share "
        "in which that row has the higher risk; equal risks count half. Interval on the logit scale from the "
        "influence of every row.",
        "Harrell 的 C：一行发生事件时另一行仍在观察中的各对里，该行风险较高的比例；风险相同计一半。区间由每一行的影响"
        "在 logit 尺度上得到。",
    ),
    "method.kaplan_meier.title": ("Observed shares.", "观察到的比例。"),
    "method.kaplan_meier": (
        "The share with the event by a time, of all rows, in bins of probabilities and in groups of risk: "
        "Kaplan–Meier (Aalen–Johansen with competing events), with Greenwood’s error and log-log limits.",
        "到某时间为止发生事件的比例（全部行、概率分箱、风险组）：Kaplan–Meier（有竞争事件时为 Aalen–Johansen），用 "
        "Greenwood 标准误和 log-log 置信限。",
    ),
    "method.brier_over_time.title": ("Brier(t), IPA(t), O/E.", "Brier(t)、IPA(t)、O/E。"),
    "method.brier_over_time": (
        "Brier(t) is the weighted mean squared error of the probabilities by t. IPA(t) is 1 − Brier(t) / (S(t)(1 − "
        "S(t))), the gain over predicting the overall share. O/E is the Kaplan–Meier share over the mean probability "
        "of all rows.",
        "Brier(t) 是到 t 为止的概率的加权均方误差；IPA(t) 为 1 − Brier(t) / (S(t)(1 − S(t)))，即模型相对于总体比例的改"
        "进；O/E 是 Kaplan–Meier 比例与全部行的平均概率之比。",
    ),
}

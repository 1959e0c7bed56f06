"""Metrics at a threshold: name, meaning, and how each is most often misread."""

WORDS = {
    # metrics
    "metric.accuracy": ("Accuracy", "准确率"),
    "metric.meaning.accuracy": (
        "of {base} rows, {value:of_base} are classified correctly",
        "每 {base} 例中判断正确 {value:of_base} 例",
    ),
    "metric.pitfall.accuracy": (
        "at 1% positives, flagging nobody is 99% accurate",
        "阳性占 1% 时，一个也不预警的准确率就有 99%",
    ),
    "metric.error": ("Error rate", "错误率"),
    "metric.meaning.error": (
        "of {base} rows, {value:of_base} are classified wrongly",
        "每 {base} 例中判断错误 {value:of_base} 例",
    ),
    "metric.pitfall.error": (
        "at 1% positives, flagging nobody errs in 1% only",
        "阳性占 1% 时，一个也不预警的错误率只有 1%",
    ),
    "metric.precision": ("PPV (precision)", "阳性预测值（精确率）"),
    "metric.meaning.precision": (
        "of {base} flagged rows, {value:of_base} are positive (PPV)",
        "每 {base} 次预警中 {value:of_base} 例为阳性",
    ),
    "metric.pitfall.precision": (
        "it falls with prevalence: a precision from a study with half positives does not hold in screening",
        "它随患病率下降：阳性占一半的研究所得的精确率，在筛查中并不成立",
    ),
    "metric.npv": ("NPV", "阴性预测值"),
    "metric.meaning.npv": (
        "of {base} rows not flagged, {value:of_base} are negative",
        "每 {base} 个未预警者中 {value:of_base} 个为阴性",
    ),
    "metric.pitfall.npv": (
        "where positives are rare it is high for any model, and 1 - prevalence without one",
        "阳性少见时，任何模型的阴性预测值都很高；不用模型时也有 1 − 患病率",
    ),
    "metric.recall": ("Recall", "灵敏度（召回率）"),
    "metric.meaning.recall": (
        "of {base} positives, {value:of_base} are flagged (sensitivity, TPR)",
        "每 {base} 个阳性中检出 {value:of_base} 个（真阳性率）",
    ),
    "metric.pitfall.recall": (
        "1 is reached by flagging every row: read it beside the false positive rate or the precision",
        "全部预警即可达到 1：须与假阳性率或精确率一起看",
    ),
    "metric.specificity": ("Specificity", "特异度"),
    "metric.meaning.specificity": (
        "of {base} negatives, {value:of_base} are not flagged (TNR)",
        "每 {base} 个阴性中有 {value:of_base} 个不预警（真阴性率）",
    ),
    "metric.pitfall.specificity": (
        "1 is reached by flagging nobody; 0.99 still means one false alarm per 100 negatives, and negatives may be "
        "many",
        "一个也不预警即可达到 1；0.99 仍意味着每 100 个阴性有一次误报，而阴性可能很多",
    ),
    "metric.fpr": ("False positive rate", "假阳性率"),
    "metric.meaning.fpr": (
        "of {base} negatives, {value:of_base} are flagged wrongly",
        "每 {base} 个阴性中误报 {value:of_base} 个",
    ),
    "metric.pitfall.fpr": (
        "a small rate of many negatives is many false alarms: at 1 positive in 1000, an FPR of 1% gives about 10 "
        "false alarms per positive",
        "比率虽小，阴性众多时误报也多：阳性占千分之一时，1% 的假阳性率意味着每个阳性约对应 10 次误报",
    ),
    "metric.fnr": ("Miss rate", "漏检率"),
    "metric.meaning.fnr": (
        "of {base} positives, {value:of_base} are missed",
        "每 {base} 个阳性中漏检 {value:of_base} 个",
    ),
    "metric.pitfall.fnr": (
        "0 of 20 positives missed is compatible with a rate of up to 16%: read its interval",
        "20 个阳性无一漏检，真实漏检率仍可能高达 16%：须看区间",
    ),
    "metric.fdr": ("False discovery rate", "错误发现率"),
    "metric.meaning.fdr": (
        "of {base} flagged rows, {value:of_base} are false alarms",
        "每 {base} 次预警中 {value:of_base} 次为误报",
    ),
    "metric.pitfall.fdr": (
        "not the false positive rate: its base are the alarms, not the negatives; it moves with prevalence",
        "不同于假阳性率：分母是预警数而不是阴性数；它随患病率变化",
    ),
    "metric.false_omission_rate": ("False omission rate", "错误遗漏率"),
    "metric.meaning.false_omission_rate": (
        "of {base} rows not flagged, {value:of_base} are positive",
        "每 {base} 个未预警者中 {value:of_base} 个为阳性",
    ),
    "metric.pitfall.false_omission_rate": (
        "where positives are rare it is small for any model",
        "阳性少见时，任何模型的这一数值都很小",
    ),
    "metric.prevalence": ("Prevalence", "患病率"),
    "metric.meaning.prevalence": (
        "of {base} rows, {value:of_base} are positive",
        "每 {base} 例中 {value:of_base} 例为阳性",
    ),
    "metric.pitfall.prevalence": (
        "in a case-control study it is the study's choice, not the population's",
        "在病例对照研究中，它由研究设计决定，而不是人群的患病率",
    ),
    "metric.predicted_rate": ("Flagged", "预警比例"),
    "metric.meaning.predicted_rate": (
        "of {base} rows, {value:of_base} are flagged",
        "每 {base} 例中预警 {value:of_base} 例",
    ),
    "metric.pitfall.predicted_rate": (
        "equal to the prevalence does not mean that the right rows are flagged",
        "等于患病率并不说明预警的是正确的行",
    ),
    "metric.balanced_accuracy": ("Balanced accuracy", "平衡准确率"),
    "metric.meaning.balanced_accuracy": (
        "mean recall over the classes; with two classes 0.5 is chance",
        "各类召回率的平均；两类时 0.5 为随机",
    ),
    "metric.pitfall.balanced_accuracy": (
        "it weighs one miss like as many false positives as there are negatives per positive: rarely the cost of "
        "anybody",
        "一次漏检相当于（阴性数/阳性数）次误报：很少符合真实的代价",
    ),
    "metric.balanced_error": ("Balanced error rate", "平衡错误率"),
    "metric.meaning.balanced_error": ("1 − balanced accuracy (BER)", "1 − 平衡准确率（BER）"),
    "metric.pitfall.balanced_error": (
        "as balanced accuracy: the weights of misses and false positives follow from prevalence, not from costs",
        "与平衡准确率相同：漏检与误报的权重由患病率而不是由代价决定",
    ),
    "metric.f1": ("F1", "F1 值"),
    "metric.meaning.f1": (
        "harmonic mean of precision and recall; ignores true negatives",
        "精确率与召回率的调和平均；不计真阴性",
    ),
    "metric.pitfall.f1": (
        "it ignores true negatives, moves with prevalence, and weighs precision and recall equally without a reason "
        "from costs",
        "它忽略真阴性，随患病率变化，并且没有代价上的理由就把精确率与召回率同等看待",
    ),
    "metric.jaccard": ("Jaccard index", "Jaccard 指数"),
    "metric.meaning.jaccard": (
        "true positives among all rows flagged or positive (threat score)",
        "真阳性占预警或阳性各行的比例（威胁评分）",
    ),
    "metric.pitfall.jaccard": (
        "it orders models as F1 does at the same rows, and has the same faults",
        "对同一批行，它与 F1 的排序相同，缺点也相同",
    ),
    "metric.fowlkes_mallows": ("Fowlkes–Mallows index", "Fowlkes–Mallows 指数"),
    "metric.meaning.fowlkes_mallows": ("geometric mean of precision and recall", "精确率与召回率的几何平均"),
    "metric.pitfall.fowlkes_mallows": (
        "it ignores true negatives and moves with prevalence",
        "它忽略真阴性，并随患病率变化",
    ),
    "metric.g_mean": ("G-mean", "G 均值"),
    "metric.meaning.g_mean": ("geometric mean of recall and specificity", "灵敏度与特异度的几何平均"),
    "metric.pitfall.g_mean": (
        "0 as soon as one class is never recognised, whatever the other rate is",
        "只要有一类完全未被识别，它就为 0，与另一类的比率无关",
    ),
    "metric.youden": ("Youden’s J", "约登指数"),
    "metric.meaning.youden": (
        "recall + specificity − 1; 0 is chance, 1 perfect",
        "灵敏度 + 特异度 − 1；0 为随机，1 为完美",
    ),
    "metric.pitfall.youden": (
        "as a rule for a threshold it states costs without saying so: a miss costs (negatives per positive) times a "
        "false positive",
        "用它选阈值等于暗中规定了代价：一次漏检相当于（阴性数/阳性数）次误报",
    ),
    "metric.markedness": ("Markedness", "标记度（markedness）"),
    "metric.meaning.markedness": (
        "PPV + NPV − 1; 0 is chance, 1 perfect",
        "阳性预测值 + 阴性预测值 − 1；0 为随机，1 为完美",
    ),
    "metric.pitfall.markedness": ("it moves with prevalence, unlike Youden's index", "与约登指数不同，它随患病率变化"),
    "metric.mcc": ("Matthews correlation", "马修斯相关系数"),
    "metric.meaning.mcc": (
        "correlation of flag and label; 0 is chance, 1 perfect",
        "预警与真实的相关；0 为随机，1 为完美",
    ),
    "metric.pitfall.mcc": (
        "it moves with prevalence: at the same sensitivity and specificity it is lower where positives are rare",
        "它随患病率变化：灵敏度与特异度相同时，阳性越少见它越低",
    ),
    "metric.kappa": ("Cohen’s kappa", "Cohen Kappa 系数"),
    "metric.meaning.kappa": ("agreement beyond chance; 0 is chance, 1 perfect", "超出随机的一致性；0 为随机，1 为完美"),
    "metric.pitfall.kappa": (
        "it moves with prevalence, and chance agreement depends on how many rows are flagged",
        "它随患病率变化，而随机一致性取决于预警的行数",
    ),
    "metric.lr_positive": ("Positive likelihood ratio (LR+)", "阳性似然比（LR+）"),
    "metric.meaning.lr_positive": (
        "a flag multiplies the odds of being positive by this",
        "预警时，患病的几率乘以该值",
    ),
    "metric.pitfall.lr_positive": (
        "infinite where no negative is flagged: read its interval; it multiplies odds, not probabilities",
        "没有误报时为无穷大：须看区间；它乘的是几率，不是概率",
    ),
    "metric.lr_negative": ("Negative likelihood ratio (LR−)", "阴性似然比（LR−）"),
    "metric.meaning.lr_negative": (
        "the lack of a flag multiplies the odds of being positive by this",
        "未预警时，患病的几率乘以该值",
    ),
    "metric.pitfall.lr_negative": ("it multiplies odds, not probabilities", "它乘的是几率，不是概率"),
    "metric.diagnostic_odds_ratio": ("Diagnostic odds ratio", "诊断比值比"),
    "metric.meaning.diagnostic_odds_ratio": (
        "odds of a flag among positives over those among negatives",
        "阳性中预警的几率与阴性中预警的几率之比",
    ),
    "metric.pitfall.diagnostic_odds_ratio": (
        "very different pairs of sensitivity and specificity have the same value; infinite where a cell is 0",
        "灵敏度与特异度的组合相差很大时，它也可能相同；有一格为 0 时为无穷大",
    ),
    "metric.lift": ("Lift", "提升度"),
    "metric.meaning.lift": (
        "flagged rows are this many times as rich in positives as all rows",
        "预警的行中阳性的比例是全部行的多少倍",
    ),
    "metric.pitfall.lift": (
        "it cannot exceed 1/prevalence, so values of different prevalence cannot be compared",
        "它不会超过 1/患病率，因此患病率不同时不能相互比较",
    ),
    "metric.number_needed_to_evaluate": ("Number needed to evaluate", "每检出一例需核查的例数"),
    "metric.meaning.number_needed_to_evaluate": (
        "flagged rows to look at for one true positive",
        "每得到一个真阳性需要核查的预警数",
    ),
    "metric.pitfall.number_needed_to_evaluate": (
        "it moves with prevalence; infinite where no flagged row is positive",
        "它随患病率变化；预警的行中没有阳性时为无穷大",
    ),
    # numbers that are no registered metric
    "metric.f_beta": ("F score", "F 值"),
    "metric.net_benefit": ("Net benefit", "净获益"),
    "metric.expected_cost": ("Expected cost", "期望代价"),
    "metric.mean_error": ("Mean error", "平均错误率"),
    "metric.distance": ("Distance to the perfect corner", "到左上角的距离"),
}

"""Censored outcomes: horizons, concordance and what happens over time."""

WORDS = {
    # survival
    "note.at_horizon": (
        "rows by {at}: {cases:count} with the event, {controls:count} without, {unknown:count} unknown, represented "
        "by the known ones with inverse-probability weights",
        "到时间 {at} 为止，{cases:count} 行发生了事件，{controls:count} 行未发生，{unknown:count} 行结局未知，由结局已"
        "知的各行按逆概率权重代表",
    ),
    "note.at_horizon_known": (
        "rows by {at}: {cases:count} with the event, {controls:count} without; none was censored earlier",
        "到时间 {at} 为止，{cases:count} 行发生了事件，{controls:count} 行未发生；此前没有删失",
    ),
    "note.horizon_other_sample": (
        "censoring was estimated from another sample and is treated as known: weights need not sum to the number of "
        "rows, and the weighted share of events is not the Kaplan–Meier estimate",
        "删失由另一样本估计，并视为已知：权重之和不必等于行数，加权的事件比例也不是 Kaplan–Meier 估计",
    ),
    "note.horizon_rarely_followed": (
        "only {share:share} of the rows would be followed up to {at}, so a few rows represent many",
        "预计只有 {share:share} 的行能随访到 {at}：少数随访到的行代表了许多行",
    ),
    "note.horizon_heavy": (
        "one row represents up to {weight:short} rows; known rows carry the information of {rows:count} of equal "
        "weight",
        "一行最多代表 {weight:short} 行；结局已知的各行所含信息相当于 {rows:count} 个等权的行",
    ),
    "note.horizon_few_cases": (
        "only {count:count} {count:one|row|rows} had the event by {at}: no interval is reliable",
        "到 {at} 为止只有 {count:count} 行发生了事件：任何区间都不可靠",
    ),
    "note.horizon_few_controls": (
        "only {count:count} {count:one|row is|rows are} known to be without the event at {at}: no interval is reliable",
        "在 {at} 时只有 {count:count} 行已知未发生事件：任何区间都不可靠",
    ),
    "note.horizon_equal_scores": (
        "all scores of {model} are equal: it ranks nothing, and its areas are at chance level",
        "{model} 的所有分数都相等：它没有区分能力，各面积等于随机水平",
    ),
    "note.groups_all_unknown": (
        "groups of {column} with no known outcome at the horizon, left out: {groups:names}",
        "{column} 中以下各组没有一行的结局已知，未列出：{groups:names}",
    ),
    "note.calibration_at_horizon": (
        "O/E is the Kaplan–Meier share over the mean probability of all rows; ICI, E50 and E90 average over all rows. "
        "Slope, intercept, calibration in the large and the binned errors come from the known rows with "
        "inverse-probability weights. The errors expected of calibrated probabilities are not simulated",
        "O/E 为 Kaplan–Meier 比例与所有行平均概率之比；ICI、E50 和 E90 对所有行取平均。斜率、截距、总体校准和分箱误差"
        "来自结局已知的各行，并作逆概率加权。不模拟概率校准时的误差",
    ),
    "note.reliability_at_horizon": (
        "the curve uses the known rows, with inverse-probability weights",
        "曲线由结局已知的各行按逆概率权重得到",
    ),
    "note.reliability_in_bins_at_horizon": (
        "bins contain all rows; the share in each is the Kaplan–Meier estimate, with log-log limits",
        "各箱包含所有行，箱内比例用 Kaplan–Meier 估计，置信限取自 log-log 尺度",
    ),
    "note.survival_probabilities": (
        "the mean probability is {mean:share}, and {share:share} had the event: are these survival probabilities? The "
        "risk is 1 − S",
        "平均概率为 {mean:share}，而发生事件的比例为 {share:share}：这些是生存概率吗？风险应为 1 − S",
    ),
    "note.expected_forgotten": (
        "the probabilities of all rows, also unknown ones, are missing here",
        "这里缺少所有行（包括结局未知的行）的概率",
    ),
    "note.survival_time_is_binary": (
        "time is only ever 0 or 1: are time and event swapped?",
        "时间只有 0 和 1：时间与事件两列是否写反了？",
    ),
    "note.survival_censored_code": (
        "no row has code 0, so {censored} is read as censored and {cause} as the event",
        "没有编码为 0 的行，因此把 {censored} 读作删失，把 {cause} 读作事件",
    ),
    "note.survival_few_events": (
        "only {events:count} {events:one|event|events}: no interval is reliable",
        "仅 {events:count} 个事件：任何区间都不可靠",
    ),
    "note.survival_few_censored": (
        "only {censored:count} censored {censored:one|row|rows}: no interval is reliable",
        "仅 {censored:count} 行被删失：任何区间都不可靠",
    ),
    "note.survival_none_censored": ("no row was censored", "没有任何行被删失"),
    "note.survival_separated": (
        "all comparable pairs are in one order: the interval is a bound",
        "所有可比较的对次序都相同：区间只是一个界限",
    ),
    "note.survival_equal_scores": (
        "all scores are equal and carry no information: concordance is exactly 1/2",
        "所有分数都相同，因此分数不提供任何信息：一致性恰为 1/2",
    ),
    "note.survival_wrong_way": (
        "the score ranks in the wrong direction: the 95% interval ends at {high:area}, below 1/2. If a higher score "
        "means a later event, pass higher_is='negative'",
        "分数的排序方向相反：95% 区间的上端为 {high:area}，低于 1/2。如果分数越高表示事件发生越晚，请传入 "
        "higher_is='negative'",
    ),
    "note.survival_until": (
        "until was not given: events up to the last one, at {until:amount}, are counted",
        "没有给出 until：计入直到最后一个事件（{until:amount}）为止的事件",
    ),
    "note.survival_low_g": (
        "an estimated {g:share} are uncensored at {until:amount}, so few rows weigh much; an earlier until is more "
        "reliable",
        "估计到 {until:amount} 时只有 {g:share} 未被删失，因此少数行的权重很大；取较早的 until 更可靠",
    ),
    "note.survival_sample_ends": (
        "the censoring sample ends at {end:amount}, before {until:amount}",
        "删失样本止于 {end:amount}，早于 {until:amount}",
    ),
    "note.survival_no_event": ("0 of {rows:count} rows had the event", "{rows:count} 行中有 0 行发生事件"),
    "note.survival_no_event_by": (
        "no event by {until:amount}; the first is at {first:amount}",
        "到 {until:amount} 为止没有事件；首个在 {first:amount}",
    ),
    "note.survival_no_pair": ("no row was observed beyond another row’s event", "没有行在另一行的事件之后仍受观察"),
    "note.survival_close_times": (
        "{gaps:count} neighbouring times differ only by rounding errors, the first at {first:amount}; times are "
        "compared exactly, so round them if they mean the same (R's survival treats times within 1.5e-8 as equal)",
        "有 {gaps:count} 处相邻时间只相差舍入误差，第一处在 {first:amount}；时间按精确值比较，如果它们本应相同，请先取"
        "整（R 的 survival 把相差不超过 1.5e-8 的时间视为相等）",
    ),
    "note.survival_undefined": (
        "{metric} of {model} at {at} is undefined: {why}",
        "{model} 在 {at} 的{metric}无定义：{why}",
    ),
    "note.survival_no_concordance": ("there is no concordance: {why}", "没有一致性：{why}"),
    "note.survival_ranked_by": (
        "{model} has no risk score: concordance ranks by its predicted risk at {at}",
        "{model} 没有风险评分：一致性按其在 {at} 的预测风险排序",
    ),
    "note.survival_competing": (
        "concordance excludes competing risks; use horizons",
        "一致性不支持竞争风险；请用时间点",
    ),
    "note.survival_assumes": (
        "numbers at horizons assume that censoring depends neither on the event nor on the score; the concordance of "
        "each score with censoring times checks the latter (1/2 if independent)",
        "各时间点的数值假定删失既不依赖于事件也不依赖于分数；后者由每个分数与删失时间的一致性检验，不依赖时为 1/2",
    ),
    "note.survival_pointwise": ("limits are pointwise, not simultaneous", "置信限对每个时间单独成立，并非同时成立"),
    "note.survival_times_left_out": (
        "{left_out:count} of {times:count} times are left out because the number is undefined: {why}",
        "{times:count} 个时间中有 {left_out:count} 个被略去，因为该处数值无定义：{why}",
    ),
    "note.survival_fewer_groups": (
        "{groups:count} groups instead of {wanted:count}: rows with equal scores stay together",
        "只有 {groups:count} 组，而非 {wanted:count} 组：分数相同的行留在同一组",
    ),
    "note.survival_mean_over_time": (
        "a mean over time depends on its times and on the rule; compare means only over the same times",
        "对时间的平均取决于所取的时间和规则；只应比较相同时间上的平均值",
    ),
    "note.survival_summary_alone": ("it summarises a table, without interval or test", "它只是表格的概括，不作检验"),
    "note.d_calibration_censored": (
        "{share:share} of the rows were censored and vary less. The p-value allows for it, so it is not that of "
        "chi-square with one degree of freedom fewer than bins",
        "{share:share} 的行被删失，其变异较小。P 值已考虑这一点，因此不等于自由度为箱数减一的 χ² 的 P 值",
    ),
    "note.d_calibration_few": (
        "only {expected:short} rows expected per bin: p is unreliable",
        "每箱的期望行数只有 {expected:short}：P 值不可靠",
    ),
    "note.survival_censoring_follows": (
        "censoring depends on the score: the concordance of the score with censoring times is {value:area} (interval "
        "{ends:area_ends}; 1/2 if independent). Numbers weighted by censoring may be biased; the censoring option "
        "by-score reduces this",
        "删失与分数有关：分数与删失时间的一致性为 {value:area}（区间 {ends:area_ends}；1/2 表示无关）。按删失加权的数"
        "值可能有偏；censoring 选项 by-score 可减小这一偏差",
    ),
    "section.over_time": ("Over time", "随时间的表现"),
    "page.positive_by": ("positive: had the event ({event}) by {at}", "阳性：到 {at} 为止发生了事件（{event}）"),
    "note.evaluated_horizon": (
        "{rows:count} rows; by {at}, {positives:count} had the event, {negatives:count} did not, {unknown:count} "
        "unknown ({prevalence:level} had it, by Kaplan–Meier)",
        "{rows:count} 行；到 {at} 为止，{positives:count} 行发生了事件，{negatives:count} 行未发生，{unknown:count} 行"
        "未知（Kaplan–Meier 估计发生比例 {prevalence:level}）",
    ),
    "note.survival_said": ("{said}", "{said}"),
    "note.horizon_score_is_probability": (
        "the scores lie between 0 and 1 and are read as probabilities of the event by {at}",
        "分数在 0 与 1 之间，视为到 {at} 为止发生事件的概率",
    ),
    "note.over_time_concordance": (
        "{model}: of two rows, the one with the higher risk has its event first in {value:share} of comparable pairs "
        "(concordance {value:area}, {level:level} interval {ends:area_ends}; 0.5 is chance).",
        "{model}：可比较的两行中，风险较高者先发生事件的占 {value:share}（一致性 {value:area}，{level:level} 置信区间 "
        "{ends:area_ends}；0.5 为随机）。",
    ),
    "note.over_time_value": (
        "{model}: of two rows, the one with the higher risk has its event first in {value:share} of comparable pairs "
        "(concordance {value:area}; 0.5 is chance).",
        "{model}：可比较的两行中，风险较高者先发生事件的占 {value:share}（一致性 {value:area}；0.5 为随机）。",
    ),
    "note.over_time_undefined": ("{model}: concordance is undefined: {why}.", "{model}：一致性无定义：{why}。"),
    "over_time.lead": (
        "The rest of the page is about one horizon, {at}: rows that had the event by then are positive. This section "
        "is about all horizons. Rows censored before a horizon are unknown there; the known rows represent them by "
        "weights. Counts are rows.",
        "本页其余部分针对一个时间点 {at}：到此为止发生了事件的行为阳性。本节针对所有时间点。在某时间点之前删失的行，其"
        "结局在该时间点未知，由已知的行按权重代表。计数均为行数。",
    ),
    "over_time.follow_up": ("Follow-up, and what is unknown", "随访与未知的结局"),
    "over_time.followed": (
        "{rows:count} rows, {events:count} events, {censored:count} censored. Median follow-up {median} (reverse "
        "Kaplan–Meier), longest {longest:amount}.",
        "{rows:count} 行，{events:count} 个事件，{censored:count} 行删失。中位随访时间 {median}（反向 Kaplan–Meier），"
        "最长 {longest:amount}。",
    ),
    "over_time.competing": ("{competing:count} rows had a competing event.", "{competing:count} 行发生了竞争事件。"),
    "over_time.not_reached": ("not reached", "未达到"),
    "over_time.known": ("What is known at each horizon", "各时间点的已知情况"),
    "over_time.ranking": ("Ranking, and probabilities", "区分能力与概率"),
    "over_time.concordance": ("Concordance ({level:level} intervals)", "一致性（{level:level} 置信区间）"),
    "over_time.horizons": ("At each horizon ({level:level} intervals)", "各时间点（{level:level} 置信区间）"),
    "over_time.roc_auc": ("AUC(t)", "AUC(t)"),
    "over_time.brier_skill": ("IPA(t)", "IPA(t)"),
    "over_time.brier_loss": ("Brier(t)", "Brier(t)"),
    "over_time.observed_expected": ("O/E", "O/E"),
    "over_time.no_probabilities": (
        "No model gives probabilities at a horizon, so there is no Brier score, no IPA and no calibration here.",
        "没有模型给出某时间点的概率，因此这里没有 Brier 评分、IPA 和校准。",
    ),
    "over_time.calibration": ("Calibration at each horizon", "各时间点的校准"),
    "over_time.at": ("{title} at {at}", "{title}（时间 {at}）"),
    "over_time.by": ("Had the event by {at}", "到 {at} 为止发生事件"),
    "over_time.risk_groups": ("Outcomes by risk group", "各风险组的结局"),
    "over_time.pointwise": ("Bands are pointwise, not simultaneous.", "置信带对每个时间单独成立，并非同时成立。"),
    "over_time.assumption": ("Assumptions", "以上结果的假定"),
    "over_time.assumed": (
        "All numbers at horizons assume that censoring depends neither on when the event happens nor on the score. "
        "These data cannot show the first. The concordance of each score with censoring times checks the second: it "
        "is near 0.5 if they are independent.",
        "各时间点的所有数值都假定删失既不依赖于事件发生的时间，也不依赖于分数。前者无法由这些数据看出；后者由每个分数"
        "与删失时间的一致性检验，两者独立时接近 0.5。",
    ),
    "over_time.made": ("How these numbers are made", "这些数值如何得到"),
    "over_time.made.time": ("Column of times", "时间列"),
    "over_time.made.event": ("Column of events", "事件列"),
    "over_time.made.cause": ("Code of the event", "事件编码"),
    "over_time.made.horizons": ("Horizons", "时间点"),
    "over_time.made.main_horizon": ("Horizon of the rest of the page", "本页其余部分的时间点"),
    "over_time.made.ties": ("Rule of ties", "相同时间的规则"),
    "over_time.made.censoring": ("Estimate of censoring G", "删失的估计 G"),
    "over_time.made.controls": ("Competing events", "竞争事件"),
    "over_time.ties": (
        "At equal times, events come first: a row censored at the horizon is known to be without the event.",
        "同一时间上事件先于删失：恰在该时间点删失的行已知未发生事件。",
    ),
    "over_time.censoring.rows": (
        "one Kaplan–Meier estimate from these data; a case weighs 1/G(T−), a control 1/G(t−)",
        "由这些数据得到的一个 Kaplan–Meier 估计；病例的权重为 1/G(T−)，对照为 1/G(t−)",
    ),
    "over_time.censoring.by-score": (
        "a Kaplan–Meier estimate in each tenth of the score; a case weighs 1/G(T−), a control 1/G(t−)",
        "按分数的十分位分别作 Kaplan–Meier 估计；病例的权重为 1/G(T−)，对照为 1/G(t−)",
    ),
    "over_time.controls.all": ("rows with a competing event by then are controls", "到该时间点有竞争事件的行视为对照"),
    "over_time.controls.event-free": (
        "rows with a competing event by a horizon are left out at that horizon",
        "到该时间点有竞争事件的行不计入",
    ),
    "column.horizon": ("Horizon", "时间点"),
    "column.time": ("Time", "时间"),
    "column.cases": ("Had the event", "发生事件"),
    "column.controls": ("Did not", "未发生"),
    "column.unknown": ("Unknown", "未知"),
    "column.competing": ("Competing event", "竞争事件"),
    "column.observed_by_then": ("Share with the event", "发生事件的比例"),
    "column.censoring_left": ("Not censored before, G(t−)", "此前未删失，G(t−)"),
    "column.largest_weight": ("Largest weight", "最大权重"),
    "column.effective_rows": ("Effective rows", "有效行数"),
    "column.concordance": ("Concordance", "一致性"),
    "column.comparable": ("Comparable pairs", "可比较的配对数"),
    "column.with_censoring": ("With times of censoring", "与删失时间的一致性"),
    "column.mean_probability": ("Mean probability", "平均概率"),
    "column.risk_group": ("Risk group, lowest first", "风险组（由低到高）"),
    "column.scores": ("Scores", "分数"),
    "column.events": ("Events", "事件"),
    "explorer.matrix.shares": (
        "Large: estimated shares of all rows. Small: cases at the stated prevalence.",
        "大字：占全部行的估计比例。小字：所设患病率下的例数。",
    ),
    "groups.rows_at_horizon": (
        "{n:count} rows, {positives:count} positive, {unknown:count} unknown",
        "{n:count} 例，阳性 {positives:count} 例，未知 {unknown:count} 例",
    ),
    "data.by_then": ("{count:count} by {at}", "{count:count}（到 {at} 为止）"),
    "data.controls": ("Did not have the event", "未发生事件"),
    "data.unknown": ("Unknown: censored before", "未知：此前删失"),
    "data.observed": ("Share with the event, by Kaplan–Meier", "发生事件的比例（Kaplan–Meier）"),
    "data.weighted_outcomes": ("yes ({column}); numbers of rows are unweighted", "是（{column}）；行数未加权"),
    # texts that another key has
    "note.survival_of_model": "note.of_model",
}

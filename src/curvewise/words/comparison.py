"""How well models rank, and which is better."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.better_of_two": ("{model} is better.", "{model} 更优。"),
    "note.better_unknown": (
        "Undecided: these data do not show which of {models:names} is better.",
        "尚无定论：根据现有数据尚不能判断 {models:names} 孰优。",
    ),
    "note.better_depends": (
        "It depends on the use: {models:names} are each better in one way.",
        "取决于用途：{models:names} 各有所长。",
    ),
    "note.pair_better_area": (
        "By {metric}, {first} is better than {second}: {first_value:area} against {second_value:area} (difference "
        "{difference:area}, {ends}; {p}).",
        "按{metric}比较，{first}（{first_value:area}）优于 {second}（{second_value:area}）（差值 {difference:area}，"
        "{ends}；{p}）。",
    ),
    "note.pair_same_area": (
        "By {metric}, these data do not separate {first} and {second}: {first_value:area} against {second_value:area} "
        "(difference {difference:area}, {ends}; {p}).",
        "按{metric}比较，尚不能判断 {first}（{first_value:area}）与 {second}（{second_value:area}）孰优（差值 "
        "{difference:area}，{ends}；{p}）。",
    ),
    "note.pair_better_cost": (
        "{first} costs less per case than {second}: {first_value:cost} against {second_value:cost} (difference "
        "{difference:cost}, {ends}; {p}), each at its own cheapest threshold.",
        "{first} 每例代价（{first_value:cost}）低于 {second}（{second_value:cost}）（差值 {difference:cost}，{ends}；"
        "{p}），均取各自代价最低的阈值。",
    ),
    "note.pair_same_cost": (
        "By cost, these data do not separate {first} and {second}: {first_value:cost} against {second_value:cost} per "
        "case (difference {difference:cost}, {ends}; {p}), each at its own cheapest threshold.",
        "按每例代价比较，尚不能判断 {first}（{first_value:cost}）与 {second}（{second_value:cost}）孰优（差值 "
        "{difference:cost}，{ends}；{p}），均取各自代价最低的阈值。",
    ),
    "note.ends_area": (
        "{level:level} interval {low:area} to {high:area}",
        "{level:level} 置信区间 {low:area}～{high:area}",
    ),
    "note.ends_area_all": (
        "{level:level} interval for all {tests:count} comparisons together {low:area} to {high:area}",
        "对全部 {tests:count} 项比较同时成立的 {level:level} 置信区间 {low:area}～{high:area}",
    ),
    "note.ends_cost": (
        "{level:level} interval {low:cost} to {high:cost}",
        "{level:level} 置信区间 {low:cost}～{high:cost}",
    ),
    "note.ends_cost_all": (
        "{level:level} interval for all {tests:count} comparisons together {low:cost} to {high:cost}",
        "对全部 {tests:count} 项比较同时成立的 {level:level} 置信区间 {low:cost}～{high:cost}",
    ),
    "note.p_plain": ("p\u00a0{p:relation}", "P\u00a0{p:relation}"),
    "note.p_of_tests": (
        "p\u00a0{p:relation}, corrected for {tests:count} comparisons",
        "P\u00a0{p:relation}，已对 {tests:count} 项比较作校正",
    ),
    "note.leads_all_area": (
        "By {metric}, {model} leads with {value:area}, clearly ahead of {clear:names}.",
        "按{metric}比较，{model}（{value:area}）最高，明显高于 {clear:names}。",
    ),
    "note.leads_some_area": (
        "By {metric}, {model} leads with {value:area}, clearly ahead of {clear:names}; these data do not separate it "
        "from {alike:names}.",
        "按{metric}比较，{model}（{value:area}）最高，明显高于 {clear:names}；与 {alike:names} 孰优尚不能判断。",
    ),
    "note.leads_none_area": (
        "By {metric}, {model} leads with {value:area}, but these data do not separate it from {alike:names}.",
        "按{metric}比较，{model}（{value:area}）最高，但与 {alike:names} 孰优尚不能判断。",
    ),
    "note.leads_all_cost": (
        "{model} costs least, {value:cost} per case at its own cheapest threshold, clearly less than {clear:names}.",
        "{model} 代价最低：在自身代价最低的阈值下每例 {value:cost}，明显低于 {clear:names}。",
    ),
    "note.leads_some_cost": (
        "{model} costs least, {value:cost} per case at its own cheapest threshold, clearly less than {clear:names}; "
        "these data do not separate it from {alike:names}.",
        "{model} 代价最低：在自身最低代价的阈值下每例 {value:cost}，明显低于 {clear:names}；与 {alike:names} 尚难分先"
        "后。",
    ),
    "note.leads_none_cost": (
        "{model} costs least, {value:cost} per case at its own cheapest threshold, but these data do not separate it "
        "from {alike:names}.",
        "{model} 代价最低：在自身代价最低的阈值下每例 {value:cost}，但与 {alike:names} 孰优尚不能判断。",
    ),
    "note.top_decides": (
        "AUC weighs all false positive rates alike; average precision weighs the highest scores, which raise the "
        "alarms when positives are rare ({prevalence:share} here). {model} is ahead there.",
        "AUC 对所有假阳性率同等加权，平均精确率侧重高分段；阳性少见时（此处为 {prevalence:share}），预警正是从这里发出"
        "的。{model} 在这一部分领先。",
    ),
    "note.whole_decides": (
        "AUC weighs all false positive rates alike; average precision weighs the highest scores. {model} is ahead "
        "over all thresholds, but not clearly among the highest scores.",
        "AUC 对所有假阳性率同等加权，平均精确率侧重高分段。{model} 在全部阈值上领先，但在高分段并不明显。",
    ),
    "note.areas_disagree": (
        "AUC weighs all false positive rates alike; average precision weighs the highest scores. The curves cross, so "
        "the better model depends on how many rows can be flagged. State costs, or a limit on false positives.",
        "AUC 对所有假阳性率同等加权，平均精确率侧重高分段。两条曲线相交，孰优取决于能预警多少例：请设定代价，或设定假"
        "阳性率的上限。",
    ),
    "note.areas_against_cost": (
        "By {metrics:names}, {models:names} would look better than {model}, but these average over thresholds that "
        "the stated costs never use.",
        "若按{metrics:names}比较，{models:names} 似乎优于 {model}，但它平均了所设代价用不到的阈值。",
    ),
    "note.areas_against_range": (
        "By {metrics:names}, {models:names} would look better than {model}, but these count false positive rates "
        "beyond the limit.",
        "若按{metrics:names}比较，{models:names} 似乎优于 {model}，但它包含了超出上限的假阳性率。",
    ),
    "note.picked": (
        "{model} was picked from {models:count} models on these data, so its result is too good: if all were equally "
        "good, the best would look better by about {amounts:names}.",
        "{model} 是用这些数据从 {models:count} 个模型中选出的，结果偏乐观：若各模型同样好，其中最好者平均高估"
        "{amounts:names}。",
    ),
    "note.picked_with_ends": (
        "{model} was picked from {models:count} models on these data, so its result is too good: if all were equally "
        "good, the best would look better by about {amounts:names}. {level:level} intervals that allow for the "
        "choice: {ends:names}.",
        "{model} 是用这些数据从 {models:count} 个模型中选出的，结果偏乐观：若各模型同样好，其中最好者平均高估"
        "{amounts:names}。计入这一选择后的 {level:level} 置信区间：{ends:names}。",
    ),
    "note.selection_bias_area": ("{amount:area} of {metric}", "约 {amount:area}（按{metric}计）"),
    "note.selection_bias_cost": ("{amount:cost} per case", "约每例 {amount:cost}"),
    "note.picked_ends": ("{metric} {ends:area_ends}", "{ends:area_ends}（按{metric}计）"),
    "note.partial_auc_up_to": ("partial AUC (false positive rate ≤ {fpr:share})", "部分 AUC（假阳性率 ≤ {fpr:share}）"),
    "note.ranks_better": (
        "{model} ranks better than chance: AUC {value:area}, {level:level} interval {low:area} to {high:area} (0.5 is "
        "chance, 1 perfect).",
        "{model} 的区分能力优于随机：AUC 为 {value:area}，{level:level} 置信区间 {low:area}～{high:area}（0.5 为随机，"
        "1 为完美）。",
    ),
    "note.ranks_unclear": (
        "These data do not show that {model} ranks better than chance: AUC {value:area}, and the {level:level} "
        "interval {low:area} to {high:area} includes 0.5.",
        "这些数据不足以说明 {model} 的区分能力优于随机：AUC 为 {value:area}，{level:level} 置信区间 {low:area}～"
        "{high:area} 包含 0.5。",
    ),
    "note.ranks_worse": (
        "{model} ranks worse than chance: AUC {value:area}, {level:level} interval {low:area} to {high:area}. Are the "
        "scores or the labels reversed?",
        "{model} 的区分能力比随机差：AUC 为 {value:area}，{level:level} 置信区间 {low:area}～{high:area}。分数或标签的"
        "方向是否弄反了？",
    ),
    "note.all_rank_better": (
        "All {models:count} models rank better than chance (AUC {low:area} to {high:area}, each interval above 0.5).",
        "全部 {models:count} 个模型的区分能力均优于随机（AUC {low:area}～{high:area}，各置信区间均高于 0.5）。",
    ),
    "note.more_without_skill": (
        "Nor is it shown for {more:count} more {more:one|model|models}.",
        "另有 {more:count} 个模型同样如此。",
    ),
    "note.no_skill": (
        "AUC is {auc:area} and its interval includes 0.5: these data do not relate the score to the label.",
        "AUC 为 {auc:area}，其置信区间包含 0.5：这些数据不足以说明该分数与标签有关。",
    ),
    "note.looks_like_id": (
        "Nearly every row has its own score, and AUC is {auc:area}, no better than chance. Is this column an "
        "identifier or a row number?",
        "几乎每一行的分数都不相同，而 AUC 为 {auc:area}，并不优于随机。这一列是否为编号或行号？",
    ),
    # ranking
    "ranking.lead": (
        "A good model scores positives higher than negatives. No threshold is chosen yet.",
        "好模型给阳性的分数高于阴性。此处不涉及阈值。",
    ),
    "ranking.table": ("How well the scores rank ({level:level} intervals)", "分数的区分能力（{level:level} 置信区间）"),
    "ranking.spread": ("Scores by class", "各类别的分数分布"),
    "ranking.more": ("More curves", "更多曲线"),
    # comparison
    "comparison.table": (
        "Differences in {metric}, first minus second ({level:level} intervals)",
        "{metric}之差，前者减后者（{level:level} 置信区间）",
    ),
    "comparison.all": (
        "Test that all models are equal: chi-square {chi:cost} on {degrees:count} degrees of freedom, "
        "p\u00a0{p:relation}.",
        "检验所有模型相同：χ² = {chi:cost}，自由度 {degrees:count}，P\u00a0{p:relation}。",
    ),
    "comparison.how": (
        "All models have the same rows: the test is paired ({method}). Do not compare models on their training data.",
        "各模型使用相同的数据，因此为配对检验。方法：{method}。不可用训练数据做此检验。",
    ),
    "way.delong": ("score test with DeLong’s variance", "采用 DeLong 方差的得分检验"),
    "way.percentile": ("bootstrap, percentile", "自助法（百分位数）"),
    "way.basic": ("bootstrap, basic", "自助法（基本）"),
    "way.bca": ("bootstrap, BCa", "自助法（BCa）"),
    "way.score": ("score interval", "得分区间"),
    "way.log": ("on the log scale", "对数尺度"),
    "way.log-complement": ("on the log scale of 1 minus the value", "与 1 之差的对数尺度"),
    "way.beta": ("Beta distributions", "Beta 分布"),
    "way.jeffreys": ("Jeffreys", "Jeffreys"),
    "way.influence": ("influence of each row", "各行的影响函数"),
    "way.bootstrap": ("paired bootstrap", "配对自助法"),
    "way.paired-costs": ("differences of cost, row by row", "逐例代价之差（配对）"),
}

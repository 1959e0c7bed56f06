"""How well models rank, and which is better."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.better_of_two": ("{model} is better.", "{model} 更好。"),
    "note.better_unknown": (
        "Not decided: these rows do not show which is better of {models:names}.",
        "尚无定论：这些数据分不出 {models:names} 的优劣。",
    ),
    "note.better_depends": (
        "It depends on the use: {models:names} are each better in one way.",
        "取决于用途：{models:names} 各有所长。",
    ),
    "note.pair_better_area": (
        "By {metric}, {first} is better than {second}: {first_value:area} against {second_value:area} (difference "
        "{difference:area}, {ends}; {p}).",
        "就{metric}而言，{first} 优于 {second}：{first_value:area} 对 {second_value:area}（差值 {difference:area}，"
        "{ends}；{p}）。",
    ),
    "note.pair_same_area": (
        "By {metric}, {first} and {second} cannot be told apart: {first_value:area} against {second_value:area} "
        "(difference {difference:area}, {ends}; {p}).",
        "就{metric}而言，分不出 {first} 与 {second} 的优劣：{first_value:area} 对 {second_value:area}（差值 "
        "{difference:area}，{ends}；{p}）。",
    ),
    "note.pair_better_cost": (
        "{first} costs less per case than {second}: {first_value:cost} against {second_value:cost} (difference "
        "{difference:cost}, {ends}; {p}), each at its own cheapest threshold.",
        "{first} 的平均每例代价低于 {second}：{first_value:cost} 对 {second_value:cost}（差值 {difference:cost}，"
        "{ends}；{p}），各取自身代价最低的阈值。",
    ),
    "note.pair_same_cost": (
        "By cost, {first} and {second} cannot be told apart: {first_value:cost} against {second_value:cost} per case "
        "(difference {difference:cost}, {ends}; {p}), each at its own cheapest threshold.",
        "就代价而言，分不出 {first} 与 {second} 的优劣：平均每例 {first_value:cost} 对 {second_value:cost}（差值 "
        "{difference:cost}，{ends}；{p}），各取自身代价最低的阈值。",
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
        "P\u00a0{p:relation}，已按 {tests:count} 项比较校正",
    ),
    "note.leads_all_area": (
        "By {metric}, {model} leads with {value:area}, clearly ahead of {clear:names}.",
        "就{metric}而言，{model} 最高，为 {value:area}，明显高于 {clear:names}。",
    ),
    "note.leads_some_area": (
        "By {metric}, {model} leads with {value:area}, clearly ahead of {clear:names}, but not told apart from "
        "{alike:names}.",
        "就{metric}而言，{model} 最高，为 {value:area}，明显高于 {clear:names}，但与 {alike:names} 分不出优劣。",
    ),
    "note.leads_none_area": (
        "By {metric}, {model} leads with {value:area}, but is not told apart from {alike:names}.",
        "就{metric}而言，{model} 最高，为 {value:area}，但与 {alike:names} 分不出优劣。",
    ),
    "note.leads_all_cost": (
        "{model} costs least, {value:cost} per case at its own cheapest threshold, clearly less than {clear:names}.",
        "{model} 的代价最低：在自身代价最低的阈值下平均每例 {value:cost}，明显低于 {clear:names}。",
    ),
    "note.leads_some_cost": (
        "{model} costs least, {value:cost} per case at its own cheapest threshold, clearly less than {clear:names}, "
        "but not told apart from {alike:names}.",
        "{model} 的代价最低：在自身代价最低的阈值下平均每例 {value:cost}，明显低于 {clear:names}，但与 {alike:names} "
        "分不出优劣。",
    ),
    "note.leads_none_cost": (
        "{model} costs least, {value:cost} per case at its own cheapest threshold, but is not told apart from "
        "{alike:names}.",
        "{model} 的代价最低：在自身代价最低的阈值下平均每例 {value:cost}，但与 {alike:names} 分不出优劣。",
    ),
    "note.top_decides": (
        "AUC weighs all false positive rates alike; average precision looks at the highest scores, where alarms are "
        "raised when positives are rare ({prevalence:share} here). {model} is ahead there.",
        "AUC 对所有假阳性率同等加权，平均精确率侧重高分段；阳性少见时（此处为 {prevalence:share}），预警正是从这里发出"
        "的。{model} 在这一部分领先。",
    ),
    "note.whole_decides": (
        "AUC weighs all false positive rates alike; average precision looks at the highest scores. {model} is ahead "
        "over all thresholds, not clearly among the highest scores.",
        "AUC 对所有假阳性率同等加权，平均精确率侧重高分段。{model} 在全部阈值上领先，在分数最高的部分并不明显。",
    ),
    "note.areas_disagree": (
        "AUC weighs all false positive rates alike; average precision looks at the highest scores. The curves cross, "
        "so the better model depends on how many rows can be flagged: state costs, or a limit on false positives.",
        "AUC 对所有假阳性率同等加权，平均精确率侧重高分段。两条曲线相交，哪个模型更好取决于能预警多少例：请给出代价，"
        "或给出假阳性率的上限。",
    ),
    "note.areas_against_cost": (
        "By {metrics:names}, {models:names} would look better than {model}: that averages over thresholds which the "
        "stated costs do not use.",
        "若看{metrics:names}，{models:names} 似乎优于 {model}：但它平均了所给代价用不到的阈值。",
    ),
    "note.areas_against_range": (
        "By {metrics:names}, {models:names} would look better than {model}: that looks at false positive rates beyond "
        "the limit.",
        "若看{metrics:names}，{models:names} 似乎优于 {model}：但它包含了超出上限的假阳性率。",
    ),
    "note.picked": (
        "{model} was picked among {models:count} models by these rows, which flatters it: if all were equally good, "
        "the best would look better than it is by about {amounts:names}.",
        "{model} 是用这些数据从 {models:count} 个模型中选出的，因此看起来比实际更好：若各模型同样好，其中最好者平均高"
        "估{amounts:names}。",
    ),
    "note.picked_with_ends": (
        "{model} was picked among {models:count} models by these rows, which flatters it: if all were equally good, "
        "the best would look better than it is by about {amounts:names}. Intervals that allow for the choice "
        "({level:level}): {ends:names}.",
        "{model} 是用这些数据从 {models:count} 个模型中选出的，因此看起来比实际更好：若各模型同样好，其中最好者平均高"
        "估{amounts:names}。计入这一选择后的 {level:level} 置信区间：{ends:names}。",
    ),
    "note.selection_bias_area": ("{amount:area} of {metric}", "约 {amount:area}（按{metric}计）"),
    "note.selection_bias_cost": ("{amount:cost} per case", "约每例 {amount:cost}"),
    "note.picked_ends": ("{metric} {ends:area_ends}", "{ends:area_ends}（按{metric}计）"),
    "note.partial_auc_up_to": (
        "partial AUC (false positive rate up to {fpr:share})",
        "部分 AUC（假阳性率不超过 {fpr:share}）",
    ),
    "note.ranks_better": (
        "{model} ranks better than chance: AUC {value:area}, {level:level} interval {low:area} to {high:area} (0.5 is "
        "chance, 1 perfect).",
        "{model} 的区分能力优于随机：AUC 为 {value:area}，{level:level} 置信区间 {low:area}～{high:area}（0.5 为随机，"
        "1 为完美）。",
    ),
    "note.ranks_unclear": (
        "These rows do not show that {model} ranks better than chance: AUC {value:area}, and the {level:level} "
        "interval {low:area} to {high:area} holds 0.5.",
        "这些数据不足以说明 {model} 的区分能力优于随机：AUC 为 {value:area}，{level:level} 置信区间 {low:area}～"
        "{high:area} 包含 0.5。",
    ),
    "note.ranks_worse": (
        "{model} ranks worse than chance: AUC {value:area}, {level:level} interval {low:area} to {high:area}. Are its "
        "scores, or the labels, reversed?",
        "{model} 的区分能力比随机差：AUC 为 {value:area}，{level:level} 置信区间 {low:area}～{high:area}。分数或标签的"
        "方向是否弄反了？",
    ),
    "note.all_rank_better": (
        "{models:count} models rank better than chance: AUC {low:area} to {high:area}, each interval above 0.5.",
        "{models:count} 个模型的区分能力都优于随机：AUC 为 {low:area} 至 {high:area}，各置信区间均高于 0.5。",
    ),
    "note.more_without_skill": ("Nor is it shown for {more:count} more models.", "另有 {more:count} 个模型同样如此。"),
    "note.no_skill": (
        "AUC is {auc:area} and its interval holds 0.5: these rows do not show that the score says anything about the "
        "label.",
        "AUC 为 {auc:area}，其置信区间包含 0.5：这些数据不足以说明该分数与标签有关。",
    ),
    "note.looks_like_id": (
        "Nearly every row has a score of its own, and AUC is {auc:area}, no better than chance: is this column an "
        "identifier or a row number?",
        "几乎每一行的分数都不相同，而 AUC 为 {auc:area}，并不优于随机：这一列是否为编号或行号？",
    ),
    # ranking
    "ranking.lead": (
        "A good model gives positives higher scores than negatives. No threshold is chosen yet.",
        "好的模型给阳性的分数高于阴性。这里还不涉及阈值。",
    ),
    "ranking.table": ("How well the scores rank ({level:level} intervals)", "分数的排序能力（{level:level} 置信区间）"),
    "ranking.spread": ("Scores by class", "各类别的分数分布"),
    "ranking.more": ("More curves", "更多曲线"),
    # comparison
    "comparison.table": (
        "Differences in {metric}, first minus second ({level:level} intervals)",
        "{metric}之差，前者减后者（{level:level} 置信区间）",
    ),
    "comparison.all": (
        "All models equal: chi-square {chi:cost} on {degrees:count} degrees of freedom, p\u00a0{p:relation}.",
        "检验所有模型相同：χ² = {chi:cost}，自由度 {degrees:count}，P\u00a0{p:relation}。",
    ),
    "comparison.how": (
        "Same rows for all models, so the test is paired. Method: {method}. A test on rows that a model was fitted on "
        "is not valid.",
        "各模型使用相同的行，因此是配对检验。方法：{method}。在训练所用的行上检验是无效的。",
    ),
    "way.delong": ("DeLong", "DeLong 法"),
    "way.percentile": ("bootstrap, percentile", "自助法（百分位数）"),
    "way.basic": ("bootstrap, basic", "自助法（基本）"),
    "way.bca": ("bootstrap, BCa", "自助法（BCa）"),
    "way.score": ("score interval", "得分区间"),
    "way.log": ("on the log scale", "对数尺度"),
    "way.log-complement": ("on the log scale of what is lacking to 1", "与 1 之差的对数尺度"),
    "way.beta": ("Beta distributions", "Beta 分布"),
    "way.jeffreys": ("Jeffreys", "Jeffreys"),
    "way.influence": ("influence of each row", "各行的影响函数"),
    "way.bootstrap": ("paired bootstrap", "配对自助法"),
    "way.paired-costs": ("differences of cost, row by row", "逐例代价之差（配对）"),
}

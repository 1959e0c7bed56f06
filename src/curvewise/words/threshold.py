"""Which threshold, by which rule, and what follows from it."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.threshold_high": (
        "{model}: flag scores of {threshold:cut} or more. Rule: {rule}. {worth}",
        "{model}：分数不低于 {threshold:cut} 时预警。规则：{rule}。{worth}",
    ),
    "note.threshold_low": (
        "{model}: flag scores of {threshold:cut} or less. Rule: {rule}. {worth}",
        "{model}：分数不高于 {threshold:cut} 时预警。规则：{rule}。{worth}",
    ),
    "note.threshold_none": (
        "{model}: flag no row; no alarm is worth its cost. Rule: {rule}.",
        "{model}：均不预警，预警都得不偿失。规则：{rule}。",
    ),
    "note.miss_implied": (
        "This implies that one miss is as bad as {ratio:short} false alarms. If that is wrong, state your costs.",
        "这意味着 1 次漏检相当于 {ratio:short} 次误报。如与实际不符，请设定误报和漏检的代价。",
    ),
    "note.miss_implied_alike": (
        "This implies that a miss is as bad as a false alarm. If that is wrong, state your costs.",
        "这意味着漏检与误报同样严重。如与实际不符，请设定误报和漏检的代价。",
    ),
    "note.miss_stated_alike": ("As stated, a miss is as bad as a false alarm.", "按所设代价，漏检与误报同样严重。"),
    "note.miss_stated": (
        "As stated, one miss is as bad as {ratio:short} false alarms.",
        "按所设代价，1 次漏检相当于 {ratio:short} 次误报。",
    ),
    "note.advise_every": (
        "{model}: flag every row, at a cost of {second_value:cost} per case. The cheapest threshold, {threshold:cut}, "
        "is expected to cost {first_value:cost} (difference {difference:cost}, {ends}; {p}).",
        "{model}：建议全部预警，每例代价 {second_value:cost}；最佳阈值 {threshold:cut} 的预期代价为 {first_value:cost}"
        "（差值 {difference:cost}，{ends}；{p}）。",
    ),
    "note.advise_none": (
        "{model}: flag no row, at a cost of {second_value:cost} per case. The cheapest threshold, {threshold:cut}, is "
        "expected to cost {first_value:cost} (difference {difference:cost}, {ends}; {p}).",
        "{model}：建议均不预警，每例代价 {second_value:cost}；最佳阈值 {threshold:cut} 的预期代价为 {first_value:cost}"
        "（差值 {difference:cost}，{ends}；{p}）。",
    ),
    "note.not_below_every": (
        "{model}: these data do not show that a threshold costs less than flagging every row: {first_value:cost} "
        "against {second_value:cost} per case (difference {difference:cost}, {ends}; {p}).",
        "{model}：根据现有数据尚不能判断设定阈值（每例 {first_value:cost}）比全部预警（{second_value:cost}）代价更低"
        "（差值 {difference:cost}，{ends}；{p}）。",
    ),
    "note.not_below_none": (
        "{model}: these data do not show that a threshold costs less than flagging no row: {first_value:cost} against "
        "{second_value:cost} per case (difference {difference:cost}, {ends}; {p}).",
        "{model}：根据现有数据尚不能判断设定阈值（每例 {first_value:cost}）比均不预警（{second_value:cost}）代价更低"
        "（差值 {difference:cost}，{ends}；{p}）。",
    ),
    "note.trivial_every": (
        "flagging every row costs {trivial:cost} per case, no more than the {cost:cost} expected at this threshold",
        "全部预警每例代价 {trivial:cost}，不高于此阈值的预期代价 {cost:cost}",
    ),
    "note.trivial_none": (
        "flagging no row costs {trivial:cost} per case, no more than the {cost:cost} expected at this threshold",
        "均不预警每例代价 {trivial:cost}，不高于此阈值的预期代价 {cost:cost}",
    ),
    "note.then_every": (
        "{model}: every row is flagged, so no positive is missed and {prevalence:share} of the alarms are correct.",
        "{model}：全部预警，没有漏检，预警中有 {prevalence:share} 正确。",
    ),
    "note.no_threshold_without_skill": (
        "{model}: none is recommended, because these data do not show that it ranks better than chance.",
        "{model}：不推荐阈值，因为这些数据不足以说明其区分能力优于随机。",
    ),
    "note.no_threshold_meets_rule": (
        "{model}: no threshold meets the rule ({rule}).",
        "{model}：没有阈值满足 {rule}。",
    ),
    "note.then_new": (
        "{model}: on new data, expect {precision:of_base} of {base} alarms to be correct and {recall:of_base} of "
        "{base} positives to be found. Of {cases} cases, about {alarms:of_cases} raise an alarm, {right:of_cases} of "
        "them correctly, and {missed:of_cases} positives are missed (prevalence {prevalence:share}).",
        "{model}：在新数据中，预期每 {base} 次预警有 {precision:of_base} 次正确，每 {base} 例阳性检出 "
        "{recall:of_base} 例。每 {cases} 例中约 {alarms:of_cases} 例预警，其中 {right:of_cases} 例正确，另有 "
        "{missed:of_cases} 例阳性漏检（患病率 {prevalence:share}）。",
    ),
    "note.then_here": (
        "{model}: on these data, {precision:of_base} of {base} alarms are correct and {recall:of_base} of {base} "
        "positives are found. Of {cases} such cases, {alarms:of_cases} raise an alarm, {right:of_cases} of them "
        "correctly, and {missed:of_cases} positives are missed (prevalence {prevalence:share}).",
        "{model}：在这份数据中，每 {base} 次预警有 {precision:of_base} 次正确，每 {base} 例阳性检出 {recall:of_base} "
        "例。每 {cases} 例中有 {alarms:of_cases} 例预警，其中 {right:of_cases} 例正确，另有 {missed:of_cases} 例阳性漏"
        "检（患病率 {prevalence:share}）。",
    ),
    "note.then_none": (
        "{model}: no row is flagged, so there is no alarm and every positive is missed (prevalence "
        "{prevalence:share}).",
        "{model}：均不预警，所有阳性都漏检（患病率 {prevalence:share}）。",
    ),
    "note.then_costs": (
        "{model}: expected cost {cost:cost} per case; {none:cost} if no row is flagged, {every:cost} if every row is.",
        "{model}：预期每例代价 {cost:cost}；若均不预警为 {none:cost}，若全部预警为 {every:cost}。",
    ),
    "note.costs_corrected": (
        "costs are those expected on new data, corrected for the choice of the thresholds",
        "代价为新数据中的预期值，已针对阈值的选择作校正",
    ),
    "note.costs_uncorrected": (
        "costs are too low: they are those of the data on which the thresholds were chosen",
        "代价偏低：取自选择阈值所用的数据",
    ),
    # a threshold for each group
    "policy.title": ("A threshold for each group", "各组分别设定阈值"),
    "policy.lead": (
        "Which thresholds would treat groups alike, in three senses of alike, and what each would cost. If another "
        "prevalence is stated, positives and negatives are reweighted in the same way in every group, so that the "
        "odds of every group change by the same factor.",
        "要使各组得到相同的对待（三种含义），需要怎样的阈值，代价各是多少。设定其他患病率时，各组的阳性与阴性按相同权"
        "重调整，因此各组的患病比数按同一倍数变化。",
    ),
    "policy.column": ("Grouped by", "分组"),
    "policy.at_rule": ("A threshold for each group, at the rule’s choice", "按规则选定的阈值处，各组分别设定的阈值"),
    "policy.table": ("{model}: thresholds by group", "{model}：各组阈值"),
    "policy.one": ("One threshold for all", "统一阈值"),
    "policy.recall": ("Same recall", "灵敏度相同"),
    "policy.fpr": ("Same false positive rate", "假阳性率相同"),
    "policy.flagged": ("Same share flagged", "预警比例相同"),
    "policy.rates": (
        "recall\u00a0{recall:share}, FPR\u00a0{fpr:share}, flagged\u00a0{flagged:share}",
        "灵敏度\u00a0{recall:share}，假阳性率\u00a0{fpr:share}，预警\u00a0{flagged:share}",
    ),
    "policy.cost": ("Cost per case, all rows", "每例代价（全部行）"),
    "js.policy_rates": (
        "recall\u00a0{recall}, FPR\u00a0{fpr}, flagged\u00a0{flagged}",
        "灵敏度\u00a0{recall}，假阳性率\u00a0{fpr}，预警\u00a0{flagged}",
    ),
    "js.policy_keeps": ("keeps the common threshold", "沿用统一阈值"),
    # the rule's choice
    "point.title": ("Chosen by rule", "按规则选定的阈值"),
    "point.table.new": (
        "At the chosen threshold, expected on new data ({level:level} intervals; precision and alarms at a prevalence "
        "of {prevalence:share})",
        "所选阈值下在新数据上的预期（{level:level} 置信区间；精确率与预警数按患病率 {prevalence:share} 计算）",
    ),
    "point.table.here": (
        "At the chosen threshold, on these data ({level:level} intervals; precision and alarms at a prevalence of "
        "{prevalence:share})",
        "所选阈值下在这份数据上的结果（{level:level} 置信区间；精确率与预警数按患病率 {prevalence:share} 计算）",
    ),
    "point.detail": ("The choice in detail", "选定阈值的详情"),
    "point.by": ("Rule: {rule}", "规则：{rule}"),
    "point.rule": ("{rule} ({options})", "{rule}（{options}）"),
    "point.exact": (
        "Exact value: {exact}. To deploy, use {midpoint}: it flags the same rows, and a change in a score’s last "
        "digit does not matter.",
        "精确值为 {exact}。部署时宜用 {midpoint}：预警的行相同，且不受分数末位变动的影响。",
    ),
    "point.same_rows": (
        "The threshold was chosen on these data, so the rates counted on them are too optimistic for new data. The "
        "rates shown are corrected for that, with the uncorrected ones beside them.",
        "阈值是用这些数据选出的，因此直接计数的比率对新数据而言偏乐观。所示比率已作校正，旁边是未校正的值。",
    ),
    "point.optimism": (
        "{quantity}: expect about {expected} on new data ({interval}); uncorrected {apparent}.",
        "{quantity}：在新数据上预期约为 {expected}（{interval}）；未校正为 {apparent}。",
    ),
    "point.rates.new": (
        "Rates at the chosen threshold, expected on new data ({level:level} intervals, prevalence {prevalence:share})",
        "所选阈值下在新数据上预期的比率（{level:level} 置信区间，患病率 {prevalence:share}）",
    ),
    "point.rates.here": (
        "Rates at the chosen threshold, on these data ({level:level} intervals, prevalence {prevalence:share})",
        "所选阈值下在这份数据上的比率（{level:level} 置信区间，患病率 {prevalence:share}）",
    ),
    "rule.min_cost": ("least expected cost", "期望代价最小"),
    "rule.max_net_benefit": ("highest net benefit", "净获益最大"),
    "rule.youden": ("highest Youden’s J", "约登指数最大"),
    "rule.closest_topleft": ("closest to the perfect corner", "离左上角最近"),
    "rule.equal_error": ("equal errors", "两类错误率相等"),
    "rule.max_f": ("highest F score", "F 值最大"),
    "rule.max_mcc": ("highest Matthews correlation", "马修斯相关系数最大"),
    "rule.max_kappa": ("highest kappa", "Kappa 最大"),
    "rule.max_fpr": ("highest recall within a limit on the false positive rate", "限定假阳性率下灵敏度最高"),
    "rule.min_specificity": ("highest recall with enough specificity", "限定特异度下灵敏度最高"),
    "rule.min_recall": ("fewest false alarms with enough recall", "保证灵敏度下误报最少"),
    "rule.min_precision": ("highest recall with enough precision", "保证精确率下灵敏度最高"),
    "rule.max_alarms": ("highest recall within a number of alarms", "限定预警数下灵敏度最高"),
    "rule.all_of": ("several limits together", "同时满足多个限值"),
    "rule.max_of": ("a function given by the user", "用户给定的函数"),
    "rule_option.fp": ("cost of a false alarm", "误报一次的代价"),
    "rule_option.fn": ("cost of a miss", "漏检一次的代价"),
    "rule_option.tp": ("cost of a hit", "正确预警的代价"),
    "rule_option.tn": ("cost of a correct pass", "正确放行的代价"),
    "rule_option.unit": ("unit", "单位"),
    "rule_option.decide_by": ("decided by", "决策依据"),
    "rule_option.at": ("limit", "限值"),
    "rule_option.threshold_probability": ("threshold probability", "阈值概率"),
    "rule_option.confidence": ("confidence on new data", "在新数据中的置信度"),
    "rule_option.rules": ("", ""),
    "rule_option.function": ("function", "函数"),
    "rule_option.prevalence": ("prevalence", "患病率"),
    # notes: decisions
    "note.weighted_sweep_no_interval": (
        "a Sweep of weighted rows has no interval: pass labels, scores and weights",
        "加权行的扫描表没有区间：请传入标签、分数和权重",
    ),
    "note.weighted_sweep_not_resampled": (
        "a Sweep of weighted rows cannot be resampled: for the threshold’s interval and the correction for its "
        "choice, pass labels, scores and weights",
        "加权行的扫描表不能重抽样：若需阈值的区间和对选择的校正，请传入标签、分数和权重",
    ),
    "note.infinite_scores": (
        "scores are infinite, so no threshold flags no row: the threshold given stands for flagging none",
        "分数有无穷大，因此没有任何阈值能做到均不预警：所给阈值只是一个记号",
    ),
    "note.no_row_left_out": (
        "every resample contained all rows, so none was left to test on",
        "每次重抽样都含所有行，没有剩余的行可供评价",
    ),
    "note.infinite_value": ("it is infinite", "其值为无穷大"),
    "note.no_resample_answers": (
        "none of {replicates:count} resamples has a threshold that meets this rule, so there is no interval",
        "{replicates:count} 次重抽样中没有一次满足该规则，因此没有区间",
    ),
    "note.resamples_without_answer": (
        "{failed:count} of {replicates:count} resamples have no threshold that meets this rule and were left out",
        "{replicates:count} 次重抽样中有 {failed:count} 次不能满足该规则，已略去",
    ),
    "note.candidates": (
        "resamples chose from {among:count} of {thresholds:count} thresholds",
        "重抽样在 {thresholds:count} 个阈值的 {among:count} 个中选择",
    ),
    "note.fold_thresholds": (
        "chosen on each of {folds:count} folds separately, the threshold lies between {low:cut} and {high:cut}",
        "若在 {folds:count} 折中各自单独选取，阈值介于 {low:cut} 与 {high:cut} 之间",
    ),
    "note.few_positives_chosen": (
        "only {count:count} {count:one|positive|positives}: no choice is reliable",
        "阳性仅 {count:count} 例：任何选择都不可靠",
    ),
    "note.few_negatives_chosen": (
        "only {count:count} {count:one|negative|negatives}: no choice is reliable",
        "阴性仅 {count:count} 例：任何选择都不可靠",
    ),
    "note.tied": ("Equally good: {scores}; the first is chosen", "同样好：{scores}；选用第一个"),
    "note.tied_and_more": (
        "Equally good: {scores} and {more:count} more; the first is chosen",
        "同样好：{scores} 及另外 {more:count} 个；选用第一个",
    ),
    "note.best_costs": (
        "Cheapest if a miss costs {few:short} to {many:short} times as much as a false alarm (prevalence "
        "{prevalence:level}, slopes {low:cost} to {high:cost})",
        "一次漏检的代价为误报的 {few:short}～{many:short} 倍时，此阈值代价最低（患病率 {prevalence:level}，斜率 "
        "{low:cost}～{high:cost}）",
    ),
    "note.best_costs_from": (
        "Cheapest if a miss costs at least {few:short} times as much as a false alarm (prevalence {prevalence:level}, "
        "slopes {low:cost} to {high:cost})",
        "一次漏检的代价不低于误报的 {few:short} 倍时，此阈值代价最低（患病率 {prevalence:level}，斜率 {low:cost}～"
        "{high:cost}）",
    ),
    "note.best_costs_to": (
        "Cheapest if a miss costs at most {many:short} times as much as a false alarm (prevalence {prevalence:level}, "
        "slopes {low:cost} to {high:cost})",
        "一次漏检的代价不高于误报的 {many:short} 倍时，此阈值代价最低（患病率 {prevalence:level}，斜率 {low:cost}～"
        "{high:cost}）",
    ),
    "note.no_best_costs": (
        "Whatever the costs, either {first} or {second} is at least as cheap as this threshold",
        "无论代价如何，{first} 与 {second} 之一的代价总不高于此阈值",
    ),
    "note.no_best_costs_or_none": (
        "Whatever the costs, either flagging no row or {second} is at least as cheap as this threshold",
        "无论代价如何，均不预警与 {second} 之一的代价总不高于此阈值",
    ),
    "note.range_from_rows": (
        "the range of FPR was read from these data; every resample chose it anew, so the interval allows for that. A "
        "range fixed beforehand is more powerful: compare(metric='partial_roc_auc', fpr=...)",
        "假阳性率的范围取自这些数据；每次重抽样都重新选取范围，因此区间已考虑这一点。事先固定范围功效更高："
        "compare(metric='partial_roc_auc', fpr=...)",
    ),
    "note.one_fpr": (
        "one FPR is best for all these costs, so there is no area to compare: see expected_cost",
        "对所有这些代价，最优的假阳性率只有一个，因此没有面积可比较：见 expected_cost",
    ),
    "note.better": ("Better: {model}", "更好的模型：{model}"),
    "note.better_undecided": ("Better: undecided", "更好的模型：未能确定"),
    "note.never_best": ("Never best: {models}", "从不最优：{models}"),
    "note.point_flags_gain": (
        "Flag the rows for which an alarm is expected to cost no more than no alarm",
        "预警的预期代价不高于不预警时，即预警",
    ),
    "note.decision_cost": (
        "A row costs {cost:cost}{unit} on average, {total:cost}{unit} in all {rows:count} rows. Flagging no row would "
        "cost {none:cost}{unit} per row, flagging every row {every:cost}{unit}; the share of the best possible saving "
        "is {saving:share}",
        "平均每例代价为 {cost:cost}{unit}，全部 {rows:count} 例共 {total:cost}{unit}。若一律不预警，每例代价为 "
        "{none:cost}{unit}；若一律预警，为 {every:cost}{unit}；实现了最大可能节省的 {saving:share}",
    ),
    "note.decision_cost_between": (
        "A row costs {cost:cost}{unit} on average ({low:cost} to {high:cost}), {total:cost}{unit} in all {rows:count} "
        "rows. Flagging no row would cost {none:cost}{unit} per row, flagging every row {every:cost}{unit}; the share "
        "of the best possible saving is {saving:share}",
        "平均每例代价为 {cost:cost}{unit}（{low:cost}～{high:cost}），全部 {rows:count} 例共 {total:cost}{unit}。若一律"
        "不预警，每例代价为 {none:cost}{unit}；若一律预警，为 {every:cost}{unit}；实现了最大可能节省的 {saving:share}",
    ),
    "note.point_flags_high": ("Flag scores of {threshold} or more", "分数不低于 {threshold} 时预警"),
    "note.point_flags_low": ("Flag scores of {threshold} or less", "分数不高于 {threshold} 时预警"),
    "note.point_flags_all_high": (
        "Flag scores of {threshold} or more, which is every row ({threshold} is the lowest score)",
        "分数不低于 {threshold} 时预警，即所有行都预警（{threshold} 是最低的分数）",
    ),
    "note.point_flags_all_low": (
        "Flag scores of {threshold} or less, which is every row ({threshold} is the highest score)",
        "分数不高于 {threshold} 时预警，即所有行都预警（{threshold} 是最高的分数）",
    ),
    "note.prevalence_sample": ("the sample's prevalence of {prevalence:level}", "样本患病率为 {prevalence:level} "),
    "note.prevalence_stated": ("a prevalence of {prevalence:level}", "患病率为 {prevalence:level} "),
    "note.point_on_new_rows": (
        "{cut}. On new data, expect {recall:of_base} of {base} positives to be found, {fpr:of_negatives} of "
        "{base_negatives} negatives to be flagged, and {precision:of_base} of {base} alarms to be correct at {where}. "
        "Uncorrected: {recall_here:of_base}, {fpr_here:of_negatives} and {precision_here:of_base}.",
        "{cut}。在新数据中，预期每 {base} 例阳性检出 {recall:of_base} 例，每 {base_negatives} 例阴性误报 "
        "{fpr:of_negatives} 例；{where}时，每 {base} 次预警有 {precision:of_base} 次正确。未校正时分别为 "
        "{recall_here:of_base}、{fpr_here:of_negatives} 和 {precision_here:of_base}。",
    ),
    "note.point_on_these_rows": (
        "{cut}. On these data, {recall:of_base} of {base} positives are found, {fpr:of_negatives} of {base_negatives} "
        "negatives are flagged, and {precision:of_base} of {base} alarms are correct at {where}.",
        "{cut}。在这份数据中，每 {base} 例阳性检出 {recall:of_base} 例，每 {base_negatives} 例阴性误报 "
        "{fpr:of_negatives} 例；{where}时，每 {base} 次预警有 {precision:of_base} 次正确。",
    ),
    "note.point_without_negatives": (
        "{cut}. {recall:of_base} of {base} positives are found, and {precision:of_base} of {base} alarms are correct; "
        "the number of negatives is unknown.",
        "{cut}。每 {base} 例阳性检出 {recall:of_base} 例，每 {base} 次预警 {precision:of_base} 次正确；阴性的数目未"
        "知。",
    ),
    "note.point_flags_no_row": (
        "Flag no row: 0 of 100 positives are found, and there is no alarm; the number of negatives is unknown.",
        "均不预警：每 100 例阳性检出 0 例，没有预警；阴性的数目未知。",
    ),
    "note.best_costs_unknown": (
        "the costs for which this point is best are unknown: the ROC curve needs the number of negatives",
        "无法说明该点在哪些代价下最优：ROC 曲线需要知道阴性的数目",
    ),
    "note.unknown_negatives_no_interval": (
        "no interval: negatives are unknown, as in detection, and counts do not say which rows belong together",
        "没有区间：阴性数目未知（如目标检测），计数也无法说明哪些行属于同一单元",
    ),
    "note.point_with_limit": ("{point} {limit:sentence}", "{point}{limit:sentence}"),
    "note.limit_here": (
        "The limit is met in these data; new data may exceed it.",
        "该限值仅在这份数据上成立，新数据可能超出。",
    ),
    "note.from_on": ("at {threshold} or above", "不低于 {threshold}"),
    "note.up_to": ("at {threshold} or below", "不高于 {threshold}"),
    "note.guarantee": (
        "with {confidence:level} confidence, {limits:names}.",
        "在同一总体中，以 {confidence:level} 的置信度保证：{limits:names}。",
    ),
    "note.guaranteed_fpr": (
        "at most {limit:level} of the negatives of the same population are flagged {where} "
        "({here:share} in these data)",
        "分数{where} 的阴性不超过全部阴性的 {limit:level}（这份数据上为 {here:share}）",
    ),
    "note.guaranteed_specificity": (
        "at least {limit:level} of the negatives of the same population are not among those flagged {where} "
        "({here:share} in these data)",
        "至少 {limit:level} 的阴性不在分数{where} 的预警之列（这份数据上为 {here:share}）",
    ),
    "note.guaranteed_recall": (
        "at least {limit:level} of the positives of the same population are flagged {where} "
        "({here:share} in these data)",
        "至少 {limit:level} 的阳性分数{where}（这份数据上为 {here:share}）",
    ),
    "note.guaranteed_precision": (
        "at least {limit:level} of the rows of the same population flagged {where} are positive "
        "({here:share} in these data)",
        "分数{where} 的预警中至少 {limit:level} 为阳性（这份数据上为 {here:share}）",
    ),
    "note.guaranteed_predicted_rate": (
        "at most {limit:level} of the rows of the same population are flagged {where} ({here:share} in these data)",
        "分数{where} 的行不超过 {limit:level}（这份数据上为 {here:share}）",
    ),
    "note.guarantee_needs_negatives": (
        "{number:count} negatives are too few to guarantee this limit with {confidence:level} confidence; "
        "{needed:count} without an error would do",
        "{number:count} 个阴性不足以按 {confidence:level} 的置信度保证该限值；若无一出错，{needed:count} 个即可",
    ),
    "note.guarantee_needs_positives": (
        "{number:count} positives are too few to guarantee this limit with {confidence:level} confidence; "
        "{needed:count} without an error would do",
        "{number:count} 个阳性不足以按 {confidence:level} 的置信度保证该限值；若无一出错，{needed:count} 个即可",
    ),
    "note.guarantee_needs_alarms": (
        "{number:count} alarms are too few to guarantee this limit with {confidence:level} confidence; "
        "{needed:count} without an error would do",
        "{number:count} 次预警不足以按 {confidence:level} 的置信度保证该限值；若无一出错，{needed:count} 次即可",
    ),
    "note.guarantee_needs_rows": (
        "{number:count} rows are too few to guarantee this limit with {confidence:level} confidence; "
        "{needed:count} without an error would do",
        "{number:count} 行不足以按 {confidence:level} 的置信度保证该限值；若无一出错，{needed:count} 行即可",
    ),
    "note.guarantee_not_shown": (
        "no threshold is shown to keep the limit on new data with {confidence:level} confidence; take more rows "
        "or another limit",
        "没有阈值能按 {confidence:level} 的置信度在新数据中保证该限值；请增加行数或放宽限值",
    ),
    "note.guarantee_of_model": ("{model}: {guarantee}", "{model}：{guarantee}"),
    "note.guarantee_of_folds": (
        "the guarantee is approximate, and of the models of the folds, not of one model that is fitted to all rows",
        "该保证是近似的，针对各折的模型，而不是用全部数据拟合的模型",
    ),
    "note.guarantee_of_dependent_rows": (
        "the guarantee is approximate: rows are clustered or weighted, and count as fewer independent ones",
        "该保证是近似的：数据含群或权重，按较少的独立行数计算",
    ),
    "note.referral": ("{flag:sentence}, {passed}, and {refer}.", "{flag:sentence}，{passed}，{refer}。"),
    "note.referral_flag_high": (
        "flag scores of {cut} or more ({right:share} of these are positive)",
        "分数不低于 {cut} 时预警（其中 {right:share} 为阳性）",
    ),
    "note.referral_flag_low": (
        "flag scores of {cut} or less ({right:share} of these are positive)",
        "分数不高于 {cut} 时预警（其中 {right:share} 为阳性）",
    ),
    "note.referral_flag_none": ("flag no row", "一律不预警"),
    "note.referral_pass_high": (
        "pass scores below {cut} ({right:share} of these are negative)",
        "分数低于 {cut} 时放行（其中 {right:share} 为阴性）",
    ),
    "note.referral_pass_low": (
        "pass scores above {cut} ({right:share} of these are negative)",
        "分数高于 {cut} 时放行（其中 {right:share} 为阴性）",
    ),
    "note.referral_pass_none": ("pass no row", "一律不放行"),
    "note.referral_refer": ("refer the other {share:share} to a person", "其余 {share:share} 转交人工判断"),
    "note.referral_refer_none": ("refer no row", "没有行转交人工判断"),
    "note.referral_saves": (
        "{referral} On new data this is expected to cost {cost:cost} per case, {saving:cost} less than the best "
        "single threshold (interval {low:cost} to {high:cost}).",
        "{referral}在新数据中，预期每例代价为 {cost:cost}，比最优的单一阈值低 {saving:cost}（区间 {low:cost}～"
        "{high:cost}）。",
    ),
    "note.referral_saves_here": (
        "{referral} In these data this costs {cost:cost} per case, {saving:cost} less than the best single "
        "threshold (interval {low:cost} to {high:cost}).",
        "{referral}在这份数据上，每例代价为 {cost:cost}，比最优的单一阈值低 {saving:cost}（区间 {low:cost}～"
        "{high:cost}）。",
    ),
    "note.referral_guaranteed": (
        "{referral} With {confidence:level} confidence, the precision is at least {precision:level} and the NPV "
        "at least {npv:level} on new data of the same population.",
        "{referral}在同一总体的新数据上，以 {confidence:level} 的置信度保证精确率不低于 {precision:level}，阴性预"
        "测值不低于 {npv:level}。",
    ),
    "note.referral_of_none": (
        "no row is worth a referral: one threshold does as well",
        "没有值得转交的行：单一阈值同样好",
    ),
    "note.referral_too_dear": (
        "a referral costs as much as any mistake, so no row is referred",
        "转交的代价不低于任何错误的代价，因此不转交",
    ),
    "note.referral_no_row": ("no row has this answer", "没有行得到这一判断"),
    "note.risk_without_spread": (
        "no interval: all answers are alike, or in the best order",
        "没有区间：所有判断的对错相同，或已是最优次序",
    ),
    "note.point_flags_none": (
        "Flag no row: 0 of 100 positives are found, 0 of 100 negatives are flagged; there is no alarm, at {where}.",
        "均不预警：每 100 例阳性检出 0 例，每 100 例阴性误报 0 例；{where}时没有预警。",
    ),
}

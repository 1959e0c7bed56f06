"""Groups of rows, and criteria of fairness."""

WORDS = {
    # questions, and the answers that summary, sections, caveats and terminal share
    "note.groups_differ": (
        "{model}: {metric} varies by {gap:points} across groups of {column} ({level:level} interval "
        "{ends:points_ends}; p\u00a0{p:relation}, corrected for all metrics and columns).",
        "{model}：不同{column}的{metric}存在差异，最高与最低相差 {gap:points}（{level:level} 置信区间 "
        "{ends:points_ends}；P\u00a0{p:relation}，已对全部指标和分组变量作多重比较校正）。",
    ),
    "note.groups_alike": (
        "No significant difference between groups in recall or false positive rate ({looked:count} compared, p-values "
        "corrected for all metrics and columns). In small groups, a large difference can go unnoticed.",
        "各组的灵敏度和假阳性率未见有统计学意义的差异（共比较 {looked:count} 项，P 值已对全部指标和分组变量作多重比较"
        "校正）。样本少的组即使差异较大也可能看不出来。",
    ),
    "note.groups_differ_more": ("{more:count} more are listed below.", "另有 {more:count} 处差异见下文。"),
    "note.groups_undefined": (
        "Recall or false positive rate is undefined in some group, so groups cannot be compared.",
        "某些组的灵敏度或假阳性率无定义，各组无法比较。",
    ),
    # groups, sites, classes
    "groups.lead": (
        "The same model at the same threshold, group by group. A difference is not always unfair, and equality does "
        "not prove fairness: labels may be biased too.",
        "同一模型、同一阈值，逐组比较。有差异未必不公，没有差异也不能证明公平：标签本身也可能有偏。",
    ),
    "groups.table": ("Metrics by group ({level:level} intervals)", "各组的指标（{level:level} 置信区间）"),
    "groups.gaps": (
        "Gaps between groups: largest minus smallest ({level:level} intervals)",
        "各组的差距：最大减最小（{level:level} 置信区间）",
    ),
    "groups.fairness": ("Criteria of fairness", "公平性准则"),
    "groups.fairness.lead": (
        "Where prevalence differs and the model is imperfect, these criteria cannot all be met at once. Which one "
        "matters is not a statistical question.",
        "只要各组患病率不同而模型又不完美，这些准则就不可能同时满足。哪一条重要，不由统计学决定。",
    ),
    "groups.small": ("small group", "样本少"),
    "groups.rows": ("{n:count} rows, {positives:count} positive", "{n:count} 例，阳性 {positives:count} 例"),
    "special.(all)": ("all rows", "全部"),
    # criteria of fairness
    "criterion.equal_opportunity": ("Equal opportunity", "机会均等"),
    "criterion.meaning.equal_opportunity": ("equal share of positives found", "各组阳性的检出比例相同"),
    "criterion.equal_false_alarms": ("Equal false alarms", "误报均等"),
    "criterion.meaning.equal_false_alarms": ("equal share of negatives flagged", "各组阴性的误报比例相同"),
    "criterion.equalised_odds": ("Equalised odds", "均衡几率"),
    "criterion.meaning.equalised_odds": ("the larger of the gaps in recall and FPR", "灵敏度与假阳性率差距的较大者"),
    "criterion.demographic_parity": ("Demographic parity", "人口统计均等"),
    "criterion.meaning.demographic_parity": ("equal share of rows flagged", "各组的预警比例相同"),
    "criterion.predictive_parity": ("Predictive parity", "预测均等"),
    "criterion.meaning.predictive_parity": ("equal share of alarms correct", "各组预警的正确比例相同"),
    "criterion.false_omission_parity": ("False-omission parity", "错误遗漏均等"),
    "criterion.meaning.false_omission_parity": ("equal share of unflagged rows positive", "各组不预警者的阳性比例相同"),
    "criterion.calibration_by_group": ("Calibration by group", "组内校准"),
    "criterion.meaning.calibration_by_group": ("probabilities match outcomes in every group", "概率与各组的实际相符"),
    "criterion.equal_ranking": ("Equal ranking", "组内排序均等"),
    "criterion.meaning.equal_ranking": ("positives outrank negatives equally often", "各组内阳性得分高于阴性的概率同"),
    "criterion.equal_ranking_between": ("Equal ranking between groups", "组间排序均等"),
    "criterion.meaning.equal_ranking_between": (
        "positives outrank the other group’s negatives equally often (xAUC)",
        "各组阳性得分高于另一组阴性的概率相同（xAUC）",
    ),
    # notes: breakdown
    "note.gaps_describe": (
        "p_equal tests that all groups are equal. A gap describes these data; it does not say why there is one, and "
        "in small groups chance alone makes one",
        "p_equal 检验“各组相等”。差距只描述这些数据，并不说明原因；组小时，仅凭偶然也会出现差距",
    ),
    "note.nothing_there": ("{empty:notes}", "{empty:notes}"),
    "note.function_nan": ("the function returned NaN", "函数返回 NaN"),
    "note.small_positives_rows": ("small: {count:count} positive {count:one|row|rows}", "小组：{count:count} 行阳性"),
    "note.small_negatives_rows": ("small: {count:count} negative {count:one|row|rows}", "小组：{count:count} 行阴性"),
    "note.small_positives_clusters": ("small: {count:count} clusters with positives", "小组：{count:count} 个群含阳性"),
    "note.small_negatives_clusters": ("small: {count:count} clusters with negatives", "小组：{count:count} 个群含阴性"),
    "note.small_groups": ("small groups: {groups}", "小组：{groups}"),
    "note.small_groups_say_little": (
        "small groups (fewer than {few:count} positives or negatives): {groups}; gaps there are unreliable",
        "小组（阳性或阴性少于 {few:count} 个）：{groups}；其差距不可靠",
    ),
    "note.only_one_group": ("{column} has only one group", "{column} 只有一个组"),
    "note.undefined_for": (
        "{metric} is undefined or has no interval in {groups}: {why}",
        "{metric} 或其区间在 {groups} 中无定义：{why}",
    ),
    "note.undefined_in": ("{metric} is undefined in {group}: {why}", "{metric} 在 {group} 中无定义：{why}"),
    "note.undefined_in_more": (
        "{metric} is undefined in {group} (and in {more:count} more): {why}",
        "{metric} 在 {group}（及另外 {more:count} 个组）中无定义：{why}",
    ),
    "note.ratio_needs_positive": ("a ratio needs values of at least 0", "比值要求数值不小于 0"),
    "note.zero_everywhere": ("{metric} is 0 in every group", "{metric} 在每个组中均为 0"),
    "note.zero_in": ("{metric} is 0 in {group}", "{metric} 在 {group} 中为 0"),
    "note.group_minus": (
        "{first} {first_value:cost} minus {second} {second_value:cost}",
        "{first} {first_value:cost} 减 {second} {second_value:cost}",
    ),
    "note.group_over": (
        "{first} {first_value:cost} over {second} {second_value:cost}",
        "{first} {first_value:cost} 除以 {second} {second_value:cost}",
    ),
    "note.chance_spread": (
        "if all {groups:count} groups were equal, chance alone would spread them by about {spread:cost}",
        "若 {groups:count} 个组全部相等，仅偶然性就会使其相差约 {spread:cost}",
    ),
    "note.farthest_of": ("the most distant of {groups:count} groups", "{groups:count} 个组中相差最大者"),
    "note.member_without_interval": ("one group has no interval, so this has none", "有一个组没有区间，因此这里也没有"),
    "note.group_left_out": ("left out: {group} ({why})", "未计入：{group}（{why}）"),
    "note.too_many_pairs": (
        "{groups:count} groups make {pairs:count} pairs; at most {most:count} groups are paired: merge small groups",
        "{groups:count} 个组有 {pairs:count} 对；最多对 {most:count} 个组逐对比较：请合并小组",
    ),
    "note.xauc_needs_both": (
        "xAUC between {first} and {second} needs both classes in each",
        "{first} 与 {second} 的 xAUC 要求两组都有两个类别",
    ),
    "note.xauc_pair": (
        "a positive of {first} outranks a negative of {second} with probability {first_value:cost}, a positive of "
        "{second} a negative of {first} with {second_value:cost}",
        "{first} 的阳性排在 {second} 的阴性之前的概率为 {first_value:cost}，{second} 的阳性排在 {first} 的阴性之前的概"
        "率为 {second_value:cost}",
    ),
    "note.criterion_undefined": ("{criterion} is undefined: {why}", "{criterion} 无定义：{why}"),
    "note.criteria_together": (
        "intervals and p-values cover all {criteria:count} criteria together (Bonferroni), so they are wider than "
        "those of one metric by group",
        "区间和 P 值已对全部 {criteria:count} 项标准作多重比较校正（Bonferroni），因此比各组单个指标的区间更宽",
    ),
    "note.criteria_clash": (
        "prevalence differs ({low_prevalence:cost} in {low}, {high_prevalence:cost} in {high}), so precision, recall "
        "and false positive rate cannot all be equal. With precision {precision:cost} and recall {recall:cost}, as "
        "overall, the false positive rate would be {low_fpr:cost} in {low} and {high_fpr:cost} in {high} "
        "(Chouldechova 2017)",
        "患病率不同（{low} 为 {low_prevalence:cost}，{high} 为 {high_prevalence:cost}），因此精确率、灵敏度和假阳性率"
        "不可能全部相等。若各组均取总体精确率 {precision:cost} 和灵敏度 {recall:cost}，假阳性率将在 {low} 为 "
        "{low_fpr:cost}，在 {high} 为 {high_fpr:cost}（Chouldechova 2017）",
    ),
    "note.criteria_clash_beyond": (
        "prevalence differs ({low_prevalence:cost} in {low}, {high_prevalence:cost} in {high}), so precision, recall "
        "and false positive rate cannot all be equal. With precision {precision:cost} and recall {recall:cost}, as "
        "overall, the false positive rate would be {low_fpr:cost} in {low} and {high_fpr:cost} in {high} (above 1, so "
        "impossible; Chouldechova 2017)",
        "患病率不同（{low} 为 {low_prevalence:cost}，{high} 为 {high_prevalence:cost}），因此精确率、灵敏度和假阳性率"
        "不可能全部相等。若各组均取总体精确率 {precision:cost} 和灵敏度 {recall:cost}，假阳性率将在 {low} 为 "
        "{low_fpr:cost}，在 {high} 为 {high_fpr:cost}（大于 1，无法达到；Chouldechova 2017）",
    ),
    "note.calibration_clash": (
        "for the same reason, a score calibrated in every group cannot have equal error rates in all of them unless "
        "it is perfect (Kleinberg et al. 2016): decide which matters here",
        "出于同样原因，在每个组中都校准的分数不可能在各组有相同的错误率，除非它是完美的（Kleinberg 等 2016）：请决定此"
        "处两者中哪个更重要",
    ),
    "note.no_calibration_by_group": (
        "scores are not in [0, 1], so calibration by group is not measured",
        "分数不在 [0, 1] 之内，因此不评估各组的校准",
    ),
    "note.keeps_threshold": ("{group} keeps the threshold {threshold}: {why}", "{group} 保留阈值 {threshold}：{why}"),
    "note.guarantee_by_group": (
        "the limit is guaranteed with {confidence:level} confidence in each of {groups:count} groups, and in all of "
        "them together with at least {together:level}",
        "{groups:count} 组中每组以 {confidence:level} 的置信度保证该限值，全部各组同时成立的置信度不低于 "
        "{together:level}",
    ),
    "note.no_common_threshold": ("all rows together: {why}", "全部行合计：{why}"),
    "note.chosen_on_these_rows": ("thresholds chosen on these data are optimistic", "用这些数据选出的阈值偏乐观"),
    "note.treats_by_group": (
        "a threshold for each group treats people differently by group; the law decides whether that is allowed",
        "各组使用不同阈值即按所属组区别对待；是否允许由法律规定",
    ),
}

"""Then and now: a saved evaluation, and what has changed since."""

WORDS = {
    # then and now: a saved evaluation, and what has changed since
    "note.rows_not_saved": (
        "Rows are not saved: whatever needs them, such as another metric, group or level, needs the data.",
        "数据行未保存：需要原始行的内容（如其他指标、分组或置信水平）须由数据重新计算。",
    ),
    "note.when_then": ("in the baseline", "基线"),
    "note.when_now": ("now", "本次"),
    "note.change_undefined": ("undefined {when}: {why}", "{when}中无定义：{why}"),
    "note.change_no_interval": ("there is no interval {when}", "{when}没有置信区间"),
    "note.log_loss_infinite": (
        "The log loss is infinite: {count:count} of {total:count} rows gave probability 0 to what happened "
        "({positives:count} positive with p = 0, {negatives:count} negative with p = 1)",
        "对数损失为无穷大：{total:count} 行中有 {count:count} 行的实际结果被赋予概率 0（{positives:count} 行阳性而 p "
        "= 0，{negatives:count} 行阴性而 p = 1）",
    ),
    "note.log_loss_infinite_weight": (
        "The log loss is infinite: {count} of a weight of {total} gave probability 0 to what happened ({positives} "
        "positive with p = 0, {negatives} negative with p = 1)",
        "对数损失为无穷大：权重 {total} 中有 {count} 的实际结果概率为 0（{positives} 为阳性而 p = 0，{negatives} 为阴"
        "性而 p = 1）",
    ),
    "note.change_infinite": ("the number is infinite", "数值为无穷大"),
    "note.levels_differ": (
        "the baseline has {then:level} intervals, this one {now:level}",
        "基线的置信水平为 {then:level}，本次为 {now:level}",
    ),
    "note.levels_differ_so": (
        "The baseline has {then:level} intervals and this evaluation {now:level}: differences have no interval. Make "
        "both with the same level.",
        "基线的置信水平为 {then:level}，本次评估为 {now:level}，因此差值没有置信区间。请用相同的置信水平重新生成。",
    ),
    "note.same_rows": ("The baseline has the same rows: differences are paired.", "基线与本次的行相同：按行配对比较。"),
    "note.same_file": (
        "The baseline was made from the same file, {file}. The intervals treat the rows as different ones and are too "
        "wide; compare both scores of one file instead.",
        "基线由同一个文件 {file} 生成。区间把两者当作不同的行，因而过宽；请改为比较同一文件中的两列分数。",
    ),
    "note.renamed": ("{now} is compared with the baseline’s only model, {then}.", "{now} 与基线唯一模型 {then} 比较。"),
    "note.only_now": (
        "Not in the baseline ({count:count}): {names:names}.",
        "基线没有 {count:count} 个：{names:names}。",
    ),
    "note.only_then": (
        "Only in the baseline ({count:count}): {names:names}.",
        "仅基线有 {count:count} 个：{names:names}。",
    ),
    "note.threshold_of_baseline": (
        "Rates at the baseline's threshold: for the baseline, those expected on new data, corrected for the choice of "
        "the threshold where that is known; for now, those counted on these data.",
        "基线阈值处的各项比率：基线一栏是当时对新数据的预期值，在可行时已针对阈值的选择作校正；本次一栏由本次数据直接"
        "计数得到。",
    ),
    "note.psi_convention": (
        "PSI, the population stability index, counts as little below 0.1, some up to 0.25, large above: a convention "
        "that ignores the number of rows. If nothing has changed, chance alone exceeds the limit beside it in "
        "{beyond:level} of cases.",
        "PSI（群体稳定性指数）低于 0.1 视为变化很小，0.1 至 0.25 为有一定变化，高于 0.25 为变化较大：这是惯例，未考虑"
        "行数。如果没有任何变化，仅凭偶然超过旁边所列上限的概率为 {beyond:level}。",
    ),
    "note.of_metric_when": ("{metric} {when}: {said}", "{metric}（{when}）：{said}"),
    "note.ks_in_bins": (
        "Scores were counted in bins: the exact KS may be larger by up to {within:short}.",
        "分数按箱计数：精确的 KS 可能更大，最多大 {within:short}。",
    ),
    "note.window_no_sign": (
        "No evidence of a change in {metric}: {then:area} in the reference, {now:area} now ({ends}).",
        "未发现{metric}有变化：参考窗口 {then:area}，现在 {now:area}（{ends}）。",
    ),
    "note.window_no_sign_prevalence": (
        "No evidence of a change in prevalence: {then:share} in the reference, {now:share} now ({ends}).",
        "未发现阳性比例有变化：参考窗口 {then:share}，现在 {now:share}（{ends}）。",
    ),
    "note.window_no_sign_scores": (
        "No evidence of a change in the scores: PSI {psi:area}, where chance alone reaches {limit:area}; largest "
        "distance between the distributions (KS) {ks:area}.",
        "未发现分数分布有变化：PSI {psi:area}，仅凭偶然可达 {limit:area}；两个分布之间的最大距离（KS）{ks:area}。",
    ),
    "note.window_too_few": (
        "Too few rows to judge a change in {metric}: {why}.",
        "行数太少，{metric}无法判断：{why}。",
    ),
    "note.window_few_rows": (
        "{count:count} {count:one|row|rows} {when}; at least {least:count} are needed",
        "{when}只有 {count:count} 行，至少需要 {least:count} 行",
    ),
    "note.window_few_positives": (
        "{count:count} {count:one|positive|positives} {when}; at least {least:count} are needed",
        "{when}只有 {count:count} 个阳性，至少需要 {least:count} 个",
    ),
    "note.window_few_negatives": (
        "{count:count} {count:one|negative|negatives} {when}; at least {least:count} are needed",
        "{when}只有 {count:count} 个阴性，至少需要 {least:count} 个",
    ),
    "note.when_reference": ("in the reference", "参考窗口"),
    "note.window_looks": (
        "Each question is tested at {level:level} for this one look. If nothing changes, about {beyond:level} of such "
        "looks still find a change for each question: one in {every:count} daily looks. For regular looks, use a "
        "higher level.",
        "每个问题都按 {level:level} 的水平检验，只针对这一次查看。即使没有任何变化，每个问题仍有约 {beyond:level} 的查"
        "看会发现“变化”：若每天查看，大约每 {every:count} 次就有一次。定期查看时请提高 level。",
    ),
    "said.scores": ("the scores", "分数分布"),
    "note.ks_within": (
        "The baseline’s scores were saved at every percentile of each class, so KS is correct to within {within:area}.",
        "基线的分数按各类别的每个百分位保存：KS 的误差不超过 {within:area}。",
    ),
    "note.difference_ends": (
        "{level:level} interval of the difference {ends:area_ends}",
        "差值的 {level:level} 置信区间 {ends:area_ends}",
    ),
    "note.difference_points": (
        "{level:level} interval of the difference {ends:points_ends}",
        "差值的 {level:level} 置信区间 {ends:points_ends}",
    ),
    "note.metric_rose": (
        "{metric} rose by {size:area}, from {then:area} to {now:area} ({ends}).",
        "{metric}上升了 {size:area}，由 {then:area} 升至 {now:area}（{ends}）。",
    ),
    "note.metric_fell": (
        "{metric} fell by {size:area}, from {then:area} to {now:area} ({ends}).",
        "{metric}下降了 {size:area}，由 {then:area} 降至 {now:area}（{ends}）。",
    ),
    "note.no_clear_change": (
        "No clear change ({level:level} intervals of differences): {what}.",
        "没有明确变化（差值的 {level:level} 置信区间）：{what}。",
    ),
    "note.unclear_metric": (
        "{metric} {difference:area} ({low:area} to {high:area})",
        "{metric}差值 {difference:area}（{low:area}～{high:area}）",
    ),
    "note.unclear_scores": (
        "scores (PSI {psi:area}; chance alone reaches {limit:area})",
        "分数分布（PSI {psi:area}，仅凭偶然可达 {limit:area}）",
    ),
    "note.difference_without": ("{metric}: {why}.", "{metric}：{why}。"),
    "note.metric_then_now": (
        "{metric} was {then:area} and is {now:area}; the difference, {difference:area}, has no interval: {why}.",
        "{metric}当时为 {then:area}，现在为 {now:area}；差值 {difference:area} 没有置信区间：{why}。",
    ),
    "note.change_unknown": ("No change in {metric} can be stated: {why}.", "无法说明{metric}的变化：{why}。"),
    "note.ap_with_prevalence": (
        "Average precision depends on prevalence, which also changed: part of the change may not be the model’s.",
        "平均精确率随阳性比例而变，而阳性比例也发生了变化：其变化的一部分可能并非来自模型。",
    ),
    "note.fit_farther": (
        "{metric} is further from its ideal value {target}: {then:area} then, {now:area} now ({ends}).",
        "{metric}离理想值 {target} 更远：当时 {then:area}，现在 {now:area}（{ends}）。",
    ),
    "note.fit_closer": (
        "{metric} is closer to its ideal value {target}: {then:area} then, {now:area} now ({ends}).",
        "{metric}离理想值 {target} 更近：当时 {then:area}，现在 {now:area}（{ends}）。",
    ),
    "note.rate_rose": (
        "{metric} at the baseline's threshold, {threshold:cut}, rose by {size:points}, from {then:share} to "
        "{now:share} ({ends}).",
        "在基线的阈值 {threshold:cut} 处，{metric}上升了 {size:points}，由 {then:share} 升至 {now:share}（{ends}）。",
    ),
    "note.rate_fell": (
        "{metric} at the baseline's threshold, {threshold:cut}, fell by {size:points}, from {then:share} to "
        "{now:share} ({ends}).",
        "在基线的阈值 {threshold:cut} 处，{metric}下降了 {size:points}，由 {then:share} 降至 {now:share}（{ends}）。",
    ),
    "note.prevalence_rose": (
        "Prevalence rose by {size:points}, from {then:share} to {now:share} ({ends}).",
        "阳性比例上升了 {size:points}，由 {then:share} 升至 {now:share}（{ends}）。",
    ),
    "note.prevalence_fell": (
        "Prevalence fell by {size:points}, from {then:share} to {now:share} ({ends}).",
        "阳性比例下降了 {size:points}，由 {then:share} 降至 {now:share}（{ends}）。",
    ),
    "note.prevalence_no_clear_change": (
        "No clear change in prevalence: {then:share} then, {now:share} now ({ends}).",
        "阳性比例没有明确变化：当时 {then:share}，现在 {now:share}（{ends}）。",
    ),
    "note.prevalence_then_now": (
        "Prevalence was {then:share} and is {now:share}; the difference has no interval: {why}.",
        "阳性比例当时为 {then:share}，现在为 {now:share}；差值没有置信区间：{why}。",
    ),
    "note.scores_drifted": (
        "The scores have shifted: PSI {psi:area} ({size}, by convention), where chance alone rarely exceeds "
        "{limit:area}; largest distance between the distributions (KS) {ks:area}.",
        "分数分布发生了偏移：PSI {psi:area}（按惯例：{size}），仅凭偶然很少超过 {limit:area}；两个分布之间的最大距离"
        "（KS）{ks:area}。",
    ),
    "note.scores_drift_unsure": (
        "PSI of the scores is {psi:area} ({size}, by convention), KS {ks:area}; the effect of chance is not known for "
        "clustered, stratified or weighted rows, or for the same rows.",
        "分数的 PSI 为 {psi:area}（按惯例：{size}），KS {ks:area}；对于成群、分层或加权的行，或相同的行，偶然所致的大"
        "小未知。",
    ),
    "note.scores_equal_then": (
        "All baseline scores are equal, so PSI is undefined; largest distance between the distributions (KS) "
        "{ks:area}.",
        "基线的所有分数都相等，因此 PSI 无定义；两个分布之间的最大距离（KS）{ks:area}。",
    ),
    "said.predicted_rate": ("share of rows flagged", "预警比例"),
    "note.more_changes": ("{more:count} more are listed below.", "另有 {more:count} 条见下文。"),
    "said.observed_expected": ("observed over expected", "实际数与预期数之比（O/E）"),
    "said.calibration_slope": ("the calibration slope", "校准斜率"),
    "drift_size.little": ("little", "变化很小"),
    "drift_size.some": ("some", "有一定变化"),
    "drift_size.large": ("large", "变化较大"),
    "baseline.of": (
        "Baseline: {source}, {rows:count} rows; now {now:count} rows.",
        "基线：{source}，{rows:count} 行；现在 {now:count} 行。",
    ),
    "baseline.unnamed": ("an earlier evaluation", "较早的一次评估"),
    "baseline.table": (
        "Then and now ({level:level} intervals of differences)",
        "当时与现在（差值 {level:level} 区间）",
    ),
    "baseline.at_threshold": ("At the baseline's threshold, {threshold:amount}", "在基线的阈值 {threshold:amount} 处"),
    "baseline.bins": ("{part}, {when}", "{part}，{when}"),
    "baseline.drift": ("How far the scores have shifted", "分数分布偏移了多少"),
    "baseline.prevalence": ("Share of positives", "阳性比例"),
    "column.then": ("Then", "当时"),
    "column.now": ("Now", "现在"),
    "column.part": ("Rows", "行"),
    "column.psi": ("PSI", "PSI"),
    "column.psi_limit": ("Chance limit", "偶然上限"),
    "column.size": ("Size", "程度"),
    "column.ks": ("KS", "KS"),
    "drift_part.all": ("All", "全部"),
    # texts that another key has
    "drift_part.positives": "column.positives",
    "drift_part.negatives": "column.negatives",
}

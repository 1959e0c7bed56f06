"""English."""

WORDS = {
    # numbers and small words
    "number.percent": "%",
    "number.between": " to ",
    "number.points": " points",
    "list.and": " and ",
    "list.row": "row {rows}",
    "list.rows": "rows {rows}",
    "list.comma": ", ",
    "list.last": " and ",
    "list.more": "{names} and {more} more",
    "list.semicolon": "; ",
    # the terminal: what stands around paragraphs and tables
    "terminal.note": "Note: ",
    "terminal.warn": "Warning: ",
    "terminal.titled": "{title}: ",
    "terminal.stop": ".",
    "terminal.fact": "fact",
    "terminal.value": "value",
    "terminal.axes": "TPR against FPR, both from 0 to 1",
    "terminal.more_curves": "; {more:count} more in the report",
    "terminal.report": "Report: {path}",
    "terminal.demo": "The simulated data are in {data}. Next, try: {command}",
    "space": " ",
    "colon": ":",
    "yes": "yes",
    "no": "no",
    "interval": "{level:level} interval {ends}",
    "cut.none": "no row flagged",
    # the page
    "page.title": "Classifier report",
    "page.title.of": "Classifier report: {names}",
    "page.subtitle": "{rows:count} rows, {positives:count} positive ({prevalence:share})",
    "page.subtitle.weighted": "{rows:count} rows (weight {weight:count}), {positives:count} of the weight positive "
    "({prevalence:share})",
    "page.rows": "{rows:count} rows",
    "page.names": "{names:names}",
    "page.positive": "positive: {label} = {positive}",
    "page.date": "{year}-{month}-{day}",
    "page.print_tables": "Print the tables and folded parts, too",
    "page.contents": "Contents",
    "page.skip": "Skip to the report",
    "page.table": "Table",
    "page.models": "Models",
    "page.remarks": "Remarks on these numbers ({count:count})",
    "comparison.by": "Compared by",
    "page.show_models": "Models shown",
    "page.other_models": "{n} others, grey",
    "page.scroll": "Table, scrolls sideways: {caption}",
    "page.footer": "Made by curvewise {version}. This page loads nothing and sends nothing.",
    "section.summary": "Summary",
    "section.data": "Data and methods",
    "section.caveats": "Caveats",
    "section.classes": "Class by class",
    # summary
    # questions, and the answers that summary, sections, caveats and terminal share
    "ask.better": "Which model is better?",
    "ask.ranking": "How well does it rank?",
    "ask.threshold": "Which threshold?",
    "ask.then": "What happens then?",
    "ask.probabilities": "Can the probabilities be trusted?",
    "ask.groups": "Is it fair?",
    "ask.sites": "Does it work everywhere?",
    "ask.folds": "How much does it vary over folds?",
    "ask.caveats": "What should I beware of?",
    "note.stream_in_bins": "Scores are counted in bins since there were more than {most:count} different ones; "
    "areas and rates come with limits between which the exact ones lie.",
    "note.better_of_two": "{model} is better.",
    "note.best_of_all": "{model} is the best of the {models:count} models.",
    "note.better_unknown": "Not decided: these rows do not show which is better of {models:names}.",
    "note.better_depends": "It depends on the use: {models:names} are each better in one way.",
    "note.pair_better_area": "By {metric}, {first} is better than {second}: {first_value:area} against "
    "{second_value:area} (difference {difference:area}, {ends}; {p}).",
    "note.pair_same_area": "By {metric}, {first} and {second} cannot be told apart: {first_value:area} against "
    "{second_value:area} (difference {difference:area}, {ends}; {p}).",
    "note.pair_better_cost": "{first} costs less per case than {second}: {first_value:cost} against "
    "{second_value:cost} (difference {difference:cost}, {ends}; {p}), each at its own cheapest threshold.",
    "note.pair_same_cost": "By cost, {first} and {second} cannot be told apart: {first_value:cost} against "
    "{second_value:cost} per case (difference {difference:cost}, {ends}; {p}), each at its own cheapest threshold.",
    "note.ends_area": "{level:level} interval {low:area} to {high:area}",
    "note.ends_area_all": "{level:level} interval for all {tests:count} comparisons together {low:area} to {high:area}",
    "note.ends_cost": "{level:level} interval {low:cost} to {high:cost}",
    "note.ends_cost_all": "{level:level} interval for all {tests:count} comparisons together {low:cost} to {high:cost}",
    "note.p_plain": "p\u00a0{p:relation}",
    "note.p_of_tests": "p\u00a0{p:relation}, corrected for {tests:count} comparisons",
    "note.leads_all_area": "By {metric}, {model} leads with {value:area}, clearly ahead of {clear:names}.",
    "note.leads_some_area": "By {metric}, {model} leads with {value:area}, clearly ahead of {clear:names}, but not "
    "told apart from {alike:names}.",
    "note.leads_none_area": "By {metric}, {model} leads with {value:area}, but is not told apart from {alike:names}.",
    "note.leads_all_cost": "{model} costs least, {value:cost} per case at its own cheapest threshold, clearly less "
    "than {clear:names}.",
    "note.leads_some_cost": "{model} costs least, {value:cost} per case at its own cheapest threshold, clearly less "
    "than {clear:names}, but not told apart from {alike:names}.",
    "note.leads_none_cost": "{model} costs least, {value:cost} per case at its own cheapest threshold, but is not told "
    "apart from {alike:names}.",
    "note.top_decides": "AUC weighs all false positive rates alike; average precision looks at the highest scores, "
    "where alarms are raised when positives are rare ({prevalence:share} here). {model} is ahead there.",
    "note.whole_decides": "AUC weighs all false positive rates alike; average precision looks at the highest scores. "
    "{model} is ahead over all thresholds, not clearly among the highest scores.",
    "note.areas_disagree": "AUC weighs all false positive rates alike; average precision looks at the highest "
    "scores. The curves cross, so the better model depends on how many rows can be flagged: state costs, or a limit "
    "on false positives.",
    "note.areas_against_cost": "By {metrics:names}, {models:names} would look better than {model}: that averages over "
    "thresholds which the stated costs do not use.",
    "note.areas_against_range": "By {metrics:names}, {models:names} would look better than {model}: that looks at "
    "false positive rates beyond the limit.",
    "note.picked": "{model} was picked among {models:count} models by these rows, which flatters it: if all were "
    "equally good, the best would look better than it is by about {amounts:names}.",
    "note.picked_with_ends": "{model} was picked among {models:count} models by these rows, which flatters it: if all "
    "were equally good, the best would look better than it is by about {amounts:names}. Intervals that allow for the "
    "choice ({level:level}): {ends:names}.",
    "note.selection_bias_area": "{amount:area} of {metric}",
    "note.selection_bias_cost": "{amount:cost} per case",
    "note.picked_ends": "{metric} {ends:area_ends}",
    "note.partial_auc_up_to": "partial AUC (false positive rate up to {fpr:share})",
    "note.ranks_better": "{model} ranks better than chance: AUC {value:area}, {level:level} interval {low:area} to "
    "{high:area} (0.5 is chance, 1 perfect).",
    "note.ranks_unclear": "These rows do not show that {model} ranks better than chance: AUC {value:area}, and the "
    "{level:level} interval {low:area} to {high:area} holds 0.5.",
    "note.ranks_worse": "{model} ranks worse than chance: AUC {value:area}, {level:level} interval {low:area} to "
    "{high:area}. Are its scores, or the labels, reversed?",
    "note.all_rank_better": "{models:count} models rank better than chance: AUC {low:area} to {high:area}, each "
    "interval above 0.5.",
    "note.more_without_skill": "Nor is it shown for {more:count} more models.",
    "note.threshold_high": "{model}: flag scores of {threshold:cut} or more. Rule: {rule}. {worth}",
    "note.threshold_low": "{model}: flag scores of {threshold:cut} or less. Rule: {rule}. {worth}",
    "note.threshold_none": "{model}: flag no row; no alarm is worth its cost. Rule: {rule}.",
    "note.miss_implied": "This treats a miss as bad as {ratio:short} false alarms; state costs if that is not so.",
    "note.miss_implied_alike": "This treats a miss and a false alarm alike; state costs if that is not so.",
    "note.miss_stated_alike": "A miss and a false alarm count alike, as stated.",
    "note.miss_stated": "A miss is taken to be as bad as {ratio:short} false alarms, as stated.",
    "note.advise_every": "{model}: flag every row, at a cost of {second_value:cost} per case. The cheapest threshold, "
    "{threshold:cut}, is expected to cost {first_value:cost} (difference {difference:cost}, {ends}; {p}).",
    "note.advise_none": "{model}: flag no row, at a cost of {second_value:cost} per case. The cheapest threshold, "
    "{threshold:cut}, is expected to cost {first_value:cost} (difference {difference:cost}, {ends}; {p}).",
    "note.not_below_every": "{model}: these rows do not show that a threshold costs less than flagging every row: "
    "{first_value:cost} against {second_value:cost} per case (difference {difference:cost}, {ends}; {p}).",
    "note.not_below_none": "{model}: these rows do not show that a threshold costs less than flagging no row: "
    "{first_value:cost} against {second_value:cost} per case (difference {difference:cost}, {ends}; {p}).",
    "note.trivial_every": "flagging every row costs {trivial:cost} per case, no more than the {cost:cost} expected at "
    "this threshold",
    "note.trivial_none": "flagging no row costs {trivial:cost} per case, no more than the {cost:cost} expected at "
    "this threshold",
    "note.then_every": "{model}: every row is flagged, so no positive is missed and {prevalence:share} of the alarms "
    "are right.",
    "note.no_threshold_without_skill": "{model}: none is advised, because these rows do not show that it ranks better "
    "than chance.",
    "note.no_threshold_meets_rule": "{model}: no threshold satisfies the rule ({rule}).",
    "note.then_new": "{model}: on new rows, expect that of {base} alarms {precision:of_base} are right and of {base} "
    "positives {recall:of_base} are found. Of {cases} cases about {alarms:of_cases} raise an alarm, {right:of_cases} "
    "of them rightly, and {missed:of_cases} positives are missed (prevalence {prevalence:share}).",
    "note.then_here": "{model}: on these rows, of {base} alarms {precision:of_base} are right and of {base} positives "
    "{recall:of_base} are found. Of {cases} such cases {alarms:of_cases} raise an alarm, {right:of_cases} of them "
    "rightly, and {missed:of_cases} positives are missed (prevalence {prevalence:share}).",
    "note.then_none": "{model}: no row is flagged, so there are no alarms and every positive is missed (prevalence "
    "{prevalence:share}).",
    "note.then_costs": "{model}: expected cost {cost:cost} per case, against {none:cost} if no row is flagged and "
    "{every:cost} if every row is.",
    "note.costs_corrected": "costs are those expected on new rows, corrected for the choice of the thresholds",
    "note.costs_uncorrected": "costs are those of these rows, on which the thresholds were chosen: too low",
    "note.not_probabilities": "{model} gives scores, not probabilities.",
    "note.trust": "{model}: {verdict}.",
    "note.recalibrate": "{model}: {verdict}. Recalibrate before using them as probabilities.",
    "note.groups_differ": "{model}: {metric} differs between groups of {column}, by {gap:points} from the lowest to "
    "the highest ({level:level} interval {ends:points_ends}; p\u00a0{p:relation}, corrected for all metrics and "
    "columns).",
    "note.groups_alike": "No difference between groups in recall or false positive rate is larger than chance explains "
    "({looked:count} compared, p-values corrected for all metrics and columns). With few rows in a group, a large "
    "difference can go unseen.",
    "note.groups_differ_more": "{more:count} more such differences are in the section.",
    "note.groups_undefined": "Recall and false positive rate have no value in some group, so groups cannot be "
    "compared.",
    "note.sites_pooled": "{model}: AUC over all sites {value:area} ({level:level} interval {low:area} to {high:area}); "
    "at a new site expect {new_low:area} to {new_high:area}.",
    "note.folds_mean": "{model}: mean AUC over {folds:count} folds {value:area} ({level:level} interval {low:area} to "
    "{high:area}), standard deviation over folds {spread:area}; all rows pooled {pooled:area}.",
    "note.folds_mean_alone": "{model}: mean AUC over {folds:count} folds {value:area}, standard deviation over folds "
    "{spread:area}; all rows pooled {pooled:area}.",
    "note.no_caveats": "No caveats.",
    "note.caveats_counted": "{counted}: see Caveats.",
    "note.warnings_one": "1 warning",
    "note.warnings_many": "{count:count} warnings",
    "note.remarks_one": "1 remark",
    "note.remarks_many": "{count:count} remarks",
    "note.first_and_second": "{first} and {second}",
    "note.no_skill": "AUC is {auc:area} and its interval holds 0.5: these rows do not show that the score says "
    "anything about the label.",
    "note.looks_like_id": "Nearly every row has a score of its own, and AUC is {auc:area}, no better than chance: is "
    "this column an identifier or a row number?",
    "card.roc_auc": "of pairs ranked rightly; 0.5 is chance",
    "card.average_precision": "mean precision; chance is {prevalence:share}",
    "card.recall.new": "of positives found, on new rows",
    "card.recall.here": "of positives found, on these rows",
    "card.precision.new": "of alarms right, on new rows",
    "card.precision.here": "of alarms right, on these rows",
    "card.expected_cost": "{unit}per case; flagging none {none:cost}, all {every:cost}",
    "card.leader": "better on these data",
    "card.leader.use": "better for this use",
    "models.table": "The models ({level:level} intervals)",
    "caveats.more": "{more:count} more, of models that are not shown one by one, are in the report’s data (-o "
    "report.json).",
    "caveats.left_out": "Not included, and why",
    # data
    "data.made": "How this was made",
    "data.scores.fold": "Scores, groups and sites",
    "data.dropped": "Rows dropped for missing values",
    "data.weights": "Weights",
    "data.strata": "Strata",
    "data.clusters": "Clusters",
    "data.label": "Label",
    "data.positive": "Counts as positive",
    "data.stated_prevalence": "Prevalence where it will be used",
    "data.of_rows": "{count:count} ({share:share})",
    "data.weighted": "yes, column {column}, sum {sum:count}; positives and negatives are sums of weights",
    "data.stratified": "{count:count} (column {column}); rows, or clusters, were sampled within strata",
    "data.clustered": "{count:count} (column {column}); rows of one cluster are not independent",
    "data.scores": "Scores of each model",
    "data.groups": "Groups and their rows",
    "data.sites": "Sites and their rows",
    "why.outside": "some lie outside 0 to 1",
    "why.decisions": "they are 0 or 1 only: decisions",
    # ranking
    "ranking.lead": "A good model gives positives higher scores than negatives. No threshold is chosen yet.",
    "ranking.table": "How well the scores rank ({level:level} intervals)",
    "ranking.spread": "Scores by class",
    "ranking.more": "More curves",
    # comparison
    "comparison.table": "Differences in {metric}, first minus second ({level:level} intervals)",
    "comparison.all": "All models equal: chi-square {chi:cost} on {degrees:count} degrees of freedom, "
    "p\u00a0{p:relation}.",
    "comparison.how": "Same rows for all models, so the test is paired. Method: {method}. A test on rows "
    "that a model was fitted on is not valid.",
    "way.delong": "DeLong",
    "way.percentile": "bootstrap, percentile",
    "way.basic": "bootstrap, basic",
    "way.bca": "bootstrap, BCa",
    "way.score": "score interval",
    "way.log": "on the log scale",
    "way.log-complement": "on the log scale of what is lacking to 1",
    "way.beta": "Beta distributions",
    "way.jeffreys": "Jeffreys",
    "way.influence": "influence of each row",
    "way.bootstrap": "paired bootstrap",
    "way.paired-costs": "differences of cost, row by row",
    # the explorer
    "explorer.lead": "Every threshold is a trade: fewer false alarms, more misses. Move it and see what happens. The "
    "sliders use the rates of these rows, uncorrected; what to expect on new rows of the rule’s choice stands below "
    "them.",
    "explorer.noscript": "The sliders need JavaScript. What the rule chose is below, complete.",
    "explorer.title": "Operating-point explorer",
    "explorer.threshold.exact": "Threshold as a number",
    "explorer.threshold.copy": "Copy the exact threshold",
    "explorer.fewer": "fewer alarms",
    "explorer.more": "more alarms",
    "explorer.presets": "Jump to",
    "explorer.rule": "Chosen by rule",
    "explorer.youden": "Youden’s J",
    "explorer.cheapest": "Cheapest",
    "explorer.at_most": "False positive rate at most",
    "explorer.at_least": "Recall at least",
    "explorer.find": "Find",
    "explorer.costs.title": "Costs and benefit",
    "explorer.fp": "A false alarm costs",
    "explorer.fn": "A miss costs",
    "explorer.ratio": "One miss equals",
    "explorer.ratio.after": "false alarms",
    "explorer.implied": "No costs were stated: this is what the rule’s choice implies.",
    "explorer.prevalence": "Prevalence where it is used",
    "explorer.prevalence.number": "Prevalence in per cent",
    "explorer.reset": "Reset all",
    "explorer.link": "Link to this view",
    "explorer.copy": "Copy link",
    "explorer.figures": "The point in each figure",
    "explorer.figures.note": "Figures show these rows at their own prevalence; the numbers beside are for the "
    "prevalence stated above. The decision curve takes probabilities as they stand: a model whose probabilities are "
    "off loses there, and not in the costs, which take its own cheapest threshold.",
    "explorer.matrix.note": "Large: these rows. Small: cases at the prevalence stated.",
    "explorer.rates": "Rates, uncorrected",
    "explorer.alarms": "Alarms",
    "explorer.costs": "Costs and benefits over all assumptions",
    "explorer.costs.lead": "How the models compare whatever a miss costs, and whatever the prevalence is.",
    "matrix.flagged": "alarm",
    "matrix.passed": "no alarm",
    "matrix.positive": "positive",
    "matrix.negative": "negative",
    # what the script says
    "js.positive": "Flag scores of {threshold} or more.",
    "js.negative": "Flag scores of {threshold} or less.",
    "js.none": "No row is flagged.",
    "js.alarms": "With the rates of these rows, of {base} alarms {ppv} are right, of {base} positives {recall} are "
    "found and of {base_negatives} negatives {fpr} are flagged.",
    "js.alarms_new": "On new rows, expect that of {base} alarms {ppv} are right, of {base} positives {recall} are "
    "found and of {base_negatives} negatives {fpr} are flagged.",
    "js.no_alarms": "There are no alarms, and every positive is missed.",
    "js.thinned": "The page keeps {kept} of {distinct} thresholds: one between those kept may come closer to "
    "the limit.",
    "js.between": "Nearest threshold kept in this page: {threshold}.",
    "js.no_cut": "No threshold reaches that; this one comes nearest.",
    "js.bad": "Please give a number in the range allowed.",
    "js.of_cases": "{count} of {cases}",
    "js.recall": "Recall (sensitivity)",
    "js.ppv_here": "Precision in these rows",
    "js.alarms_in": "Alarms in {cases} cases",
    "js.right_in": "of them right",
    "js.missed_in": "Misses in {cases} cases",
    "js.cost": "Expected cost per case",
    "js.cost_best": "at the cheapest threshold",
    "js.cost_none": "flagging no row",
    "js.cost_all": "flagging every row",
    "js.hover": "threshold\u00a0{threshold}: recall\u00a0{recall}, FPR\u00a0{fpr}, precision\u00a0{precision}",
    "js.space": " ",
    "js.copied": "Copied.",
    "js.none_short": "no row",
    "js.valuetext": "threshold {threshold}, recall {recall}, false positive rate {fpr}",
    "js.ratio_text": "one miss equals {ratio} false alarms",
    "js.model": "model",
    "js.threshold": "threshold",
    "js.tp": "true positives",
    "js.fp": "false positives",
    "js.precision": "precision",
    # what the script says of figures
    "js.save": "Save or copy",
    "js.png": "PNG",
    "js.svg": "SVG",
    "js.csv": "CSV",
    "js.copy": "Copy image",
    "js.copy_csv": "Copy CSV",
    "js.copied_text": "Copied as SVG text.",
    "js.not_copied": "This browser does not allow copying.",
    "js.unzoom": "Reset zoom",
    "js.exact": "Exact threshold: {threshold}",
    # a threshold for each group
    "policy.title": "A threshold for each group",
    "policy.lead": "What it would take to treat groups alike, by three meanings of alike, and what each costs. Where "
    "another prevalence is stated, positives and negatives of every group are weighted alike, so that the odds of "
    "every group change by the same factor.",
    "policy.column": "Groups of",
    "policy.at_rule": "A threshold for each group, at the rule’s choice",
    "policy.table": "{model}: thresholds by group",
    "policy.one": "One threshold for all",
    "policy.recall": "Same recall",
    "policy.fpr": "Same false positive rate",
    "policy.flagged": "Same share flagged",
    "policy.rates": "recall\u00a0{recall:share}, FPR\u00a0{fpr:share}, flagged\u00a0{flagged:share}",
    "policy.cost": "Cost per case, all rows",
    "js.policy_rates": "recall\u00a0{recall}, FPR\u00a0{fpr}, flagged\u00a0{flagged}",
    "js.policy_keeps": "keeps the common threshold",
    # the rule's choice
    "point.title": "Chosen by rule",
    "point.table.new": "At the chosen threshold, as expected on new rows ({level:level} intervals; precision and "
    "alarms at a prevalence of {prevalence:share})",
    "point.table.here": "At the chosen threshold, on these rows ({level:level} intervals; precision and alarms at a "
    "prevalence of {prevalence:share})",
    "point.detail": "The choice in detail",
    "point.by": "Rule: {rule}",
    "point.rule": "{rule} ({options})",
    "point.exact": "Exactly {exact}. To deploy, use {midpoint}: it flags the same rows and is safe where "
    "scores change in their last digit.",
    "point.same_rows": "The threshold was chosen on these rows, so the rates counted on them are better than what to "
    "expect on new ones. They are corrected for that; those without the correction stand beside them.",
    "point.optimism": "{quantity}: expect about {expected} on new rows ({interval}); uncorrected {apparent}.",
    "point.rates.new": "Rates at the chosen threshold, as expected on new rows ({level:level} intervals, prevalence "
    "{prevalence:share})",
    "point.rates.here": "Rates at the chosen threshold, on these rows ({level:level} intervals, prevalence "
    "{prevalence:share})",
    "rule.min_cost": "least expected cost",
    "rule.max_net_benefit": "highest net benefit",
    "rule.youden": "highest Youden’s J",
    "rule.closest_topleft": "closest to the perfect corner",
    "rule.equal_error": "equal errors",
    "rule.max_f": "highest F score",
    "rule.max_mcc": "highest Matthews correlation",
    "rule.max_kappa": "highest kappa",
    "rule.max_fpr": "highest recall within a false positive rate",
    "rule.min_specificity": "highest recall within a specificity",
    "rule.min_recall": "fewest false alarms with enough recall",
    "rule.min_precision": "highest recall with enough precision",
    "rule.max_alarms": "highest recall within a number of alarms",
    "rule.max_of": "a function given by the user",
    "rule_option.fp": "cost of a false alarm",
    "rule_option.fn": "cost of a miss",
    "rule_option.tp": "cost of a hit",
    "rule_option.tn": "cost of a pass",
    "rule_option.unit": "unit",
    "rule_option.decide_by": "decided by",
    "rule_option.at": "limit",
    "rule_option.threshold_probability": "threshold probability",
    "rule_option.function": "function",
    "rule_option.prevalence": "prevalence",
    # probabilities
    "probabilities.lead": "A probability can be trusted if, of 100 cases that were given 30%, about 30 turn "
    "out positive. A model can rank well and still fail this.",
    "probabilities.losses": "How good the probabilities are ({level:level} intervals)",
    "probabilities.parts": "Brier score decomposition",
    "probabilities.parts.note": "Loss = miscalibration − discrimination + uncertainty. Miscalibration is "
    "what recalibration would save; uncertainty is the loss of always stating the prevalence.",
    "probabilities.calibration": "Calibration of {model} ({level:level} intervals)",
    # groups, sites, classes
    "groups.lead": "The same model at the same threshold, group by group. A difference is not always "
    "unfair, and equality here does not prove fairness: labels may be biased too.",
    "groups.table": "Metrics by group ({level:level} intervals)",
    "groups.gaps": "How far groups lie apart: largest minus smallest ({level:level} intervals)",
    "groups.fairness": "Criteria of fairness",
    "groups.fairness.lead": "Where prevalence differs and the model is not perfect, these cannot all be met "
    "at once. Which one matters is not for statistics to say.",
    "groups.small": "small group",
    "groups.rows": "{n:count} rows, {positives:count} positive",
    "special.(all)": "all rows",
    "special.(pooled)": "all sites pooled",
    "special.(prediction)": "a new site",
    "sites.lead": "AUC does not depend on a site’s prevalence, but it does on its case mix: milder positives or harder "
    "negatives lower it. Precision follows the prevalence as well.",
    "sites.table": "AUC by site ({level:level} intervals)",
    "sites.more": "Each site in detail",
    "sites.spread": "Spread between sites: I² {i2:share}, τ² {tau2:cost}; test that all are equal: Q "
    "{q:cost}, p\u00a0{p:relation}.",
    "classes.estimates": "All classes together ({level:level} intervals)",
    "folds.lead": "Each row was scored by the model of its fold, which was not fitted on it. The mean over folds "
    "judges every model on its own rows; the pooled value also compares rows that different models scored.",
    "folds.summary": "AUC over folds ({level:level} intervals)",
    "folds.table": "AUC by fold ({level:level} intervals)",
    "folds.compared": "Difference of the mean AUC over folds ({level:level} intervals, corrected t-test)",
    "classes.table": "Class by class ({level:level} intervals)",
    "classes.confusion": "Confusion matrix",
    # figures
    "figure.of": "{title}: {model}",
    "figure.roc": "ROC curve",
    "figure.roc.caption": "Positives found against negatives flagged, over all thresholds. Up and left is "
    "better; the diagonal is chance.",
    "figure.roc_log": "ROC curve at few false alarms",
    "figure.roc_log.caption": "The same curve, with false positive rates by powers of ten: what can be found "
    "while few negatives are flagged. Up and left is better.",
    "figure.pr": "Precision and recall",
    "figure.pr.caption": "How many alarms are right against how many positives are found. Up and right is "
    "better; chance is the prevalence.",
    "figure.pr_gain": "Precision and recall gain",
    "figure.pr_gain.caption": "The same, scaled so that flagging every row is 0 at any prevalence. "
    "Prevalence still moves the area: compare areas at the same one.",
    "figure.det": "Detection error trade-off",
    "figure.det.caption": "Misses against false alarms on normal-deviate axes. Down and left is better.",
    "figure.lift": "Gain and lift",
    "figure.lift.caption": "How many positives the highest scores hold.",
    "figure.distribution": "Scores by class",
    "figure.distribution.caption": "Where the scores of positives and negatives lie. Little overlap is better.",
    "figure.confusion.caption": "Rows at the chosen threshold.",
    "figure.thresholds": "Rates over thresholds",
    "figure.thresholds.caption": "What changes as the threshold moves.",
    "figure.reliability": "Reliability",
    "figure.reliability.caption": "What happened against what was said. On the diagonal, probabilities mean "
    "what they say.",
    "figure.cost": "Cost curve",
    "figure.cost.caption": "Normalised expected cost over all costs and prevalences. Lower is better.",
    "figure.decision": "Decision curve",
    "figure.decision.caption": "Net benefit of acting on the probabilities as they stand, against acting on all or on "
    "none. The threshold probability is the risk at which one would act. Where probabilities are off, recalibrate "
    "first.",
    "figure.groups": "Groups",
    "figure.groups.caption": "Each group with its interval; wide intervals mean few rows.",
    "figure.sites": "Sites",
    "figure.sites.caption": "Each site with its interval, all pooled, and what to expect at a new one.",
    "figure.difference": "Differences between models",
    "figure.folds": "ROC curves of the folds",
    "figure.folds.caption": "Thin: one curve per fold. Thick: their mean at each false positive rate. Shaded: one "
    "standard deviation over folds to either side, which is no confidence band.",
    "figure.difference.caption": "An interval that holds 0 says that these rows cannot tell the two apart.",
    # columns
    "column.model": "Model",
    "column.metric": "Metric",
    "column.criterion": "Criterion",
    "column.value": "Value",
    "column.uncorrected": "Uncorrected",
    "column.low": "low",
    "column.high": "high",
    "column.low_simultaneous": "low, all pairs",
    "column.high_simultaneous": "high, all pairs",
    "column.meaning": "What it says",
    "column.note": "Note",
    "column.threshold": "Threshold",
    "column.probability_cost": "Probability cost",
    "column.probability": "Stated",
    "column.observed": "Observed",
    "column.threshold_probability": "Threshold probability",
    "column.treat_all": "Act on all",
    "column.from": "From",
    "column.to": "To",
    "column.positives": "Positives",
    "column.negatives": "Negatives",
    "column.rows": "Rows",
    "column.predicted": "Predicted",
    "column.column": "Column",
    "column.group": "Group",
    "column.site": "Site",
    "column.fold": "Fold",
    "column.repeat": "Repeat",
    "column.mean": "Mean over folds",
    "column.spread": "Spread over folds",
    "column.expected_spread": "Spread by chance alone",
    "column.pooled": "Pooled",
    "column.pooled_difference": "Pooled − mean",
    "column.class": "Class",
    "column.weight": "Weight",
    "column.lowest": "Lowest",
    "column.highest": "Highest",
    "column.distinct": "Distinct scores",
    "column.tied": "Rows in ties",
    "column.probability_scale": "A probability?",
    "column.first": "First",
    "column.second": "Second",
    "column.difference": "Difference",
    "column.statistic": "Statistic",
    "column.p_value": "p",
    "column.p_holm": "p, corrected (Holm)",
    "column.p_equal": "p (no difference)",
    "column.p_non_inferior": "p, not inferior",
    "column.p_equivalent": "p, equivalent",
    "column.gap": "Gap",
    "column.ratio": "Ratio",
    "column.alarms_in": "Alarms in {cases:count}",
    "column.gain": "Positives found",
    "column.score": "Loss",
    "column.miscalibration": "Miscalibration",
    "column.discrimination": "Discrimination",
    "column.uncertainty": "Uncertainty",
    # metrics within a sentence, where they are written otherwise
    "said.roc_auc": "AUC",
    "said.recall": "recall",
    "said.fpr": "false positive rate",
    "said.average_precision": "average precision",
    "said.partial_roc_auc": "partial AUC",
    "said.pr_auc": "area under the PR curve",
    # criteria of fairness
    "criterion.equal_opportunity": "Equal opportunity",
    "criterion.meaning.equal_opportunity": "of 100 positives as many are found in every group",
    "criterion.equal_false_alarms": "Equal false alarms",
    "criterion.meaning.equal_false_alarms": "of 100 negatives as many are flagged in every group",
    "criterion.equalised_odds": "Equalised odds",
    "criterion.meaning.equalised_odds": "the larger of the gaps of recall and FPR",
    "criterion.demographic_parity": "Demographic parity",
    "criterion.meaning.demographic_parity": "of 100 rows as many are flagged in every group",
    "criterion.predictive_parity": "Predictive parity",
    "criterion.meaning.predictive_parity": "of 100 alarms as many are right in every group",
    "criterion.false_omission_parity": "False-omission parity",
    "criterion.meaning.false_omission_parity": "of 100 not flagged as many are positive in every group",
    "criterion.calibration_by_group": "Calibration by group",
    "criterion.meaning.calibration_by_group": "probabilities match the share of positives in every group",
    "criterion.equal_ranking": "Equal ranking",
    "criterion.meaning.equal_ranking": "positives outrank negatives as often within every group",
    "criterion.equal_ranking_between": "Equal ranking between groups",
    "criterion.meaning.equal_ranking_between": "a positive of one group outranks a negative of the other as "
    "often (xAUC)",
    # what was left out
    "of_column": "{title}: {column}",
    "part.models": "Two-class models",
    "part.comparison": "Comparison",
    "part.probabilities": "Probabilities",
    "part.groups": "Groups",
    "part.folds": "Folds",
    # methods
    "methods.fold": "How each number is defined, with references ({count:count})",
    "methods.lead": "Positive means a score at or above the threshold. Rows with equal scores are one step, "
    "never broken by order.",
    "method.sweep.title": "The sweep.",
    "method.sweep": "The distinct scores in falling order, and how many positives and negatives lie at or "
    "above each; everything here is read from that.",
    "method.roc_auc.title": "AUC.",
    "method.roc_auc": "The chance that a random positive outranks a random negative, ties counting half. "
    "Interval: a score interval with DeLong’s variance.",
    "method.partial_roc_auc.title": "Partial AUC.",
    "method.partial_roc_auc": "The area under the ROC curve up to a false positive rate of 10%, "
    "divided by that width: mean recall in the range. Interval: a score interval with the variance of what each row "
    "adds; so for average precision and equal error rate.",
    "method.pr.title": "Precision and recall.",
    "method.pr": "Average precision is the sum over steps of gain in recall times precision. The area "
    "interpolates counts, not rates, between points.",
    "method.equal_error_rate.title": "Equal error rate.",
    "method.equal_error_rate": "Where the miss rate equals the false positive rate, on the convex hull of "
    "the ROC curve.",
    "method.h_measure.title": "H-measure.",
    "method.h_measure": "One minus the least expected loss, averaged over a fixed distribution of costs, as "
    "a share of that of the best constant answer.",
    "method.rates.title": "Rates at a threshold.",
    "method.rates": "Recall is TP/(TP+FN), specificity TN/(TN+FP), precision TP/(TP+FP), NPV TN/(TN+FN). "
    "Intervals: Wilson.",
    "method.prevalence.title": "Another prevalence.",
    "method.prevalence": "PPV = π·TPR / (π·TPR + (1−π)·FPR), NPV likewise; recall and specificity are taken "
    "to stay as they are.",
    "method.costs.title": "Costs.",
    "method.costs": "Expected cost = c(FP)·(1−π)·FPR + c(FN)·π·(1−TPR), plus what hits and rightly passed "
    "cases cost. The cheapest point is where a line of slope c(FP)/c(FN)·(1−π)/π touches the ROC curve.",
    "method.optimism.title": "Optimism.",
    "method.optimism": "The rule is applied again to bootstrap resamples. What its choices give there, less what "
    "they give on "
    "the rows not drawn, is their optimism; recall and false positive rate are corrected by 63% of it (50% "
    "for a rule with a limit), and every other number follows from those two. Intervals: Wilson at the "
    "corrected rates, widened by the size of the correction.",
    "method.decision.title": "Net benefit.",
    "method.decision": "π·TPR − (1−π)·FPR·p/(1−p) at the threshold probability p, in true positives per case.",
    "method.comparison.title": "Comparison.",
    "method.comparison": "Paired: the variance of the difference takes into account that all models saw the "
    "same rows. p-values of several pairs are corrected by Holm’s method.",
    "method.strata.title": "Strata.",
    "method.strata": "Rows, or clusters, were sampled within strata: variances compare them within strata, and "
    "they are resampled within strata.",
    "method.clusters.title": "Clusters.",
    "method.clusters": "Rows of one cluster depend on each other: clusters are resampled whole, or their sums taken.",
    "method.losses.title": "Losses.",
    "method.losses": "Brier: mean of (p−y)². Log loss: mean of −log of the probability given to what "
    "happened. The parts come from the isotonic fit.",
    "method.calibration.title": "Calibration.",
    "method.calibration": "Slope and intercept are those of a logistic regression of the outcome on the "
    "logit of the probability; observed over expected is the sum of outcomes over the sum of probabilities. "
    "The verdict looks at both with their intervals, and at a score test of level, slope and curvature. Errors "
    "that are biased upward (ECE and its kind) are judged by labels drawn with the probabilities themselves.",
    "method.groups.title": "Groups.",
    "method.groups": "Every metric within each group at the common threshold. Gaps have simultaneous "
    "intervals where there are more than two groups.",
    "method.sites.title": "Sites.",
    "method.sites": "Random effects on the logit of the AUC (REML); Q-profile intervals, which allow for not "
    "knowing how far sites differ; the prediction interval is for the true AUC of a new site.",
    "method.folds.title": "Folds.",
    "method.folds": "The mean of the AUCs of the folds; its interval, from DeLong’s variance of each fold, speaks of "
    "new rows for these models. The standard deviation over folds divided by √k is no standard error, since training "
    "sets overlap. Models are compared by the t-test corrected for that overlap. Folds differ where ranks within "
    "classes do (Kruskal–Wallis, p < 0.01).",
    "method.classes.title": "Classes.",
    "method.classes": "One class against the rest; Hand and Till’s M is the mean AUC over pairs of classes.",
    # how it was made
    "made.version": "Program",
    "made.command": "Command",
    "made.source": "File",
    "made.sha256": "SHA-256 of the file",
    "made.seed": "Seed of all resampling",
    "made.level": "Confidence level",
    "made.rule": "Rule for the threshold",
    "made.costs": "Costs",
    "made.costs.by_row": "differ by row; on average {mean}",
    "made.costs.said": "false alarm {fp:cost}, miss {fn:cost}, hit {tp:cost}, rightly passed {tn:cost}",
    "made.schema": "Data format",
    "made.offline": "The page is one file. It works offline, keeps no cookies and sends nothing.",
    # notes: rows and intervals
    "note.undefined": "{why}",
    "note.zero_over_zero": "undefined: {empty:notes}",
    "note.zero_over_zero_taken": "0/0, taken as {taken}: {empty:notes}",
    "note.no_positives": "no row is positive",
    "note.no_negatives": "no row is negative",
    "note.no_positive_rows": "0 of {rows:count} rows are positive",
    "note.no_negative_rows": "0 of {rows:count} rows are negative",
    "note.none_flagged": "no row is flagged",
    "note.all_flagged": "every row is flagged",
    "note.negatives_unknown": "undefined: the number of true negatives is unknown",
    "note.lonely_stratum": "{lonely:count} of {strata:count} strata have one unit only, which is "
    "compared with all units",
    "note.small_strata": "strata have {units:amount} units on average: the variance of resamples is too small, by "
    "about 1/{units:amount}; the default interval makes up for it",
    "note.strata_of_fits": "sampled within {strata:count} strata, which enter the intervals of slope, intercept, in "
    "the large and O/E; squared error and tests take outcomes as independent of strata given the probability",
    "note.strata_given_probability": "sampled within {strata:count} strata, which do not enter: outcomes count as "
    "independent of strata given the probability",
    "note.heavy_weights": "one row can weigh {share:share} of a class: what was not drawn may matter, and intervals "
    "are unreliable",
    "note.few_clusters": "only {clusters:count} clusters: their variance is known badly, and intervals are unreliable",
    "note.no_variance": "no interval: these rows say nothing about how uncertain the value is",
    "note.no_interval_known": "no interval: on few rows it is biased or very skewed, and no method is known to hold; "
    "judge by the AUC, or by costs",
    "note.biased_resamples": "resamples of {metric} are biased: this interval does not hold its level",
    "note.few_positives": "only {count:count} positives: any interval is unreliable",
    "note.few_negatives": "only {count:count} negatives: any interval is unreliable",
    "note.few_negatives_in_range": "only {count:amount} negatives lie in this range of the false positive rate: the "
    "interval is wide, and a range of at least {needed:amount} is better",
    "note.few_positives_in_range": "only {count:amount} positives lie in this range of the sensitivity: the "
    "interval is wide, and a range of at least {needed:amount} is better",
    "note.separated": "the classes are separated perfectly: the interval is a bound",
    "note.many_ties": "many ties: {distinct:count} distinct scores in {rows:count} rows",
    "note.resamples_undefined": "{failed:count} of {replicates:count} resamples do not define it and were left out",
    "note.no_resample_defines": "none of {replicates:count} resamples defines it: a class is too rare",
    "note.binned": "resampled in {bins:count} bins; binning moves the value by {moved:short}",
    "note.binned_at_most": "resampled in bins; binning moves a value by {moved:short} at most",
    "note.in_bins": "scores were counted in bins: the certain limits of the value of all scores are "
    "{width:short} apart",
    "note.scan_in_bins": "Scores were counted in {bins:count} bins; certain limits of ROC AUC are {auc:short} apart, "
    "those of average precision {ap:short}.",
    "note.in_bins_open": "scores were counted in bins: the value of all scores is not known more closely",
    "note.all_resamples_equal": "every resample gives the same value: a zero-width interval does not mean certainty",
    "note.permutation_no_interval": "a permutation test has no interval: method='bootstrap' has one",
    "note.whole_curves": "the statistic and p speak of whole curves; the difference shown is that of their areas",
    "note.simultaneous": "low_simultaneous and high_simultaneous hold for all {tests:count} differences together "
    "(Bonferroni): they exclude 0 exactly where {tests:count} times p is below {alpha:cost}",
    "note.mcnemar_exact": "{first} and {second} differ on {rows:count} rows; the exact p\u00a0{p:relation}",
    "note.all_equal": "all models equal: chi-square {chi:cost} on {degrees:cost} degrees of freedom, p {p:relation}",
    "note.omnibus_degrees": "the test of all models allows for variances that are themselves estimated "
    "({degrees:cost} degrees of freedom): Hotelling's T² in place of chi-square",
    "note.no_omnibus": "method='{method}' has no test of all models at once; p_holm corrects those of the pairs",
    "note.margins_uncorrected": "p_non_inferior and p_equivalent are those of each pair alone: for all {pairs:count} "
    "pairs together, multiply them by {pairs:count} (Bonferroni)",
    "note.columns": "{columns:notes}",
    "note.column_statistic": "statistic is z, or what the method counts,",
    "note.column_p": "p is the p-value of no difference",
    "note.column_p_non_inferior": "p_non_inferior that of the first being worse by the margin or more",
    "note.column_p_equivalent": "p_equivalent that of the two differing by the margin or more",
    # notes: breakdown
    "note.gaps_describe": "p_equal is the p-value of all groups being equal. A gap describes these rows; it does "
    "not say why there is one, and where the groups are small, chance alone makes one",
    "note.nothing_there": "{empty:notes}",
    "note.function_nan": "the function returned NaN",
    "note.small_positives_rows": "small: {count:count} positive rows",
    "note.small_negatives_rows": "small: {count:count} negative rows",
    "note.small_positives_clusters": "small: {count:count} clusters with positives",
    "note.small_negatives_clusters": "small: {count:count} clusters with negatives",
    "note.small_groups": "small groups: {groups}",
    "note.small_groups_say_little": "small groups (fewer than {few:count} positives or negatives): "
    "{groups}; a gap there says little",
    "note.only_one_group": "{column} has only one group",
    "note.undefined_for": "{metric} or its interval is undefined in {groups}: {why}",
    "note.undefined_in": "{metric} is undefined in {group}: {why}",
    "note.undefined_in_more": "{metric} is undefined in {group} (and in {more:count} more): {why}",
    "note.ratio_needs_positive": "a ratio needs values of 0 or more",
    "note.zero_everywhere": "{metric} is 0 in every group",
    "note.zero_in": "{metric} is 0 in {group}",
    "note.group_minus": "{first} {first_value:cost} minus {second} {second_value:cost}",
    "note.group_over": "{first} {first_value:cost} over {second} {second_value:cost}",
    "note.chance_spread": "if all {groups:count} groups were equal, chance alone would spread them by "
    "about {spread:cost}",
    "note.farthest_of": "the farthest of {groups:count} groups",
    "note.member_without_interval": "a group has no interval, so neither has this",
    "note.group_left_out": "left out: {group} ({why})",
    "note.too_many_pairs": "{groups:count} groups make {pairs:count} pairs; pairs are compared for at most "
    "{most:count} groups: put small groups together",
    "note.xauc_needs_both": "xAUC between {first} and {second} needs both classes in both",
    "note.xauc_pair": "a positive of {first} outranks a negative of {second} with chance "
    "{first_value:cost}, a positive of {second} a negative of {first} with {second_value:cost}",
    "note.criterion_undefined": "{criterion} is undefined: {why}",
    "note.criteria_together": "intervals and p-values hold for all {criteria:count} criteria together (Bonferroni), "
    "and so are wider than those of one metric by group",
    "note.criteria_clash": "prevalence differs ({low_prevalence:cost} in {low}, {high_prevalence:cost} in "
    "{high}), so precision, recall and false positive rate cannot all be equal: with the overall "
    "precision {precision:cost} and recall {recall:cost} everywhere, the false positive rate would be "
    "{low_fpr:cost} in {low} and {high_fpr:cost} in {high} (Chouldechova 2017)",
    "note.criteria_clash_beyond": "prevalence differs ({low_prevalence:cost} in {low}, "
    "{high_prevalence:cost} in {high}), so precision, recall and false positive rate cannot all be equal: "
    "with the overall precision {precision:cost} and recall {recall:cost} everywhere, the false positive "
    "rate would be {low_fpr:cost} in {low} and {high_fpr:cost} in {high} (more than 1: out of reach; "
    "Chouldechova 2017)",
    "note.calibration_clash": "for the same reason a score that is calibrated in every group cannot have "
    "equal error rates in all of them, unless it is perfect (Kleinberg et al. 2016): choose which of the "
    "two matters here",
    "note.no_calibration_by_group": "the scores do not lie in [0, 1], so calibration by group is not measured",
    "note.keeps_threshold": "{group} keeps the threshold {threshold}: {why}",
    "note.no_common_threshold": "all rows together: {why}",
    "note.chosen_on_these_rows": "thresholds chosen on these rows look better here than on new ones",
    "note.treats_by_group": "a threshold for each group treats people by their group; whether that is "
    "allowed, the law says",
    "note.site_left_out": "{site} is left out of pooling: {why}",
    "note.perfect_sites": "perfect separation at {sites}: pooled with half a pair lost and the standard "
    "error of the bound",
    "note.too_many_to_leave_out": "the mean without each site is shown for at most {most:count} sites, "
    "not for {sites:count}",
    "note.too_few_sites": "pooling needs at least two sites, got {sites:count}",
    "note.clusters_span_sites": "some clusters have rows at several sites: pooling takes sites as independent",
    "note.not_one_site": "rows without a site are not one site",
    "note.auc_without_variance": "the scores are constant within each class: the variance of its AUC is 0",
    "note.pooled_auc": "Pooled AUC {value:cost} ({low:cost} to {high:cost}); a new site: {new_low:cost} "
    "to {new_high:cost}",
    "note.pooled_how": "{sites:count} sites; {method}, {interval}; tau² {tau2:cost} ({tau2_low:cost} to "
    "{tau2_high:cost}), I² {i2:share}, Q {q:cost}, p {p:relation}",
    "note.sites_agree_too_well": "the sites agree better than their errors allow, which makes Hartung and "
    "Knapp's interval too short; with the plain error it is {low:cost} to {high:cost}: use that, or "
    "interval='q-profile'",
    "note.few_sites": "only {sites:count} sites: how far sites differ is hardly known, and intervals are wide for it",
    "note.rates_how": "{method}; standard deviations of the logits between sites {sd_one:cost} (sensitivity) and "
    "{sd_two:cost} (specificity), correlation {correlation:cost}",
    "note.rates_left_out": "left out, having rows of one class only: {sites}",
    "note.half_added": "0.5 was added to the counts of the {sites:count} sites where one is 0",
    "note.folds_differ": "the scores of folds differ within classes by more than chance (p {p:relation}, most in fold "
    "{fold}), because their models are calibrated differently or their rows differ; pooling compares rows across "
    "folds and may mislead: pooled {pooled:area}, mean over folds {mean:area}",
    "note.folds_not_tested": "whether the scores of folds differ is not tested: the test takes rows as independent, "
    "and these have clusters, strata, sampling weights or censored outcomes",
    "note.small_folds": "{folds:count} of {of:count} folds have fewer than 10 rows of a class (the fewest "
    "{least:count}): the value of such a fold alone is mostly chance, and average precision is biased in it",
    "note.clusters_span_folds": "some clusters have rows in several folds: a model was fitted on rows that belong "
    "together with those it was judged on, and the folds look better than new clusters would",
    "note.folds_without_error": "a fold has fewer than two rows of a class, so its AUC has no standard error",
    "note.spread_of_folds": "spread is the standard deviation over folds: how the value varies from one test set of "
    "this size, with its model, to the next; divided by √k it is no standard error, since training sets overlap",
    "note.corrected_t": "corrected t-test over {folds:count} folds ({degrees:count} degrees of freedom): the variance "
    "is (1/{folds:count} + {ratio:cost})·s², where {ratio:cost} is test rows over training rows; it asks which way of "
    "fitting is better, and is approximate",
    "note.folds_left_out": "folds are not evaluated: {why}",
    "note.folds_of_one_row": "every fold has one row (leave-one-out), and AUC pooled over such folds is biased "
    "downward; use repeated stratified k-fold, or leave-pair-out cross-validation",
    "note.folds_lack_class": "{lacks:count} of {of:count} folds lack a class ({folds}); use stratified folds, or "
    "fewer of them, so that every fold has both classes",
    # notes: probabilities
    "note.certain_rows_wrong": "{wrong:count} of {rows:count} rows of probability 0 or 1 turned out otherwise: "
    "their log odds are infinitely wrong; clip p, and say at what",
    "note.one_probability": "all probabilities are {p:cost}: two different ones are needed",
    "note.separated_no_fit": "the probabilities separate the classes perfectly, so the steeper, the better it "
    "fits: no finite answer",
    "note.probabilities_all_0": "every probability is 0",
    "note.alone_in_every_bin": "no bin has two independent rows; use fewer bins",
    "note.nothing_to_test": "it needs a probability other than 0, 0.5 and 1",
    "note.needs_equal_weights": "it needs rows that count alike: these are weighted",
    "note.probabilities_certain": "it needs a probability between 0 and 1",
    "note.few_clusters_per_group": "it needs {least:count} clusters per group: there are {clusters:count} "
    "for {groups:count} groups",
    "note.clusters_counted": "rows of one cluster depend on each other: {clusters:count} clusters, "
    "correlation {correlation:short} within them; bands and tests count them as fewer independent rows",
    # reader studies
    "note.modalities_equal": "all modalities equal: F {f:cost} on {first:cost} and {second:cost} degrees of freedom, "
    "p {p:relation}",
    "note.reader_study_random_cases": "readers and cases are samples: the intervals and p speak of readers and cases "
    "like these",
    "note.reader_study_fixed_cases": "the readers are a sample, the cases are not: the intervals and p speak of these "
    "cases alone",
    "note.reader_study_fixed_readers": "the cases are a sample, the readers are not: the intervals and p speak of "
    "these readers alone",
    "note.few_readers": "only {count:count} readers: a difference that is not there is found a little too often",
    "note.reader_cases_dropped": "cases left out because a score is missing: {cases:count}",
    "note.readers_do_not_vary": "no interval: neither readers nor cases vary",
    # verification bias
    "note.verification_depends": "the correction holds if, among rows with the same {given:notes}, verified and "
    "unverified ones are alike; if something else decided who was verified, it does not",
    "note.verification_share": "{verified:count} of {rows:count} rows are verified",
    "note.all_verified": "every row is verified: there is nothing to correct",
    "note.verification_decision": "decision",
    "note.verification_score": "score",
    "note.verification_score_bin": "bin of the score",
    "note.verification_covariate": "covariate",
    "note.rate_at_end": "no interval: a rate of 0 or 1 has no logit; method='mover' has one",
    "note.verification_thin": "in {cells:count} of {all:count} cells fewer than {few:count} positives are verified, "
    "and stand for more: intervals that other verbs make of the weighted rows are too narrow",
    "note.few_verified": "only {count:count} verified positives: any interval is unreliable",
    "note.one_cluster": "no interval: there is one cluster only",
    "note.weights_forgotten": "no intervals: rows are weighted and a Sweep has forgotten "
    "them; pass labels, probabilities and weights",
    "note.certain_rows_left_out": "{left_out:count} of {rows:count} rows have probability 0 or "
    "1, and rightly: whatever is fitted to log odds leaves them out, because they fit any",
    "note.alone_in_bin": "squared_error leaves out rows that are alone in their bin ({alone:count} of {rows:count})",
    "note.certain_rows_stay": "{rows:count} rows of probability 0 or 1 stay as they are",
    "note.constant_map": "higher probabilities do not go with more positives: the map is constant",
    "note.prevalence_estimated": "prevalence estimated from {rows:count} unlabelled rows in {steps:count} steps",
    "note.not_cross_validated_weights": "not cross-validated: rows are weighted and a Sweep has forgotten them",
    "note.part_without_map": "not cross-validated: a part has no map ({why})",
    "note.few_for_parts": "only {count:count} independent rows of a class for "
    "{parts:count} parts: the losses after are unreliable",
    "note.infinite_after": "infinite log loss: a map gave 0 or 1 to rows not fitted on that turned out otherwise",
    # notes: decisions
    "note.weighted_sweep_no_interval": "a sweep of weighted rows has no interval: pass labels, scores and weights",
    "note.weighted_sweep_not_resampled": "a sweep of weighted rows cannot be resampled: for the interval of "
    "the threshold and the correction for the choice, pass labels, scores and weights",
    "note.infinite_scores": "scores are infinite, so no threshold flags no row: the threshold only stands for it",
    "note.no_row_left_out": "every resample had all rows, so none was left to judge by",
    "note.infinite_value": "it is infinite",
    "note.no_resample_answers": "none of {replicates:count} resamples has an answer to this rule, so there "
    "is no interval",
    "note.resamples_without_answer": "{failed:count} of {replicates:count} resamples have no answer to this "
    "rule and were left out",
    "note.candidates": "resamples chose among {among:count} of {thresholds:count} thresholds",
    "note.fold_thresholds": "chosen on each of {folds:count} folds alone, the threshold lies between {low:cut} and "
    "{high:cut}",
    "note.few_positives_chosen": "only {count:count} positives: any choice is unreliable",
    "note.few_negatives_chosen": "only {count:count} negatives: any choice is unreliable",
    "note.tied": "Equally good: {scores}; the first is chosen",
    "note.tied_and_more": "Equally good: {scores} and {more:count} more; the first is chosen",
    "note.best_costs": "The cheapest threshold while a miss costs {few:cost} to {many:cost} false alarms, "
    "at a prevalence of {prevalence:level} (slopes {low:cost} to {high:cost})",
    "note.best_costs_from": "The cheapest threshold while a miss costs {few:cost} false alarms or more, at a "
    "prevalence of {prevalence:level} (slopes {low:cost} to {high:cost})",
    "note.best_costs_to": "The cheapest threshold while a miss costs {many:cost} false alarms or less, at a "
    "prevalence of {prevalence:level} (slopes {low:cost} to {high:cost})",
    "note.no_best_costs": "No costs make this the single best threshold: for any, one of {first} and "
    "{second} is at least as cheap",
    "note.no_best_costs_or_none": "No costs make this the single best threshold: for any, flagging no row or "
    "{second} is at least as cheap",
    "note.range_from_rows": "the range of FPR was read from these rows; every resample chose it again, so the "
    "interval takes that into account. A range fixed beforehand is more powerful: "
    "compare(metric='partial_roc_auc', fpr=...)",
    "note.one_fpr": "one FPR is best for all these costs, so there is no area to compare: see expected_cost",
    "note.better": "Better: {model}",
    "note.better_undecided": "Better: not decided",
    "note.never_best": "Never best: {models}",
    "note.point_flags_high": "Flag scores of {threshold} or more",
    "note.point_flags_low": "Flag scores of {threshold} or less",
    "note.point_flags_gain": "Flag the rows for which an alarm is expected to cost no more than no alarm",
    "note.decision_cost": "A row costs {cost:cost}{unit} on average, {total:cost}{unit} in all {rows:count} rows. "
    "Flagging no row would cost {none:cost}{unit} per row, flagging every row {every:cost}{unit}; the share of the "
    "best possible saving is {saving:share}",
    "note.decision_cost_between": "A row costs {cost:cost}{unit} on average ({low:cost} to {high:cost}), "
    "{total:cost}{unit} in all {rows:count} rows. Flagging no row would cost {none:cost}{unit} per row, flagging every "
    "row {every:cost}{unit}; the share of the best possible saving is {saving:share}",
    "note.point_flags_all_high": "Flag scores of {threshold} or more, which is every row ({threshold} is the lowest "
    "score)",
    "note.point_flags_all_low": "Flag scores of {threshold} or less, which is every row ({threshold} is the highest "
    "score)",
    "note.prevalence_sample": "the sample's prevalence of {prevalence:level}",
    "note.prevalence_stated": "a prevalence of {prevalence:level}",
    "note.point_on_new_rows": "{cut}. On new rows, expect that of {base} positives {recall:of_base} are found, of "
    "{base_negatives} negatives {fpr:of_negatives} are flagged, and of {base} alarms {precision:of_base} are right at "
    "{where} (uncorrected {recall_here:of_base}, {fpr_here:of_negatives} and {precision_here:of_base}).",
    "note.point_on_these_rows": "{cut}. On these rows, of {base} positives {recall:of_base} are found, of "
    "{base_negatives} negatives {fpr:of_negatives} are flagged, and of {base} alarms {precision:of_base} are right at "
    "{where}.",
    "note.point_without_negatives": "{cut}. Of {base} positives {recall:of_base} are found, and of {base} alarms "
    "{precision:of_base} are right; how many negatives there are is unknown.",
    "note.point_flags_no_row": "Flag no row: of 100 positives 0 are found, and there are no alarms; how many negatives "
    "there are is unknown.",
    "note.best_costs_unknown": "for which costs this is the best point is unknown: the ROC curve needs the number of "
    "negatives",
    "note.unknown_negatives_no_interval": "no interval: negatives are unknown, as in detection, and counts do not say "
    "which rows belong together",
    "note.point_flags_none": "Flag no row: of 100 positives 0 are found, of 100 negatives 0 are flagged; there are no "
    "alarms, at {where}.",
    # notes: many classes
    "note.class_never_occurs": "no row of y is of {classes}: left out of means over classes",
    "note.class_columns_sorted": "the columns were taken for the sorted labels: {classes}",
    "note.class_labels_as_text": "labels were matched with the names of the columns as text",
    "note.class_scores_tied": "{rows:count} of {n:count} rows have several highest scores: the first column "
    "counts as predicted",
    "note.class_scores_outside": "class {label} has {scores:count} scores outside [0, 1], the first {first} "
    "({row:rows})",
    "note.class_sums_off": "{rows:count} of {n:count} rows: the scores do not sum to 1, the first to {first} "
    "({row:rows})",
    "note.class_scores_only_rank": "the scores rank, but what needs probabilities is refused",
    "note.class_rows_dropped": "rows left out because a value is missing: {rows:count}",
    "note.few_of_class": "independent rows of {label}: {rows:count}, so any interval is unreliable",
    "note.label_no_positives": "no positive row: {labels}; left out of means over labels",
    "note.label_no_negatives": "no negative row: {labels}; left out of mean areas under ROC curves",
    "note.rows_without_label": "rows without a label: {rows:count}; left out of means of rows’ rankings",
    "note.rows_with_every_label": "rows with every label: {rows:count}; left out of ranking loss and of samples AUC",
    "note.class_intervals_left_out": "intervals of means over classes are left out: {cells:count} scores "
    "take long to resample",
    "many.meaning.accuracy": "share of rows predicted rightly",
    "many.meaning.balanced_accuracy": "mean recall of the classes",
    "many.meaning.precision": "how often a predicted class or label is right, {average}",
    "many.meaning.recall": "how much of a class or label is found, {average}",
    "many.meaning.f1": "harmonic mean of precision and recall, {average}",
    "many.meaning.kappa": "agreement beyond chance; 0 is chance, 1 perfect",
    "many.meaning.mcc": "correlation of truth and prediction; 0 is chance, 1 perfect",
    "many.meaning.roc_auc": "one class against the rest, {average}; 0.5 is chance, 1 perfect",
    "many.meaning.hand_till": "mean AUC of all pairs of classes; 0.5 is chance, 1 perfect",
    "many.meaning.average_precision": "one class against the rest, {average}; 1 perfect",
    "many.meaning.log_loss": "mean −log of the true class’s probability; 0 is perfect",
    "many.meaning.brier_loss": "mean squared error summed over classes; 0 is perfect, 2 worst",
    "many.meaning.f_beta": "precision and recall together, {average}",
    "many.meaning.top_k_accuracy": "share of rows whose class is among the highest scores",
    "many.meaning.label_ranking_ap": "precision with which a row ranks its own labels; 1 perfect",
    "many.meaning.ranking_loss": "share of a row’s (true, false) pairs out of order; 0 perfect",
    "many.meaning.coverage_error": "labels to take, best first, to have all true ones",
    "many.meaning.hamming_loss": "share of pairs of row and label that are wrong",
    "many.meaning.subset_accuracy": "share of rows with all labels right",
    # many classes: the page
    "many.average.macro": "macro",
    "many.average.weighted": "weighted",
    "many.average.micro": "micro",
    "many.average.samples": "samples",
    "many.average_of": "{meaning}, {average}",
    "many.undefined": "undefined: {why}",
    "ask.classify": "How well does it classify?",
    "ask.worst": "Which class is found least often?",
    "ask.confused": "Which classes does it confuse?",
    "many.all": "All classes together",
    "many.card.accuracy": "share of rows given their true class",
    "many.card.balanced_accuracy": "mean recall of the classes, each counted alike",
    "many.card.roc_auc": "mean over classes, each against the rest (macro); 0.5 is chance, 1 perfect",
    "many.card.log_loss": "mean −log of the probability given to the true class; 0 is perfect",
    "many.classes.lead": "Each class against the rest. Recall says how much of a class is found, precision how often "
    "it is right when the class is predicted.",
    "many.estimates": "All numbers of all classes together",
    "many.pairs": "Which class is taken for which, the most rows first",
    "many.taken_as": "as {label}",
    "many.calibration": "Stated probabilities and what was observed, class by class ({level:level} intervals for all "
    "classes together)",
    "many.mistakes": "The surest mistakes: rows taken for a wrong class with the highest score",
    "many.groups.lead": "The same model, group by group. A difference is not always unfair, and means over classes "
    "are compared only where every class occurs in every group.",
    "many.column.rows": "Rows",
    "many.column.prevalence": "Share of rows",
    "many.column.precision": "Precision",
    "many.column.recall": "Recall",
    "many.column.f1": "F1",
    "many.column.average_precision": "Average precision",
    "many.column.undefined": "Undefined",
    "many.column.taken_for": "Taken for",
    "many.column.share_of_class": "Of its rows",
    "many.column.mean_probability": "Stated on average",
    "many.column.observed_expected": "Observed / stated",
    "many.column.calibration_slope": "Slope",
    "many.column.ece": "ECE",
    "many.column.score_of_taken": "Score of the class taken",
    "many.column.score_of_class": "Score of the true class",
    "many.lacks.no row is of this class": "no row is of this class",
    "many.lacks.no row is predicted so": "no row is predicted so",
    "many.lacks.no row is of this class and no row is predicted so": "no row is of this class, and none is predicted "
    "so",
    "special.the one chosen": "the class chosen",
    "data.classes": "Classes and their rows",
    "data.weighted_classes": "yes, column {column}, sum {sum:count}; counts are sums of weights",
    "figure.confusion_matrix.caption": "Each true class, a row, and what it was taken for: rows, and their share of "
    "the true class. Right answers are on the diagonal.",
    "figure.class_roc": "ROC curves, each class against the rest",
    "figure.class_roc.caption": "Rows of the class found against other rows flagged, over all thresholds of its "
    "score. Up and left is better; the diagonal is chance; the thick line is the mean over classes.",
    "figure.class_pr": "Precision and recall, each class against the rest",
    "figure.class_pr.caption": "How often the class is right against how much of it is found, over all thresholds of "
    "its score. Up and right is better; rare classes lie lower.",
    "figure.class_reliability": "Stated probability and observed share",
    "figure.class_reliability.caption": "Smooth curves, one per class. On the diagonal, of 100 rows given 30% of a "
    "class, 30 are of it; below it, probabilities are too high.",
    "figure.class_groups": "Accuracy by group",
    "figure.class_groups.caption": "Each group with its interval; a wide one means few rows.",
    "note.class_groups_small": "Groups that lack a class, or have fewer than {few:count} rows of one: {groups:names}. "
    "Means over classes say little there.",
    "figure.class_groups_auc": "AUC by group",
    "figure.class_groups_auc.caption": "The mean over classes, each against the rest; each group with its interval.",
    "note.classes_no_threshold": "Of many classes, the highest score is predicted; there is no threshold to choose.",
    "figure.word.mean_of_classes": "mean {metric}",
    "figure.word.mean_of_folds": "mean {area} {value} ± {spread}",
    "many.mean": "mean (macro)",
    "figure.word.other_classes": "{n} others",
    "figure.word.shares_alone": "shares of the row; counts in the table",
    "figure.word.row_percent": "Actual (rows, % of row)",
    "note.classes_better": "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would reach "
    "{share:share}. It is better by {gain:points} ({level:level} interval {ends:points_ends}).",
    "note.classes_worse": "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would reach "
    "{share:share}. It is worse by {gain:points} ({level:level} interval {ends:points_ends}).",
    "note.classes_unclear": "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would "
    "reach {share:share}. These rows do not show which is better (difference {ends:points_ends}, {level:level} "
    "interval).",
    "note.classes_accuracy": "Accuracy is {accuracy:share}; always saying {label}, the most frequent class, would "
    "reach {share:share}.",
    "note.classes_balanced_better": "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share} "
    "({level:level} interval {ends:share_ends}), better than the {chance:share} of guessing.",
    "note.classes_balanced_worse": "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share} "
    "({level:level} interval {ends:share_ends}), worse than the {chance:share} of guessing.",
    "note.classes_balanced_unclear": "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share} "
    "({level:level} interval {ends:share_ends}): these rows do not tell it from the {chance:share} of guessing.",
    "note.classes_balanced_alone": "Balanced accuracy, the mean recall of {classes:count} classes, is {value:share}; "
    "guessing reaches {chance:share}.",
    "note.class_worst": "{label}: {recall:share} of its {rows:count} rows are found ({level:level} interval "
    "{ends:share_ends}).",
    "note.class_worst_alone": "{label}: {recall:share} of its {rows:count} rows are found.",
    "note.classes_all_found": "Every row of every class is found.",
    "note.class_pair": "{label} is taken for {other} in {rows:count} rows, {share:share} of its rows.",
    "note.classes_never_confused": "No row was taken for a wrong class.",
    "note.class_remark": "{said:sentence}.",
    "note.class_scores_alone": "The scores are not probabilities: {why}. They rank, and what needs probabilities is "
    "left out.",
    "note.class_labels_alone": "Predicted labels were given, not probabilities.",
    "note.classes_off": "The probabilities of {off:count} of {classes:count} classes are off: {said}.",
    "note.classes_off_more": "The probabilities of {off:count} of {classes:count} classes are off: {said}; and "
    "{more:count} more.",
    "note.classes_no_sign": "No sign that the probabilities of any of {classes:count} classes are off, in level, "
    "slope or curvature ({level:level} intervals for all classes together).",
    "note.class_sign": "{label}: {sign} (stated {stated:share} on average, observed {observed:share})",
    "note.class_sign_too_many": "too high",
    "note.class_sign_too_few": "too low",
    "note.class_sign_extreme": "too extreme, slope {slope:short}",
    "note.class_sign_moderate": "too moderate, slope {slope:short}",
    "note.class_sign_curved": "too high in some ranges and too low in others",
    "note.choice_too_sure": "It is too sure of itself: the class it chooses is given {stated:share} on average, and "
    "is right in {observed:share} of the rows.",
    "note.choice_too_unsure": "It is less sure than it could be: the class it chooses is given {stated:share} on "
    "average, and is right in {observed:share} of the rows.",
    "note.choice_as_sure": "It is about as sure as it is right: the class it chooses is given {stated:share} on "
    "average, and is right in {observed:share} of the rows.",
    "note.class_gap": "{metric} differs between groups of {column}, by {gap:points} from the lowest to the highest "
    "({level:level} interval {ends:points_ends}; p\u00a0{p:relation}, corrected for all numbers and columns).",
    "note.class_gap_area": "{metric} differs between groups of {column}, by {gap:area} from the lowest to the highest "
    "({level:level} interval {ends:area_ends}; p\u00a0{p:relation}, corrected for all numbers and columns).",
    "note.class_gaps_none": "No difference between groups is larger than chance explains ({looked:count} compared, "
    "p-values corrected for all numbers and columns). With few rows in a group, a large difference can go unseen.",
    "note.class_gaps_undefined": "No number is defined in every group, so groups cannot be compared.",
    "note.class_gaps_not_drawn": "Groups were not compared: there are too many rows to resample.",
    "note.few_rows_in_classes": "Few rows of some classes: {classes:names}. With fewer than {few:count}, recall, AUC "
    "and all means over classes are unreliable.",
    "note.classes_never_predicted": "Never predicted: {classes:names}. Their recall is 0 and their precision has no "
    "value.",
    "note.classes_perfect": "Every row is given its true class. Has the label leaked into the scores, or are the rows "
    "those of training?",
    "note.class_probabilities": "{verdict}",
    "note.classes_absent_here": "without a row of {classes:names}",
    "note.classes_few_here": "fewer than {few:count} rows of {classes:names}",
    "note.means_of_other_classes": "{group} has no row of {classes:names}: means over different classes are not "
    "comparable",
    "note.class_zero_over_zero": "it is 0/0 for {label}, which no row is of, or which is never predicted",
    "note.class_needs_probabilities": "it needs probabilities, and {why}",
    "note.class_loss_infinite": "a true class was given probability 0, so it is infinite",
    # notes: reading files
    "note.byte_order_mark": "{encoding} byte order mark detected",
    "note.delimiter_detected": "delimiter {delimiter} detected",
    "note.old_encoding": "not UTF-8; read as {encoding} text: save it as UTF-8 if words look wrong",
    "note.thousands_detected": "{separator} taken as the separator of thousands",
    "note.first_sheet": "sheet {sheet} read, of {sheets} the first that is visible and not empty",
    "note.decimal_comma_detected": "decimal comma detected",
    # notes: signal detection
    "note.categories_merged": "{runs:count} categories were put together into {categories:count}",
    "note.improper_curve": "improper: the curve crosses the chance line at FPR {fpr:cost} (b = {b:cost}); "
    "do not read it there",
    "note.few_rows_of_class": "only {rows:cost} rows of a class: standard errors are unreliable",
    # notes: reclassification
    "note.one_row_of_class": "no interval: a class has one row only",
    "note.same_gain_everywhere": "no interval: every row of a class changes by the same amount",
    "note.reclassification_misleads": "do not choose a model by NRI or IDI: both favour models that were fitted on "
    "these rows, or whose probabilities are too extreme, and their tests then reject far too often; compare log "
    "loss, or net benefit at the threshold of the decision",
    # what a notebook shows
    "notebook.intervals": "Small print: {level:level} intervals.",
    # the table of diagnostic accuracy
    "diagnostic.caption": "Diagnostic accuracy",
    "diagnostic.caption.rule": "Diagnostic accuracy, thresholds chosen by rule: {rule}",
    "diagnostic.rows": "Rows, n",
    "diagnostic.positives": "Positives, n (%)",
    "diagnostic.counts": "TP / FP / FN / TN, counted",
    "diagnostic.recall": "Sensitivity",
    "diagnostic.precision": "PPV",
    "diagnostic.lr_positive": "LR+",
    "diagnostic.lr_negative": "LR−",
    "diagnostic.interval": " ({level:level} CI)",
    "diagnostic.n_of_n": "{name}, n/N",
    "diagnostic.counted": "{part:count}/{of:count}, {value}",
    "diagnostic.p": "P, AUC against {first}",
    "diagnostic.reference": "reference",
    "diagnostic.none": "–",
    "diagnostic.note": "{said}.",
    "note.diagnostic_intervals": "AUC: area under the ROC curve; PPV, NPV: positive and negative predictive value; "
    "LR+, LR−: positive and negative likelihood ratio; CI: confidence interval. Intervals: {methods:names}",
    "note.interval_by": "{what} by {way}",
    "note.interval_of_area": "AUC",
    "note.interval_of_rates": "rates",
    "note.interval_of_ratios": "likelihood ratios",
    "interval_way.delong": "a score interval with DeLong’s variance",
    "interval_way.delong-wald": "DeLong’s Wald interval, as in pROC",
    "interval_way.wilson": "Wilson’s method",
    "interval_way.optimism-corrected": "Wilson’s method, corrected for the choice of the threshold",
    "interval_way.jeffreys": "Jeffreys’ posterior",
    "interval_way.mover": "MOVER",
    "note.diagnostic_fixed": "Thresholds are as given, and rates are not corrected: that is right if the thresholds "
    "were fixed beforehand, and too good if they were chosen on these rows",
    "note.diagnostic_chosen": "Thresholds were chosen on these rows, where they look better than they are: rates, "
    "likelihood ratios and their intervals are corrected for that, and are those to expect on new rows; TP, FP, FN "
    "and TN are counted on these rows",
    "note.diagnostic_chosen_uncorrected": "Thresholds were chosen on these rows, where they look better than they are; "
    "rates are not corrected for that",
    "note.diagnostic_prevalence": "PPV, NPV and accuracy are stated at a prevalence of {prevalence:level}; that of "
    "these rows is {here:share}",
    "note.diagnostic_p": "P: test of an AUC equal to that of {first}, on the same rows",
    "note.diagnostic_p_holm": "P: test of an AUC equal to that of {first}, on the same rows, corrected for "
    "{comparisons:count} comparisons (Holm)",
    "note.diagnostic_weighted": "Rows are weighted: counts are sums of weights",
    "note.diagnostic_rule_not_met": "No threshold of {model} meets the rule",
    # the costliest mistakes
    "mistakes.title": "Costliest mistakes",
    "mistakes.lead": "At the chosen threshold: of each kind at most ten, those whose score lies furthest on the wrong "
    "side first.",
    "mistakes.both": "{model} at threshold {threshold:cut}: {miss:count} missed, {false_alarm:count} false alarms in "
    "all; the kind that costs more first",
    "mistakes.miss": "{model} at threshold {threshold:cut}: positives missed, {miss:count} in all",
    "mistakes.false_alarm": "{model} at threshold {threshold:cut}: false alarms, {false_alarm:count} in all",
    "mistake.miss": "missed",
    "mistake.false_alarm": "false alarm",
    "mistakes.column.id": "Row",
    "mistakes.column.truth": "Truth",
    "mistakes.column.score": "Score",
    "mistakes.column.mistake": "Mistake",
    "mistakes.column.cost": "Cost",
    # NRI and IDI
    "reclassification.title": "Net reclassification (NRI) and integrated discrimination (IDI)",
    "reclassification.caption": "NRI and IDI: {new} against {old} ({level:level} intervals)",
    "reclassification.nri": "NRI, categories divided at {limits}",
    "reclassification.continuous_nri": "Continuous NRI",
    "reclassification.idi": "IDI",
    "reclassification.total": "Total",
    "column.measure": "Measure",
    # notes: planning
    "note.implied_prevalence": "the model's probabilities imply a prevalence of {implied:share}, not the "
    "{stated:share} stated: rows for the slope follow from the former, for O/E, AUC and net benefit from the latter",
    "note.implied_auc": "the model's probabilities imply an AUC of {implied:area}, not the {stated:area} stated, "
    "if they are calibrated as expected",
    # notes: evaluation
    "note.evaluated": "{rows:count} rows, {positives:count} positive ({prevalence:level})",
    "note.evaluated_weighted": "{rows:count} rows (weight {weight:count}), {positives:count} of the weight "
    "positive ({prevalence:level})",
    "note.evaluated_label": "{counted}, label {label}",
    "note.of_model": "{model}: {said}",
    "note.evaluated_classes": "{rows:count} rows, {classes:count} classes",
    "note.too_few_positives": "Few positives ({count:count}): intervals are wide, and a threshold chosen "
    "here is unreliable.",
    "note.too_few_negatives": "Few negatives ({count:count}): intervals are wide, and false alarms are poorly known.",
    "note.reversed": "AUC is {auc:area} and its interval lies below 0.5: scores or labels may be the wrong way round. "
    'If a low score means positive, give --higher-is negative (in Python higher_is="negative").',
    "note.reversed_again": "AUC is {auc:area} and its interval lies below 0.5: scores or labels may be the wrong way "
    'round. If a high score means positive, leave out --higher-is negative (in Python higher_is="negative").',
    "note.tied_scores": "Many rows share a score ({distinct:count} distinct scores in {rows:count} rows): "
    "thresholds between them do not exist, and average precision depends on how ties are treated.",
    "note.perfect": "AUC is exactly 1. Has the label leaked into the score, or are the rows those of training?",
    "note.one_class_group": "{group} ({column}) has one class only among its {rows:count} rows: most "
    "metrics have no value there.",
    "note.small_group": "{group} ({column}) is small ({rows:count} rows, {few:count} of the rarer class): "
    "no number there says much.",
    "note.threshold_on_same_rows": "The threshold was chosen on these rows. Its rates are corrected for that; what "
    "is counted on these rows (groups, sites, the sliders of the page) looks somewhat better than it is.",
    "note.prevalence_unlike": "The prevalence here ({sample:share}) is far from the one stated "
    "({stated:share}): trust recall and specificity; precision was recomputed.",
    "note.training_rows_suspected": "This is almost too good (AUC {auc:area}). Were these rows used in training?",
    "note.constant_score": "Every row has the same score: it says nothing.",
    "note.dropped_rows": "Rows with missing values were dropped ({rows:count}). If they are unlike the "
    "rest, so may be the answer.",
    "note.weighted_rows": "Rows are weighted (column {column}): counts are sums of weights.",
    "note.scores_outside": "The scores are not probabilities.",
    "note.scores_decisions": "The scores are 0 or 1 only: decisions, not probabilities.",
    "note.many_classes": "The label has more than two classes.",
    "note.rule_not_met": "No threshold satisfies the rule ({rule}).",
    "note.no_column": "No column was named for it.",
    "note.one_model": "There is one model only.",
    # figures
    "figure.word.tpr": "True positive rate",
    "figure.word.pr_gain_area": "AUPRG",
    "figure.word.eer": "EER",
    "figure.word.chance": "chance",
    "figure.word.hull": "hull",
    "figure.word.joint_hull": "joint hull",
    "figure.word.iso_cost": "equal cost",
    "figure.word.point": "operating point",
    "figure.word.share_of_class": "Share of class",
    "figure.word.positives": "positives",
    "figure.word.negatives": "negatives",
    "figure.word.rate": "Rate",
    "figure.word.probability": "Stated probability",
    "figure.word.observed": "Observed share",
    "figure.word.n": "n",
    "figure.word.predicted_rate": "Share of rows flagged",
    "figure.word.gain": "Share of positives found",
    "figure.word.perfect": "perfect",
    "figure.word.probability_cost": "Probability cost PC(+)",
    "figure.word.normalised_cost": "Normalised expected cost",
    "figure.word.never": "never positive",
    "figure.word.always": "always positive",
    "figure.word.cost_proportion": "Cost proportion of a false alarm",
    "figure.word.brier": "Brier",
    "figure.word.all_or_none": "flag all or none",
    "figure.word.treat_all": "treat all",
    "figure.word.treat_none": "treat none",
    "figure.word.predicted": "Predicted",
    "figure.word.actual": "Actual",
    "figure.word.of_row": "{share} of row",
    "figure.word.overall": "all rows",
    "figure.word.pooled": "pooled",
    "figure.word.prediction": "new site",
    "figure.word.difference": "Difference in {metric}",
    "figure.word.more": "({n} more not shown)",
    "figure.word.undefined": "undefined",
    "figure.word.unknown": "unknown",
    "figure.word.first_minus_second": "First minus second",
    "figure.word.others": "({n} more)",
    "figure.word.log_odds": "{name} (log-odds scale; 0 and 1 at the edges)",
    # command line
    "note.common_beginning": "'{text}' at the beginning of the columns is no part of the classes",
    "note.not_fitted_rows": "p_holm is p corrected for all tests that are read together ({tests:count}); a comparison "
    "on rows that the models were fitted on is not valid",
    "note.at_prevalence": "what depends on prevalence is expressed at prevalence {prevalence} "
    "(in the data {here}): the same ranking in such a population, without intervals",
    "note.no_interval_asked": "no interval was asked for",
    "note.no_interval_at_prevalence": "at another prevalence than that of the data it has no interval",
    "note.about": "{who}: {what}",
    "note.metric_undefined": "{metric} of {model} is undefined: {why}",
    # metrics
    "metric.roc_auc": "AUC",
    "metric.meaning.roc_auc": "chance that a positive outranks a negative; 0.5 is chance, 1 perfect",
    "metric.pitfall.roc_auc": "it says nothing about probabilities, nor about the threshold that will be used; where "
    "only low false positive rates count, take partial_roc_auc",
    "metric.partial_roc_auc": "Partial AUC",
    "metric.meaning.partial_roc_auc": "area under the ROC curve within a range of rates",
    "metric.pitfall.partial_roc_auc": "the raw area depends on how wide the range is: state the range, and compare "
    "only with the same range and scale",
    "metric.average_precision": "Average precision",
    "metric.meaning.average_precision": "mean precision over recall; chance is the prevalence",
    "metric.pitfall.average_precision": "its chance level is the prevalence: values from data of different prevalence "
    "cannot be compared",
    "metric.pr_auc": "Area under the PR curve",
    "metric.meaning.pr_auc": "mean precision over recall, with exact interpolation between thresholds; "
    "chance is the prevalence",
    "metric.pitfall.pr_auc": "straight lines between points (the trapezoid rule) are too optimistic; values of "
    "different prevalence cannot be compared",
    "metric.pr_gain_area": "Area under the PR-gain curve",
    "metric.meaning.pr_gain_area": "precision and recall on a scale where flagging every row is 0; 1 is perfect",
    "metric.pitfall.pr_gain_area": "chance is 0 at any prevalence, but the area of a better curve still moves with it",
    "metric.equal_error_rate": "Equal error rate",
    "metric.meaning.equal_error_rate": "miss rate where it equals the false positive rate; lower is better",
    "metric.pitfall.equal_error_rate": "it weighs a miss and a false positive equally, at a threshold that nobody may "
    "use",
    "metric.h_measure": "H-measure",
    "metric.meaning.h_measure": "cost saved, averaged over costs; 0 is useless, 1 perfect",
    "metric.pitfall.h_measure": "it depends on prevalence and on the distribution of costs, and is optimistic with "
    "few rows: state alpha and beta",
    "metric.ks": "Kolmogorov–Smirnov statistic",
    "metric.meaning.ks": "largest distance of recall above the false positive rate; 0 is chance, 1 perfect",
    "metric.pitfall.ks": "it is the best of many thresholds on the same rows: biased upward, more with few rows",
    "metric.gini": "Gini coefficient",
    "metric.meaning.gini": "2·AUC − 1: pairs in the right order less pairs in the wrong order; 0 is chance, 1 perfect",
    "metric.pitfall.gini": "it is AUC on another scale and tells nothing more; another Gini, of impurity in trees, is "
    "not meant",
    "metric.recall_at_fpr": "Recall at a false positive rate",
    "metric.meaning.recall_at_fpr": "of {base} positives, {value:of_base} are flagged at the false positive rate "
    "stated",
    "metric.pitfall.recall_at_fpr": "the threshold is chosen on these rows: on new rows the false positive rate will "
    "not be exactly the one stated",
    "metric.sensitivity_at_specificity": "Sensitivity at a specificity",
    "metric.meaning.sensitivity_at_specificity": "of {base} positives, {value:of_base} are flagged at the "
    "specificity stated",
    "metric.pitfall.sensitivity_at_specificity": "the threshold is chosen on these rows: on new rows the specificity "
    "will not be exactly the one stated",
    "metric.specificity_at_sensitivity": "Specificity at a sensitivity",
    "metric.meaning.specificity_at_sensitivity": "of {base} negatives, {value:of_base} are not flagged at "
    "the sensitivity stated",
    "metric.pitfall.specificity_at_sensitivity": "few positives decide where the sensitivity is reached: with 20 of "
    "them one more or less moves it by 5 points",
    "metric.precision_at_recall": "Precision at a recall",
    "metric.meaning.precision_at_recall": "of {base} flagged rows, {value:of_base} are positive at the best "
    "threshold that reaches the recall stated",
    "metric.pitfall.precision_at_recall": "it is the best of many thresholds, and moves with prevalence",
    "metric.recall_at_precision": "Recall at a precision",
    "metric.meaning.recall_at_precision": "of {base} positives, {value:of_base} are flagged at the best "
    "threshold that reaches the precision stated",
    "metric.pitfall.recall_at_precision": "one lucky run at the top of the list can decide it; it has no interval for "
    "that reason",
    "metric.top_precision": "Precision at the top",
    "metric.meaning.top_precision": "of {base} rows among the highest scores, {value:of_base} are positive",
    "metric.pitfall.top_precision": "it cannot exceed prevalence/fraction, even for a perfect model",
    "metric.top_recall": "Recall at the top",
    "metric.meaning.top_recall": "of {base} positives, {value:of_base} are among the highest scores",
    "metric.pitfall.top_recall": "it cannot exceed fraction/prevalence, even for a perfect model",
    "metric.top_average_precision": "Average precision at the top",
    "metric.meaning.top_average_precision": "average precision of the rows with the highest scores, as a share of "
    "all positives",
    "metric.pitfall.top_average_precision": "with fewer rows than positives even a perfect model stays below 1; some "
    "tools divide by the number of rows instead",
    "metric.cllr": "Cllr",
    "metric.meaning.cllr": "mean cost of log likelihood ratios in bits, both classes alike; 1 says nothing, "
    "0 is perfect",
    "metric.pitfall.cllr": "scores must be natural logarithms of likelihood ratios, not probabilities or log odds",
    "metric.min_cllr": "Minimum Cllr",
    "metric.meaning.min_cllr": "Cllr after isotonic calibration on the same rows: the loss that is due to ranking",
    "metric.pitfall.min_cllr": "it is fitted on the same rows, so it is too low, more with few rows",
    "metric.min_dcf": "Minimum detection cost",
    "metric.meaning.min_dcf": "cost of misses and false alarms at the best threshold; 1 is that of the better trivial "
    "decision",
    "metric.pitfall.min_dcf": "the threshold is chosen on the same rows, so it is too low, more with few rows",
    "metric.act_dcf": "Actual detection cost",
    "metric.meaning.act_dcf": "cost of misses and false alarms at the threshold that the prior and the costs imply; "
    "above 1 a trivial decision is cheaper",
    "metric.pitfall.act_dcf": "scores must be natural logarithms of likelihood ratios; of other scores the threshold "
    "means nothing",
    "metric.ece": "Expected calibration error (ECE)",
    "metric.meaning.ece": "mean gap between stated probability and outcome in bins; above 0 even for "
    "perfect probabilities",
    "metric.pitfall.ece": "it depends on the number of bins and is above 0 for perfect probabilities; compare with "
    "what calibration() expects by chance",
    "metric.mce": "Maximum calibration error (MCE)",
    "metric.meaning.mce": "the largest gap of any bin; often that of a bin with few rows",
    "metric.pitfall.mce": "the bin with the fewest rows usually decides it",
    "metric.observed_expected": "Observed over expected (O/E)",
    "metric.meaning.observed_expected": "positives for each one that the probabilities predict; 1 is "
    "right, below 1 they predict too many",
    "metric.pitfall.observed_expected": "1 does not mean calibrated: errors in both directions cancel",
    "metric.ici": "Integrated calibration index (ICI)",
    "metric.meaning.ici": "mean gap to a local linear smooth curve; above 0 even for perfect probabilities",
    "metric.pitfall.ici": "above 0 for perfect probabilities, more so with few rows; another smoother (R’s loess, "
    "splines) gives another number",
    "metric.calibration_slope": "Calibration slope",
    "metric.meaning.calibration_slope": "1 is right; below 1 probabilities are too extreme, above 1 too moderate",
    "metric.pitfall.calibration_slope": "1 with a wrong intercept is still miscalibrated: read both",
    "metric.calibration_intercept": "Calibration intercept",
    "metric.meaning.calibration_intercept": "goes with the slope: log odds of the outcome where p = 0.5; 0 is right",
    "metric.pitfall.calibration_intercept": "it goes with the slope; for the level alone read calibration_in_the_large",
    "metric.calibration_in_the_large": "Calibration in the large",
    "metric.meaning.calibration_in_the_large": "log odds to add to every row; 0 is right, below 0 the "
    "probabilities are too high",
    "metric.pitfall.calibration_in_the_large": "0 says only that the level is right on average, not that single "
    "probabilities are",
    "metric.brier_loss": "Brier loss",
    "metric.meaning.brier_loss": "mean squared gap between probability and truth; 0 is perfect",
    "metric.pitfall.brier_loss": "with rare positives it is small for a useless model, too: read brier_skill",
    "metric.log_loss": "Log loss",
    "metric.meaning.log_loss": "mean −log of the probability given to the truth; 0 is perfect",
    "metric.pitfall.log_loss": "a single probability of 0 for a positive makes it infinite; clipping hides that",
    "metric.spherical_loss": "Spherical loss",
    "metric.meaning.spherical_loss": "1 − q/√(q² + (1−q)²) of the probability q given to the truth, on "
    "average; 0 is perfect",
    "metric.pitfall.spherical_loss": "few know it: no value of another study will be at hand to compare with",
    "metric.brier_skill": "Brier skill",
    "metric.meaning.brier_skill": "share of the Brier loss of always stating the prevalence that is "
    "saved; 0 is no gain, 1 perfect",
    "metric.pitfall.brier_skill": "the base rate comes from the rows that are judged; at another prevalence it is "
    "another number",
    "metric.log_skill": "Log skill",
    "metric.meaning.log_skill": "share of the log loss of always stating the prevalence that is saved; "
    "0 is no gain, 1 perfect",
    "metric.pitfall.log_skill": "minus infinity as soon as one probability is 0 for a positive or 1 for a negative",
    "metric.spherical_skill": "Spherical skill",
    "metric.meaning.spherical_skill": "share of the spherical loss of always stating the prevalence "
    "that is saved; 0 is no gain, 1 perfect",
    "metric.accuracy": "Accuracy",
    "metric.meaning.accuracy": "of {base} rows, {value:of_base} are classified correctly",
    "metric.pitfall.accuracy": "at 1% positives, flagging nobody is 99% accurate",
    "metric.error": "Error rate",
    "metric.meaning.error": "of {base} rows, {value:of_base} are classified wrongly",
    "metric.pitfall.error": "at 1% positives, flagging nobody errs in 1% only",
    "metric.precision": "PPV (precision)",
    "metric.meaning.precision": "of {base} flagged rows, {value:of_base} are positive (PPV)",
    "metric.pitfall.precision": "it falls with prevalence: a precision from a study with half positives does not hold "
    "in screening",
    "metric.npv": "NPV",
    "metric.meaning.npv": "of {base} rows not flagged, {value:of_base} are negative",
    "metric.pitfall.npv": "where positives are rare it is high for any model, and 1 - prevalence without one",
    "metric.recall": "Recall",
    "metric.meaning.recall": "of {base} positives, {value:of_base} are flagged (sensitivity, TPR)",
    "metric.pitfall.recall": "1 is reached by flagging every row: read it beside the false positive rate or the "
    "precision",
    "metric.specificity": "Specificity",
    "metric.meaning.specificity": "of {base} negatives, {value:of_base} are not flagged (TNR)",
    "metric.pitfall.specificity": "1 is reached by flagging nobody; 0.99 still means one false alarm per 100 "
    "negatives, and negatives may be many",
    "metric.fpr": "False positive rate",
    "metric.meaning.fpr": "of {base} negatives, {value:of_base} are flagged wrongly",
    "metric.pitfall.fpr": "a small rate of many negatives is many false alarms: at 1 positive in 1000, an FPR of 1% "
    "gives about 10 false alarms per positive",
    "metric.fnr": "Miss rate",
    "metric.meaning.fnr": "of {base} positives, {value:of_base} are missed",
    "metric.pitfall.fnr": "0 of 20 positives missed is compatible with a rate of up to 16%: read its interval",
    "metric.fdr": "False discovery rate",
    "metric.meaning.fdr": "of {base} flagged rows, {value:of_base} are false alarms",
    "metric.pitfall.fdr": "not the false positive rate: its base are the alarms, not the negatives; it moves with "
    "prevalence",
    "metric.false_omission_rate": "False omission rate",
    "metric.meaning.false_omission_rate": "of {base} rows not flagged, {value:of_base} are positive",
    "metric.pitfall.false_omission_rate": "where positives are rare it is small for any model",
    "metric.prevalence": "Prevalence",
    "metric.meaning.prevalence": "of {base} rows, {value:of_base} are positive",
    "metric.pitfall.prevalence": "in a case-control study it is the study's choice, not the population's",
    "metric.predicted_rate": "Flagged",
    "metric.meaning.predicted_rate": "of {base} rows, {value:of_base} are flagged",
    "metric.pitfall.predicted_rate": "equal to the prevalence does not mean that the right rows are flagged",
    "metric.balanced_accuracy": "Balanced accuracy",
    "metric.meaning.balanced_accuracy": "mean recall over the classes; with two classes 0.5 is chance",
    "metric.pitfall.balanced_accuracy": "it weighs one miss like as many false positives as there are negatives per "
    "positive: rarely the cost of anybody",
    "metric.balanced_error": "Balanced error rate",
    "metric.meaning.balanced_error": "1 − balanced accuracy (BER)",
    "metric.pitfall.balanced_error": "as balanced accuracy: the weights of misses and false positives follow from "
    "prevalence, not from costs",
    "metric.f1": "F1",
    "metric.meaning.f_beta": "mean of precision and recall in which recall counts beta times as much as precision",
    "metric.pitfall.f_beta": "beta = 2 favours recall, beta = 0.5 precision; two values with different beta do not "
    "compare",
    "metric.f2": "F2",
    "metric.meaning.f2": "mean of precision and recall in which recall counts twice as much as precision",
    "metric.pitfall.f2": "one miss weighs as much as four false alarms in it, whatever they cost you",
    "metric.f0.5": "F0.5",
    "metric.meaning.f0.5": "mean of precision and recall in which precision counts twice as much as recall",
    "metric.pitfall.f0.5": "one false alarm weighs as much as four misses in it, whatever they cost you",
    "metric.meaning.net_benefit": "true positives per row, less false ones at the odds of the threshold; 0 is that of "
    "flagging no row",
    "metric.pitfall.net_benefit": "the threshold is both the cut and the price of a false alarm, so scores must be "
    "calibrated probabilities",
    "metric.meaning.expected_cost": "mean cost per row at the costs stated",
    "metric.pitfall.expected_cost": "it depends on the prevalence of these rows; compare it with flagging no row and "
    "flagging every row",
    "metric.meaning.f1": "harmonic mean of precision and recall; ignores true negatives",
    "metric.pitfall.f1": "it ignores true negatives, moves with prevalence, and weighs precision and recall equally "
    "without a reason from costs",
    "metric.jaccard": "Jaccard index",
    "metric.meaning.jaccard": "true positives among all rows flagged or positive (threat score)",
    "metric.pitfall.jaccard": "it orders models as F1 does at the same rows, and has the same faults",
    "metric.fowlkes_mallows": "Fowlkes–Mallows index",
    "metric.meaning.fowlkes_mallows": "geometric mean of precision and recall",
    "metric.pitfall.fowlkes_mallows": "it ignores true negatives and moves with prevalence",
    "metric.g_mean": "G-mean",
    "metric.meaning.g_mean": "geometric mean of recall and specificity",
    "metric.pitfall.g_mean": "0 as soon as one class is never recognised, whatever the other rate is",
    "metric.youden": "Youden’s J",
    "metric.meaning.youden": "recall + specificity − 1; 0 is chance, 1 perfect",
    "metric.pitfall.youden": "as a rule for a threshold it states costs without saying so: a miss costs (negatives "
    "per positive) times a false positive",
    "metric.markedness": "Markedness",
    "metric.meaning.markedness": "PPV + NPV − 1; 0 is chance, 1 perfect",
    "metric.pitfall.markedness": "it moves with prevalence, unlike Youden's index",
    "metric.mcc": "Matthews correlation",
    "metric.meaning.mcc": "correlation of flag and label; 0 is chance, 1 perfect",
    "metric.pitfall.mcc": "it moves with prevalence: at the same sensitivity and specificity it is lower where "
    "positives are rare",
    "metric.kappa": "Cohen’s kappa",
    "metric.meaning.kappa": "agreement beyond chance; 0 is chance, 1 perfect",
    "metric.pitfall.kappa": "it moves with prevalence, and chance agreement depends on how many rows are flagged",
    "metric.lr_positive": "Positive likelihood ratio (LR+)",
    "metric.meaning.lr_positive": "a flag multiplies the odds of being positive by this",
    "metric.pitfall.lr_positive": "infinite where no negative is flagged: read its interval; it multiplies odds, not "
    "probabilities",
    "metric.lr_negative": "Negative likelihood ratio (LR−)",
    "metric.meaning.lr_negative": "the lack of a flag multiplies the odds of being positive by this",
    "metric.pitfall.lr_negative": "it multiplies odds, not probabilities",
    "metric.diagnostic_odds_ratio": "Diagnostic odds ratio",
    "metric.meaning.diagnostic_odds_ratio": "odds of a flag among positives over those among negatives",
    "metric.pitfall.diagnostic_odds_ratio": "very different pairs of sensitivity and specificity have the same value; "
    "infinite where a cell is 0",
    "metric.lift": "Lift",
    "metric.meaning.lift": "flagged rows are this many times as rich in positives as all rows",
    "metric.pitfall.lift": "it cannot exceed 1/prevalence, so values of different prevalence cannot be compared",
    "metric.number_needed_to_evaluate": "Number needed to evaluate",
    "metric.meaning.number_needed_to_evaluate": "flagged rows to look at for one true positive",
    "metric.pitfall.number_needed_to_evaluate": "it moves with prevalence; infinite where no flagged row is positive",
    # metrics as tables of everything show them, where their options say more than the name
    "metric.shown.partial_roc_auc": "Partial AUC, FPR up to 10%",
    "metric.shown.meaning.partial_roc_auc": "mean recall where at most 10% of negatives are flagged; 0.05 is chance",
    "metric.shown.sensitivity_at_specificity": "Sensitivity at 95% specificity",
    "metric.shown.meaning.sensitivity_at_specificity": "share of positives flagged where 5% of negatives are; "
    "5% is chance",
    "metric.shown.specificity_at_sensitivity": "Specificity at 95% sensitivity",
    "metric.shown.meaning.specificity_at_sensitivity": "share of negatives not flagged where 95% of positives "
    "are; 5% is chance",
    # numbers that are no registered metric
    "metric.f_beta": "F score",
    "metric.net_benefit": "Net benefit",
    "metric.expected_cost": "Expected cost",
    "metric.mean_error": "Mean error",
    "metric.distance": "Distance to the perfect corner",
    "metric.recall_gain": "Recall gain",
    "metric.precision_gain": "Precision gain",
    "metric.hand_till": "Hand and Till’s M",
    "metric.meaning.hand_till": "mean AUC of all pairs of classes; 0.5 is chance, 1 perfect",
    "metric.expected_auc": "AUC expected from case mix",
    "metric.precision_common": "Precision at one prevalence",
    "metric.average_precision_common": "Average precision at one prevalence",
    "metric.squared_error": "Squared error",
    "metric.meaning.squared_error": "mean squared gap less what chance adds; about 0 is right, may be below",
    "metric.e50": "E50",
    "metric.meaning.e50": "half of the rows have a smaller gap to the smooth curve",
    "metric.pitfall.e50": "half of the rows may be far worse; above 0 for perfect probabilities",
    "metric.e90": "E90",
    "metric.meaning.e90": "nine rows in ten have a smaller gap to the smooth curve",
    "metric.pitfall.e90": "above 0 for perfect probabilities, and unsteady with few rows",
    "metric.spiegelhalter": "Spiegelhalter’s z",
    "metric.meaning.spiegelhalter": "z of the Brier score against what it should be; too high and too low can cancel",
    "metric.hosmer_lemeshow": "Hosmer–Lemeshow",
    "metric.meaning.hosmer_lemeshow": "chi-square, {degrees} degrees of freedom; depends on groups "
    "and n: no measure of how bad it is",
    "note.no_interval_biased": "it is biased upward, and a resample adds the same bias once more, so it has "
    "no honest interval; see the test of calibration, and the value expected of right probabilities",
    "note.one_decides": "one cluster or weighted row holds nearly all that there is to learn from, so there "
    "is no interval",
    "note.few_clusters_joint": "a joint test of level, slope and curvature needs more clusters than "
    "{clusters:count}, or clusters of more equal size",
    "note.first_and_then": "{first}; {then}",
    "note.sign_too_many": "it predicts too many positives: 100 predicted, {value:per_100} observed ({level:level} "
    "interval {low:per_100} to {high:per_100})",
    "note.sign_too_few": "it predicts too few positives: 100 predicted, {value:per_100} observed ({level:level} "
    "interval {low:per_100} to {high:per_100})",
    "note.sign_extreme": "they are too extreme (slope {value:short}, {level:level} interval {low:short} to "
    "{high:short}; 1 is right)",
    "note.sign_moderate": "they are too moderate (slope {value:short}, {level:level} interval {low:short} to "
    "{high:short}; 1 is right)",
    "note.sign_curved": "the joint test of level, slope and curvature rejects them (p\u00a0{p:relation}) "
    "although neither level nor slope alone does: probabilities of some ranges are too high and of others too "
    "low, as the reliability curve shows",
    "note.probabilities_off": "the probabilities are off: {signs}",
    "note.no_sign": "no sign that the probabilities are wrong: 100 positives predicted, {ratio:per_100} observed ("
    "{level:level} interval {ratio_low:per_100} to {ratio_high:per_100}); slope between {slope_low:short} and "
    "{slope_high:short}, where 1 is right",
    "note.no_sign_little_known": "no sign that the probabilities are wrong: for 100 positives predicted there may be "
    "{ratio_low:per_100} to {ratio_high:per_100}, and the slope may lie between {slope_low:short} and "
    "{slope_high:short} ({level:level} intervals; 1 is right), but of {what} these rows would show only a large error",
    "note.little_known_level": "the level",
    "note.little_known_slope": "the slope",
    "note.little_known_both": "level and slope",
    "note.probabilities_untested": "these rows do not tell whether the probabilities are right: no interval "
    "and no test is defined",
    "metric.joint_test": "Joint test of calibration",
    "metric.meaning.joint_test": "chi-square, {degrees} degrees of freedom: level, slope and curvature together",
    "metric.smooth_ece": "Smooth calibration error (SmoothECE)",
    "metric.meaning.smooth_ece": "mean smoothed gap, without bins; above 0 even for perfect probabilities",
    "metric.pitfall.smooth_ece": "above 0 for perfect probabilities; values of different numbers of rows cannot be "
    "compared",
    "column.expected": "If right",
    "column.limit": "Limit if right",
    "probabilities.expected.note": "“If right” is what the error would be on average if the probabilities "
    "were right: these errors are never 0 on finitely many rows. It exceeds the limit in {beyond:share} of "
    "such samples; p is how often it is as large as here.",
    "note.miscalibrated": "The probabilities are off: {signs}. Recalibrate before using them as probabilities.",
    "note.no_sign_hardly_tested": "no sign that the probabilities are wrong, but these rows could hardly "
    "show one: slope or level has no interval",
    # then and now: a saved evaluation, and what has changed since
    "note.rows_not_saved": "Rows are not saved: what needs them, such as another metric, group or level, must be "
    "made from the data.",
    "note.when_then": "in the baseline",
    "note.when_now": "now",
    "note.change_undefined": "undefined {when}: {why}",
    "note.change_no_interval": "there is no interval {when}",
    "note.log_loss_infinite": "The log loss is infinite: {count:count} of {total:count} rows had no chance of what "
    "happened ({positives:count} positive with p = 0, {negatives:count} negative with p = 1)",
    "note.log_loss_infinite_weight": "The log loss is infinite: {count} of a weight of {total} had no chance of what "
    "happened ({positives} positive with p = 0, {negatives} negative with p = 1)",
    "note.change_infinite": "the number is infinite",
    "note.levels_differ": "the baseline has {then:level} intervals, this evaluation {now:level}",
    "note.levels_differ_so": "The baseline has {then:level} intervals and this evaluation {now:level}: differences "
    "have no interval. Make both with the same level.",
    "note.same_rows": "The baseline has the same rows, so the differences are compared row by row.",
    "note.same_file": "The baseline was made from the same file, {file}. Differences on the same rows are more "
    "certain than the intervals say, which take the rows for different ones; compare both scores of one file "
    "instead.",
    "note.renamed": "{now} is compared with {then}, the only model of the baseline.",
    "note.only_now": "Not in the baseline ({count:count}): {names:names}.",
    "note.only_then": "Only in the baseline ({count:count}): {names:names}.",
    "note.threshold_of_baseline": "Rates at the baseline's threshold: those of the baseline are what was expected "
    "on new rows, corrected for the choice of the threshold where that is known; those now are counted on these "
    "rows.",
    "note.psi_convention": "PSI, the population stability index, counts as little below 0.1, as some up to 0.25, as "
    "large above: a convention that does not know how many rows there are. If nothing has changed, chance alone "
    "exceeds the limit beside it in {beyond:level} of cases.",
    "note.of_metric_when": "{metric} {when}: {said}",
    "note.ks_in_bins": "Scores were counted in bins: KS of all scores may be larger, by up to {within:short}.",
    "note.window_no_sign": "No sign of a change in {metric}: {then:area} in the reference, {now:area} now ({ends}).",
    "note.window_no_sign_prevalence": "No sign of a change in prevalence: {then:share} in the reference, {now:share} "
    "now ({ends}).",
    "note.window_no_sign_scores": "No sign of a change in the scores: PSI {psi:area}, and chance alone reaches up to "
    "{limit:area}; largest distance between the distributions (KS) {ks:area}.",
    "note.window_too_few": "Too few rows to tell whether {metric} has changed: {why}.",
    "note.window_few_rows": "{count:count} rows {when}, and at least {least:count} are needed",
    "note.window_few_positives": "{count:count} positives {when}, and at least {least:count} are needed",
    "note.window_few_negatives": "{count:count} negatives {when}, and at least {least:count} are needed",
    "note.when_reference": "in the reference",
    "note.window_looks": "Each question is tested at {level:level} for this one look. If nothing changes, about "
    "{beyond:level} of such looks find a change all the same, for each question: of daily looks about one in "
    "{every:count}. For regular looks take a higher level.",
    "said.scores": "the scores",
    "note.ks_within": "Of the baseline's scores every per cent of each class was saved: KS is right to within "
    "{within:area}.",
    "note.difference_ends": "{level:level} interval of the difference {ends:area_ends}",
    "note.difference_points": "{level:level} interval of the difference {ends:points_ends}",
    "note.metric_rose": "{metric} rose by {size:area}, from {then:area} to {now:area} ({ends}).",
    "note.metric_fell": "{metric} fell by {size:area}, from {then:area} to {now:area} ({ends}).",
    "note.no_clear_change": "No clear change ({level:level} intervals of the differences): {what}.",
    "note.unclear_metric": "{metric} {difference:area} ({low:area} to {high:area})",
    "note.unclear_scores": "scores (PSI {psi:area}, and chance alone reaches up to {limit:area})",
    "note.difference_without": "{metric}: {why}.",
    "note.metric_then_now": "{metric} was {then:area} and is {now:area}; the difference, {difference:area}, has no "
    "interval: {why}.",
    "note.change_unknown": "No change in {metric} can be stated: {why}.",
    "note.ap_with_prevalence": "Average precision moves with prevalence, which has changed too: part of its change "
    "may not be a change of the model.",
    "note.fit_farther": "{metric} is farther from {target}, where it should be: {then:area} then, {now:area} now "
    "({ends}).",
    "note.fit_closer": "{metric} is closer to {target}, where it should be: {then:area} then, {now:area} now ({ends}).",
    "note.rate_rose": "{metric} at the baseline's threshold, {threshold:cut}, rose by {size:points}, from "
    "{then:share} to {now:share} ({ends}).",
    "note.rate_fell": "{metric} at the baseline's threshold, {threshold:cut}, fell by {size:points}, from "
    "{then:share} to {now:share} ({ends}).",
    "note.prevalence_rose": "Prevalence rose by {size:points}, from {then:share} to {now:share} ({ends}).",
    "note.prevalence_fell": "Prevalence fell by {size:points}, from {then:share} to {now:share} ({ends}).",
    "note.prevalence_no_clear_change": "No clear change in prevalence: {then:share} then, {now:share} now ({ends}).",
    "note.prevalence_then_now": "Prevalence was {then:share} and is {now:share}; the difference has no interval: "
    "{why}.",
    "note.scores_drifted": "The scores have moved: PSI {psi:area} ({size}, by convention), where chance alone "
    "rarely exceeds {limit:area}; largest distance between the distributions (KS) {ks:area}.",
    "note.scores_drift_unsure": "PSI of the scores is {psi:area} ({size}, by convention), KS {ks:area}; what chance "
    "alone gives is not known for clustered, stratified or weighted rows, or for the same rows.",
    "note.scores_equal_then": "All scores of the baseline are equal, so PSI is undefined; largest distance between "
    "the distributions (KS) {ks:area}.",
    "said.predicted_rate": "share of rows flagged",
    "note.more_changes": "{more:count} more statements are in the section.",
    "said.observed_expected": "observed over expected",
    "said.calibration_slope": "the calibration slope",
    "drift_size.little": "little",
    "drift_size.some": "some",
    "drift_size.large": "large",
    "ask.baseline": "What has changed since the baseline?",
    "baseline.of": "Baseline: {source}, {rows:count} rows then; {now:count} rows now.",
    "baseline.unnamed": "an earlier evaluation",
    "baseline.table": "Then and now, with {level:level} intervals of the differences",
    "baseline.at_threshold": "At the baseline's threshold, {threshold:amount}",
    "baseline.bins": "{part}, {when}",
    "baseline.drift": "How far the scores have moved",
    "baseline.prevalence": "Share of positives",
    "column.then": "Then",
    "column.now": "Now",
    "column.part": "Rows",
    "column.psi": "PSI",
    "column.psi_limit": "Chance limit",
    "column.size": "Size",
    "column.ks": "KS",
    "drift_part.all": "All",
    "figure.drift": "Scores then and now",
    "figure.drift.caption": "Share of each class in bins of equal width: filled now, outlined then. Positives up, "
    "negatives down.",
    "figure.word.then": "then",
    "figure.word.now": "now",
    # detection
    "detection.quality.compare_classes": "Class by class: {first} minus {second}",
    "note.detector_finds_nothing": "no object is found at IoU {iou:amount}, whatever the score",
    "detection.scene": "{images:count} images, {truths:count} objects",
    "note.detector_ap": "average precision is {ap:area} ({level:level} interval {ends:area_ends})",
    "note.detector_ap_alone": "average precision is {ap:area}",
    "note.detector_at": "at a score of {threshold:amount} or more, of {base} objects {recall:of_base} are found, of "
    "{base} boxes shown {precision:of_base} are right, and there are "
    "{wrong:short} wrong boxes per image",
    "note.detector_shows_nothing": "no detection has a score of {threshold:amount} or more",
    "note.detector_main_error": "correcting one type of error would add most for “{kind}” ({count:count} errors): "
    "{gain:area} of average precision",
    "note.detector_no_error": "no single type of error costs much average precision",
    "note.detector_better": "{name} is the best of {count:count} detectors",
    "note.detectors_alike": "these images do not tell {names:names} apart",
    "note.detector_difference": "{first} minus {second}: {gap:area} of average precision ({level:level} interval "
    "{ends:area_ends}, p {p:relation})",
    "ask.detector_quality": "How good is it?",
    "ask.detector_better": "Which detector is better?",
    "ask.detector_threshold": "What does a threshold do?",
    "ask.detector_errors": "What goes wrong?",
    "side.truth": "truth",
    "side.found": "found",
    "note.detection_dropped_missing": "{side}: {rows:count} of {of:count} rows lack an image, a class, a box or a "
    "score and are left out",
    "note.detection_unknown_image": "{rows:count} of {of:count} detections are in images that truth does not list and "
    "are left out ({names})",
    "note.detection_unknown_class": "{rows:count} of {of:count} detections are of classes that truth does not list "
    "and are left out ({names})",
    "note.detection_only_found": "some classes are detected and never annotated: {names}",
    "note.detection_classes_shifted": "class ids seem shifted by one between truth and found; only found has {names}",
    "note.detection_in_shares": "boxes of both sides are shares of the image: overlaps are right, but areas are not "
    "in pixels, so small, medium and large mean nothing; give the sizes of the images for those",
    "note.detection_other_form": "of 100 objects of a sample, {as_given:of_100} are matched by boxes as given, and "
    "{share:of_100} would be with {form}",
    "note.detection_like_corners": "in all {rows:count} boxes the third number is not less than the first, nor the "
    "fourth than the second: they look like corners, and are read as x, y, width, height",
    "note.detection_most_beyond": "most boxes end beyond their image ({truths:count} objects, {found:count} "
    "detections): they may be corners, and are read as x, y, width, height",
    "note.detection_beyond": "{side}: {rows:count} of {of:count} boxes end more than 1 pixel beyond their image; they "
    "are not clipped",
    "note.detection_zero_truth": "{rows:count} of {of:count} objects have a box without area, so nothing can match "
    "them; they count as missed",
    "note.detection_zero_found": "{rows:count} of {of:count} detections have a box without area, so they match nothing",
    "note.detection_no_area": "{rows:count} of {of:count} objects state no area; that of the box is used",
    "note.detection_unlike_area": "{rows:count} of {of:count} objects state an area that differs from width × height "
    "by more than 1%; size ranges use the area stated",
    "note.detection_ignored": "{rows:count} of {of:count} objects are marked as ignored and count neither way; "
    "pycocotools does not read this mark",
    "note.detection_ids_repeat": "{ids:count} ids belong to several objects (the first {first}); rows tell them apart "
    "here, pycocotools does not",
    "note.detection_none_found": "there are no detections at all",
    "note.detection_identical": "{rows:count} of {of:count} detections repeat another in image, class, box and score; "
    "each counts",
    "note.detection_mixed_scores": "{rows:count} of {of:count} scores exceed 1 (up to {most:amount}), the others do "
    "not: two scales may be mixed",
    "detection.summary": "{images:count} images, {truths:count} objects, {found:count} detections",
    "detection.ap": "average precision",
    "detection.ar": "average recall",
    "detection.at_iou": "IoU {iou:amount}",
    "detection.mean_iou": "mean over IoU {low:amount} to {high:amount}",
    "detection.of_size": "{area} objects",
    "detection.size.small": "small",
    "detection.size.medium": "medium",
    "detection.size.large": "large",
    "detection.size.all": "all",
    "detection.limit": "detections per image and class: at most {limit:count}",
    "detection.frequency.r": "rare classes",
    "detection.frequency.c": "common classes",
    "detection.frequency.f": "frequent classes",
    "note.nothing_found_at_any_threshold": "no detection is right at this overlap, so no threshold is better than "
    "another",
    "note.best_f_on_same_images": "the threshold was chosen on the images that it is judged on, so expect less of it "
    "on "
    "new ones",
    "note.means_at_threshold": "means over classes: precision {precision:area} ({precision_classes:count} classes), "
    "recall {recall:area} ({recall_classes:count}), F {f:area} ({f_classes:count})",
    "note.no_detections": "there is no detection",
    "note.delta_ap_do_not_sum": "each rise of AP is that of correcting one type alone; together they do not make up "
    "1 − AP",
    "detection_status.true": "true",
    "detection_status.false": "false",
    "detection_status.aside": "set aside",
    "column.image": "Image",
    "column.objects": "Objects",
    "column.missed": "Missed",
    "column.false_positives_per_image": "False detections per image",
    "column.error": "Error",
    "column.count": "Count",
    "column.delta_ap": "Rise of AP",
    "column.row": "Row",
    "column.truth": "Object",
    "column.truth_class": "Class of the object",
    "column.iou": "IoU",
    "column.taken_for": "Detected as",
    "column.share_of_class": "Share of the class",
    "note.no_truths": "there is no annotated object that counts",
    "note.absent_class": "{truths:count} objects, {detections:count} detections",
    "note.no_class_of_size": "no class has an object of this size ({area})",
    "note.not_looked_for": "{rows:count} of {of:count} detections were left out: their class was not looked for in "
    "their image",
    "note.as_pycocotools_counts": "as pycocotools counts: {numbers}. It orders equal scores by row and by image id, "
    "and compares recall with rounded "
    "grid points, so its numbers change with names of files; ours do not",
    "note.tied_detections": "{tied:count} of {of:count} detections share their score with another one of their "
    "class; by their order AP lies between "
    "{low:area} and {high:area}, and the lower value, equal scores as one block, is given",
    "note.beyond_limit": "{rows:count} detections beyond the first {limit:count} of an image and class were left out",
    "note.beyond_limit_image": "{rows:count} detections beyond the first {limit:count} of an image were left out",
    "note.absent_classes_skip": "classes without an object have no average precision, and means leave them out: "
    "{names:names} (detections in brackets)",
    "note.absent_classes_zero": "classes without an object: {names:names} (detections in brackets); means count "
    "those with detections as 0",
    "note.absent_classes_raise": "classes without an object: {names:names} (detections in brackets)",
    "note.few_truths": "classes with fewer than {least:count} objects, whose average precision is unreliable: "
    "{names:names}",
    "note.few_images": "only {images:count} images: with fewer than {least:count}, intervals are unreliable",
    # detection: intervals
    "note.one_image": "no interval: all of its objects lie in one image",
    "note.covers_less": "in simulations of mean average precision {low:share} to {high:share} of the 95% intervals by "
    "method '{method}' held the true value; the default method held it in {default_low:share} to {default_high:share}",
    "note.few_truths_interval": "only {truths:count} objects: with fewer than {least:count}, the interval is "
    "unreliable",
    "note.rare_classes_interval": "{rare:count} of {classes:count} classes have fewer than {least:count} objects: the "
    "interval is unreliable",
    "note.resamples_lost_class": "in {lost:count} of {replicates:count} resamples a class had no object and was left "
    "out of the mean",
    "note.value_too_high": "samples of this size give values that are too high by about {bias:area}: the interval is "
    "placed lower by that much",
    "note.value_too_low": "samples of this size give values that are too low by about {bias:area}: the interval is "
    "placed higher by that much",
    "note.detector_rate_undefined": "there is nothing to take a share of: no detection is shown, or there is no object",
    "note.group_lacks_classes": "{group}: no object of {classes:names}; its mean goes over {of:count} classes",
    "note.gaps_of_groups": "gaps are {best} less each other group, from the same resamples; their intervals hold for "
    "all {pairs:count} pairs together",
    # detection: figures
    "figure.word.iou": "IoU threshold",
    "figure.word.best_f": "best {name} {f} at {threshold}",
    "figure.word.error_localisation": "localisation",
    "figure.word.error_class": "class",
    "figure.word.error_both": "class and localisation",
    "figure.word.error_duplicate": "duplicate",
    "figure.word.error_background": "background",
    "figure.word.background": "background",
    "figure.word.annotated_as": "Annotated as",
    "figure.word.annotated_percent": "Annotated as (objects, % of row)",
    "figure.word.right_boxes": "right boxes",
    "figure.word.wrong_boxes": "wrong boxes",
    "figure.word.share_of_boxes": "Share of boxes",
    "figure.word.share_right": "Share of boxes that are right",
    # detection: page
    "detection.page.title": "Detection report",
    "detection.page.title.of": "Detection: {names}",
    "detection.page.subtitle": "{images:count} images, {truths:count} annotated objects, {classes:count} classes",
    "detection.page.detectors": "Detectors",
    "detection.section.explorer": "Which threshold?",
    "detection.section.scores": "Can scores be trusted?",
    "detection.section.groups": "Groups of images",
    "detection.number.ap_of": "AP, {what}",
    "detection.number.ar_of": "AR, {what}",
    "detection.card.ap": "mean over {classes:count} classes and over IoU {low:amount} to {high:amount}",
    "detection.card.ap_one": "mean over {classes:count} classes at IoU {low:amount}",
    "detection.card.ap50": "a box is right from IoU 0.5 on",
    "detection.card.recall": "of the objects are found at score ≥\u00a0{threshold:cost}",
    "detection.card.precision": "of the boxes shown are right at score ≥\u00a0{threshold:cost}",
    "detection.column.detector": "Detector",
    "detection.column.number": "Number",
    "detection.column.classes": "Classes",
    "detection.column.threshold": "Score from",
    "detection.column.truths": "Objects",
    "detection.column.detections": "Boxes",
    "detection.column.tp": "Found",
    "detection.column.fp": "Wrong boxes",
    "detection.column.false_positives_per_image": "Wrong boxes per image",
    "detection.column.ap": "AP",
    "detection.column.ap50": "AP50",
    "detection.column.ap75": "AP75",
    "detection.column.ar": "AR",
    "detection.column.best_f": "Best F1",
    "detection.column.best_threshold": "at score",
    "detection.column.type": "Type",
    "detection.column.count": "Errors",
    "detection.column.delta_ap": "ΔAP if fixed",
    "detection.column.size": "Size",
    "detection.column.images": "Images",
    "detection.column.truth": "Object",
    "detection.column.truth_class": "Its class",
    "detection.column.score": "Score",
    "detection.column.taken_for": "Taken for",
    "detection.column.share_of_class": "Share of class",
    "detection.column.from": "Score from",
    "detection.column.to": "to",
    "detection.column.right": "Right boxes",
    "detection.column.wrong": "Wrong boxes",
    "detection.column.gap": "Below the best group",
    "detection.explorer.lead": "A box is shown if its score reaches the threshold: a lower one finds more objects "
    "and shows more wrong boxes. Move it, or drag the point in a chart, and see what happens. A box is right if it "
    "overlaps an object of its class with IoU {iou:amount} or more.",
    "detection.explorer.noscript": "The slider needs JavaScript. The table below shows the threshold of this report.",
    "detection.explorer.title": "Threshold explorer",
    "detection.explorer.all": "all classes together",
    "detection.explorer.threshold": "Show boxes from score",
    "detection.explorer.more": "more boxes",
    "detection.explorer.fewer": "fewer boxes",
    "detection.explorer.chosen": "This report’s",
    "detection.explorer.at_most": "Wrong boxes per image ≤",
    "detection.explorer.at_least": "Objects found ≥",
    "detection.explorer.counts": "Counts",
    "detection.explorer.rates": "Rates",
    "detection.explorer.note": "Counts on these images; boxes of one image are not independent, so intervals need "
    "resamples of images: those at the threshold of this report are below. The best F1 is chosen and judged on the "
    "same images, so expect a little less on new ones.",
    "detection.explorer.some": "Of {all:count} classes, the {kept:count} with the most objects can be chosen.",
    "detection.js.sentence": "Boxes that score {threshold} or more: of {base} objects {recall} are found, of {base} "
    "boxes shown {precision} are right, and there are {wrong} wrong boxes per image.",
    "detection.js.no_boxes": "No box is shown, and every object is missed.",
    "detection.js.none_short": "no box",
    "detection.js.valuetext": "score {threshold}, recall {recall}, precision {precision}",
    "detection.js.objects": "Annotated objects",
    "detection.js.found": "found",
    "detection.js.boxes": "Boxes shown",
    "detection.js.right": "right",
    "detection.js.wrong": "wrong",
    "detection.js.f1_best": "the best on this curve",
    "detection.js.chart_pr": "Precision and recall",
    "detection.js.chart_f": "F1 by threshold",
    "detection.js.chart_froc": "Recall and wrong boxes",
    "detection.at.table": "At the threshold of this report, at IoU {iou:amount}, with {level:level} intervals",
    "detection.at.table_alone": "At the threshold of this report, at IoU {iou:amount}",
    "detection.at.best": "No threshold was stated, so that with the greatest F1 of all classes together is shown, "
    "for each detector its own.",
    "detection.at.by_class": "By class, at that threshold",
    "detection.at.class_table": "Each class at score ≥\u00a0{threshold:cost}",
    "detection.at.curves": "Over all thresholds, all detectors",
    "detection.quality.table": "Average precision (AP) and average recall (AR), with {level:level} intervals",
    "detection.quality.table_alone": "Average precision (AP) and average recall (AR)",
    "detection.quality.bias": "AP reads too high in small samples; intervals are corrected for that, so a value need "
    "not lie in the middle of its interval.",
    "detection.quality.compare_table": "Differences in AP, first minus second, with {level:level} intervals",
    "detection.quality.compare_how": "All detectors see the same resamples of images, so the differences are paired. "
    "Overlapping intervals of single detectors are no test.",
    "detection.quality.classes": "By class",
    "detection.quality.class_table": "Each class, the lowest AP first, with {level:level} intervals",
    "detection.quality.class_table_alone": "Each class, the lowest AP first",
    "detection.quality.class_fold": "All {count:count} classes as a table",
    "detection.quality.overlap": "By overlap and size",
    "detection.errors.how": "After TIDE, at IoU {iou:amount}: every wrong box and every object that is not found "
    "gets the first type that fits. ΔAP is what AP at that IoU would gain if this type alone were corrected; the "
    "gains do not sum to what is missing from 1.",
    "detection.errors.table": "Types of errors at IoU {iou:amount}",
    "detection.errors.meaning.localisation": "right class, overlap between {background:amount} and {iou:amount}",
    "detection.errors.meaning.class": "overlaps an object of another class",
    "detection.errors.meaning.both": "neither the class nor the place is right",
    "detection.errors.meaning.duplicate": "its object was found by a box of a higher score",
    "detection.errors.meaning.background": "overlaps no object by more than {background:amount}",
    "detection.errors.meaning.missed": "object that no box points to",
    "detection.errors.all_false": "all wrong boxes removed",
    "detection.errors.all_missed": "all objects not found left out",
    "detection.errors.confusion": "Classes taken for others",
    "detection.errors.pairs": "Classes taken for others most often",
    "detection.errors.no_pairs": "No object is detected as another class at this threshold.",
    "detection.errors.strongest": "The wrong boxes with the highest scores",
    "detection.errors.rows": "Wrong boxes, the highest score first",
    "detection.scores.lead": "If scores are probabilities, of 100 boxes that score 0.8 about 80 are right. A "
    "threshold from one detector means nothing for another unless both are.",
    "detection.scores.no_probabilities": "Some scores are below 0 or above 1, so they are ranks and not probabilities.",
    "detection.groups.table": "AP by {column}, with {level:level} intervals",
    "detection.groups.lead": "The same detector on parts of the images. A group with other classes or fewer objects "
    "is not the same task: compare with care.",
    "detection.data.truths": "Annotated objects that count",
    "detection.data.aside": "Objects set aside (crowds, ignored)",
    "detection.data.classes": "Classes with objects",
    "detection.data.detections": "Detections of {name}",
    "detection.data.detections_one": "Detections",
    "detection.data.classes_of": "{with_objects:count} of {all:count}",
    "detection.made.rule": "Matching rule",
    "detection.made.iou": "IoU thresholds matched at",
    "detection.made.at_iou": "IoU of a right box",
    "detection.made.limit": "Most detections per image and class",
    "detection.made.limit_image": "Most detections per image",
    "detection.made.sizes": "Size ranges (area in pixels)",
    "detection.made.ties": "Equal scores",
    "detection.made.ties.block": "enter together, as one block",
    "detection.made.ties.row": "in the order of the rows, as pycocotools",
    "detection.made.interpolation": "Area under precision and recall",
    "detection.made.absent": "Classes without objects",
    "detection.made.absent.skip": "left out of means",
    "detection.made.absent.zero": "with detections: AP 0",
    "detection.made.absent.raise": "refused",
    "detection.made.threshold": "Threshold of the scores",
    "detection.made.threshold.best": "greatest F1 of each detector",
    "detection.made.resamples": "Resamples of images",
    "detection.made.none": "no limit",
    "detection.made.sources": "Files",
    "detection.interpolation.101-point": "101 points of recall",
    "detection.interpolation.11-point": "11 points of recall",
    "detection.interpolation.all-point": "all points, envelope",
    "detection.interpolation.step": "all points, no envelope",
    "detection.interpolation.101-point (pycocotools)": "101 points of recall, rounded as pycocotools",
    "detection.methods.match.title": "Matching",
    "detection.methods.match": "Within each image and class, boxes by falling score each take the free object that "
    "they overlap most, if IoU reaches the threshold. A box without an object is wrong; an object without a box is "
    "missed. Crowds and objects outside the size range count neither way.",
    "detection.methods.ap.title": "Average precision",
    "detection.methods.ap": "The area under the envelope of precision against recall, for each class and IoU "
    "threshold; AP is the mean over classes and IoU thresholds. There is no number of true negatives in detection, "
    "so no ROC curve, specificity or accuracy.",
    "detection.methods.interval.title": "Intervals",
    "detection.methods.interval": "Whole images are resampled, since boxes of one image depend on each other. AP "
    "reads too high in small samples: by how much is estimated from halves of the images, and the interval lies "
    "around the corrected value. Differences between detectors use the same draws for all.",
    "detection.methods.errors.title": "Types of errors",
    "detection.methods.errors": "A wrong box is, by the first that fits: a localisation error, a class error, a "
    "duplicate, background, or both. An object is missed unless a localisation or class error points at it.",
    "figure.detection_pr": "Precision and recall by class",
    "figure.detection_pr.caption": "At IoU {iou:amount}. The classes with the lowest AP in colour, with their AP; "
    "thin lines: the envelopes whose area AP is; grey: the others. Points: the threshold of this report.",
    "figure.detection_classes": "AP by class",
    "figure.detection_classes.caption": "The lowest first, of many the lowest 20, with intervals. Dashed: the mean "
    "of all classes; n: annotated objects.",
    "figure.detection_iou": "AP by overlap",
    "figure.detection_iou.caption": "How much overlap a right box needs. A line that falls early: objects are found "
    "but not well located.",
    "figure.detection_size": "AP by size of object",
    "figure.detection_size.caption": "By area in pixels, each a mean over the classes that have objects of that size.",
    "figure.detection_difference": "Differences in AP",
    "figure.detection_difference.caption": "First minus second, from the same resamples of images.",
    "figure.detection_errors.caption": "How many there are, and how much AP would rise if they alone were corrected.",
    "figure.detection_confusion": "Which class is detected as which",
    "figure.detection_confusion.caption": "Objects by class, a row each, and what they were detected as, with shares "
    "of the row. Last column: missed. Last row: boxes where there is no object.",
    "figure.detection_froc": "Recall by wrong boxes per image",
    "figure.detection_froc.caption": "How many objects are found for how many wrong boxes, all classes together. Up "
    "and left is better. Points: the threshold of this report.",
    "figure.detection_f": "F1 by threshold",
    "figure.detection_f.caption": "All classes together; the point is the greatest F1 on these images.",
    "figure.detection_reliability": "How often a box is right",
    "figure.detection_reliability.caption": "Share of right boxes by score; on the diagonal, scores are "
    "probabilities. Below: how many boxes have which score.",
    "figure.detection_scores": "Scores of right and wrong boxes",
    "figure.detection_scores.caption": "Right boxes up, wrong ones down, each as shares of its kind. The line is the "
    "threshold of this report.",
    "figure.detection_groups": "AP by group of images",
    "figure.detection_groups.caption": "Each group with its interval; n: images.",
    # survival
    "note.at_horizon": "rows by {at}: {cases:count} with the event, {controls:count} without, {unknown:count} unknown, "
    "for which the known ones stand by weights of inverse probability",
    "note.at_horizon_known": "rows by {at}: {cases:count} with the event, {controls:count} without; none was censored "
    "before",
    "note.horizon_other_sample": "censoring was estimated from another sample and is taken as known: weights need not "
    "sum to the number of rows, and the weighted share of events is not the Kaplan–Meier estimate",
    "note.horizon_rarely_followed": "only {share:share} of the rows would be followed up to {at}: the few that are "
    "stand for many",
    "note.horizon_heavy": "one row stands for up to {weight:short} others; the known rows tell as much as {rows:count} "
    "of equal weight",
    "note.horizon_few_cases": "only {count:count} rows had the event by {at}: any interval is unreliable",
    "note.horizon_few_controls": "only {count:count} rows are known to be without the event at {at}: any interval is "
    "unreliable",
    "note.horizon_equal_scores": "all scores of {model} are equal: it ranks nothing, and its areas are those of chance",
    "note.groups_all_unknown": "groups of {column} without a row whose outcome by the horizon is known, left out: "
    "{groups:names}",
    "note.calibration_at_horizon": "O/E is the Kaplan–Meier share over the mean probability of all rows; slope, "
    "intercept and in the large are a logistic regression of the known rows with weights of inverse probability, of "
    "which the binned errors are too; ICI, E50 and E90 average over all rows; what errors right probabilities would "
    "have is not drawn",
    "note.reliability_at_horizon": "the curve is of the known rows, with weights of inverse probability",
    "note.reliability_in_bins_at_horizon": "bins hold all rows, and the share in each is observed by Kaplan–Meier, "
    "with log-log limits",
    "note.survival_probabilities": "the mean probability is {mean:share} where {share:share} had the event: were these "
    "survival probabilities? The risk is 1 − S",
    "note.expected_forgotten": "the probabilities of all rows, the unknown ones too, are not known here",
    "note.survival_time_is_binary": "time has only the values 0 and 1; were time and event exchanged?",
    "note.survival_censored_code": "no row has code 0, so {censored} is read as censored and {cause} as the event",
    "note.survival_few_events": "only {events:count} events: any interval is unreliable",
    "note.survival_few_censored": "only {censored:count} rows were censored: any interval is unreliable",
    "note.survival_none_censored": "no row was censored",
    "note.survival_separated": "all comparable pairs have the same order: the interval is a bound",
    "note.survival_equal_scores": "all scores are equal, so the score says nothing: concordance is exactly 1/2",
    "note.survival_wrong_way": "the score ranks the wrong way: the 95% interval ends at {high:area}, below 1/2; if "
    "a higher score means a later event, pass higher_is='negative'",
    "note.survival_until": "until was not given: events up to the last one, at {until:amount}, are counted",
    "note.survival_low_g": "only {g:share} are estimated to be uncensored at {until:amount}, so a few rows have "
    "large weights; an earlier until is more reliable",
    "note.survival_sample_ends": "the censoring sample ends at {end:amount}, before {until:amount}",
    "note.survival_no_event": "0 of {rows:count} rows had the event",
    "note.survival_no_event_by": "no event by {until:amount}: the first is at {first:amount}",
    "note.survival_no_pair": "no row was under observation beyond the time of the event of another row",
    "note.survival_close_times": "{gaps:count} neighbouring times differ by rounding errors only, the first at "
    "{first:amount}; times are compared exactly, so round them if they mean the same (R's survival treats times "
    "within 1.5e-8 as equal)",
    "figure.word.had_event": "Share that had the event",
    "figure.word.lowest_risk": "lowest risk",
    "figure.word.highest_risk": "highest risk",
    "figure.word.risk_group": "risk group {k}",
    "figure.word.survival_at_own_time": "Predicted survival at the own time",
    "note.survival_undefined": "{metric} of {model} at {at} is undefined: {why}",
    "note.survival_no_concordance": "there is no concordance: {why}",
    "note.survival_ranked_by": "{model} has no risk score: concordance ranks by its predicted risk at {at}",
    "note.survival_competing": "concordance does not support competing risks; horizons do",
    "note.survival_assumes": "numbers at horizons assume that censoring depends neither on the event nor on the "
    "score; the concordance of each score with the times of censoring, 1/2 if it does not, checks the latter",
    "note.survival_pointwise": "limits hold at each time, not for all times together",
    "note.survival_times_left_out": "{left_out:count} of {times:count} times are left out, where the number is "
    "undefined: {why}",
    "note.survival_fewer_groups": "{groups:count} groups in place of {wanted:count}: rows with equal scores stay "
    "together",
    "note.survival_mean_over_time": "a mean over time depends on its times and on the rule; compare means over the "
    "same times only",
    "note.survival_summary_alone": "it summarises a table, and no interval or test rests on it",
    "note.d_calibration_censored": "{share:share} of the rows were censored and vary less, which the p-value allows "
    "for: it is not that of chi-square with one degree of freedom less than bins",
    "note.d_calibration_few": "only {expected:short} rows are expected per bin: the p-value is unreliable",
    "note.survival_censoring_follows": "censoring depends on the score: the concordance of the score with censoring "
    "times is {value:area} (interval {ends:area_ends}), where 1/2 means that it does not; numbers that weigh by "
    "censoring may be biased, and the option by-score of censoring reduces this",
    "section.over_time": "Over time",
    "ask.over_time": "How well does it rank over time?",
    "page.positive_by": "positive: had the event ({event}) by {at}",
    "note.evaluated_horizon": "{rows:count} rows; by {at}, {positives:count} had the event, {negatives:count} did "
    "not, {unknown:count} unknown ({prevalence:level} had it, by Kaplan–Meier)",
    "note.survival_said": "{said}",
    "note.horizon_score_is_probability": "the scores lie between 0 and 1, and are taken for probabilities of the "
    "event by {at}",
    "note.over_time_concordance": "{model}: of two rows, the one with the higher risk has its event first in "
    "{value:share} of comparable pairs (concordance {value:area}, {level:level} interval {ends:area_ends}; 0.5 is "
    "chance).",
    "note.over_time_value": "{model}: of two rows, the one with the higher risk has its event first in "
    "{value:share} of comparable pairs (concordance {value:area}; 0.5 is chance).",
    "note.over_time_undefined": "{model}: concordance is undefined: {why}.",
    "over_time.lead": "The rest of the page is about one horizon, {at}: positive are rows that had the event by "
    "then. This section is about all horizons. Rows censored before a horizon are unknown there; the known rows "
    "stand for them by weights. Counts are rows.",
    "over_time.follow_up": "Follow-up, and what is unknown",
    "over_time.followed": "{rows:count} rows, {events:count} events, {censored:count} censored. Median follow-up "
    "{median} (reverse Kaplan–Meier), longest {longest:amount}.",
    "over_time.competing": "{competing:count} rows had a competing event.",
    "over_time.not_reached": "not reached",
    "over_time.known": "What is known at each horizon",
    "over_time.ranking": "Ranking, and probabilities",
    "over_time.concordance": "Concordance ({level:level} intervals)",
    "over_time.horizons": "At each horizon ({level:level} intervals)",
    "over_time.roc_auc": "AUC(t)",
    "over_time.brier_skill": "IPA(t)",
    "over_time.brier_loss": "Brier(t)",
    "over_time.observed_expected": "O/E",
    "over_time.no_probabilities": "No model gives probabilities at a horizon, so there is no Brier score, no IPA "
    "and no calibration here.",
    "over_time.calibration": "Calibration at each horizon",
    "over_time.at": "{title} at {at}",
    "over_time.by": "Had the event by {at}",
    "over_time.risk_groups": "What happened to groups of risk",
    "over_time.pointwise": "Bands hold at each time by itself, not for all times together.",
    "over_time.assumption": "What all this assumes",
    "over_time.assumed": "All numbers at horizons assume that censoring depends neither on when the event happens "
    "nor on the score. The first cannot be seen in these rows; the second is checked by the concordance of each "
    "score with the times of censoring, which is near 0.5 if they are independent.",
    "over_time.made": "How these numbers are made",
    "over_time.made.time": "Column of times",
    "over_time.made.event": "Column of events",
    "over_time.made.cause": "Code of the event",
    "over_time.made.horizons": "Horizons",
    "over_time.made.main_horizon": "Horizon of the rest of the page",
    "over_time.made.ties": "Rule of ties",
    "over_time.made.censoring": "Estimate of censoring G",
    "over_time.made.controls": "Competing events",
    "over_time.ties": "At one time events come before censorings: a row censored at the horizon is known to be "
    "without the event.",
    "over_time.censoring.rows": "one Kaplan–Meier estimate of these rows; a case weighs 1/G(T−), a control 1/G(t−)",
    "over_time.censoring.by-score": "a Kaplan–Meier estimate in each tenth of the score; a case weighs 1/G(T−), a "
    "control 1/G(t−)",
    "over_time.controls.all": "rows with a competing event by a horizon are controls there",
    "over_time.controls.event-free": "rows with a competing event by a horizon are left out there",
    "column.horizon": "Horizon",
    "column.time": "Time",
    "column.cases": "Had the event",
    "column.controls": "Did not",
    "column.unknown": "Unknown",
    "column.competing": "Competing event",
    "column.observed_by_then": "Share with the event",
    "column.censoring_left": "Not censored before, G(t−)",
    "column.largest_weight": "Largest weight",
    "column.effective_rows": "Effective rows",
    "column.concordance": "Concordance",
    "column.comparable": "Comparable pairs",
    "column.with_censoring": "With times of censoring",
    "column.mean_probability": "Mean probability",
    "column.risk_group": "Risk group, lowest first",
    "column.scores": "Scores",
    "column.events": "Events",
    "figure.auc_over_time": "AUC over time",
    "figure.auc_over_time.caption": "How well the risk score tells who had the event by each time from who did not. "
    "0.5 is chance. Times with fewer than 10 rows of either kind are left out.",
    "figure.calibration_at": "Calibration",
    "figure.calibration_at.caption": "The share that had the event, by Kaplan–Meier, in bins of equal count of the "
    "probabilities; all rows are in the bins. On the diagonal, probabilities mean what they say.",
    "figure.risk_groups": "Events by group of risk",
    "figure.risk_groups.caption": "The share that had the event by each time, by Kaplan–Meier, in three groups of "
    "equal size by the risk score. Far apart is better.",
    "figure.distribution.shares": "Scores by class, as shares of the class",
    "explorer.matrix.shares": "Large: estimated shares of all rows. Small: cases at the prevalence stated.",
    "groups.rows_at_horizon": "{n:count} rows, {positives:count} positive, {unknown:count} unknown",
    "data.by_then": "{count:count} by {at}",
    "data.controls": "Did not have the event",
    "data.unknown": "Unknown: censored before",
    "data.observed": "Share with the event, by Kaplan–Meier",
    "data.weighted_outcomes": "yes, column {column}; numbers of rows are rows, not weights",
    "method.horizon.title": "Horizons.",
    "method.horizon": "By a horizon t, rows with the event by t are cases, rows known to be without it at t are "
    "controls, and rows censored before t are unknown. A case at T weighs 1/G(T−), a control 1/G(t−), where G is "
    "the estimate of not being censored; the weights sum to the number of rows, and the weighted share of cases is "
    "the Kaplan–Meier estimate. AUC has the weighted variance of DeLong; other intervals go through the estimate of "
    "censoring.",
    "method.concordance.title": "Concordance.",
    "method.concordance": "Harrell’s C: of pairs in which one row has its event while the other is still under "
    "observation, the share in which that row has the higher risk; equal risks count half. Interval on the logit "
    "scale from the influence of every row.",
    "method.kaplan_meier.title": "Observed shares.",
    "method.kaplan_meier": "The share with the event by a time, of all rows, in bins of probabilities and in groups "
    "of risk: Kaplan–Meier (Aalen–Johansen with competing events), with Greenwood’s error and log-log limits.",
    "method.brier_over_time.title": "Brier(t), IPA(t), O/E.",
    "method.brier_over_time": "Brier(t) is the weighted mean squared error of the probabilities by t; IPA(t) is 1 − "
    "Brier(t) / (S(t)(1 − S(t))), what the model gains over the share of all rows; O/E is the Kaplan–Meier share "
    "over the mean probability of all rows.",
}

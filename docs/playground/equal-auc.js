/* Two ROC curves, mirror images with one AUC: TPR = FPR^(1/k) and TPR = 1 − (1 − FPR)^k. Which is better depends on the question. */
(() => {
  "use strict";
  const { state, words, numbers, say, share, area, slider, chart, legend, table, row, tell, start } = window.playground;
  const { across, scaled } = window.curvewiseMaths;
  const STEP = 0.01;

  slider("auc", { min: 0.55, max: 0.95, step: 0.01, start: 0.75, show: area });
  slider("from", { min: 0, max: 0.99, step: STEP, start: 0, show: share });
  slider("to", { min: 0.01, max: 1, step: STEP, start: 0.2, show: share });
  slider("cost_ratio", { min: 0.1, max: 100, scale: "log", start: 5, show: numbers.cost });
  slider("prevalence", { min: 0.005, max: 0.9, scale: "logit", start: 0.05, show: share });

  const UNIT = [0, 1], MODELS = [words.early, words.late];
  const roc = chart("roc", { x: { label: words.fpr_axis, limits: UNIT }, y: { label: words.tpr_axis, limits: UNIT }, ratio: 0.56 });
  const cost = chart("cost_curve", { x: { label: words.probability_cost, limits: UNIT }, y: { label: words.normalised_cost, limits: [0, 0.5] }, ratio: 0.56 });
  legend([["s0", words.early], ["s1", words.late], ["s-muted thin", words.trivial]]);
  table(MODELS);
  roc.range("from", "to", STEP);

  const curves = (k) => [  // each with its area up to an FPR, and where its slope is m
    { tpr: (x) => x ** (1 / k), area: (x) => x ** (1 / k + 1) / (1 / k + 1), at: (m) => Math.min((1 / (k * m)) ** (k / (k - 1)), 1) },
    { tpr: (x) => 1 - (1 - x) ** k, area: (x) => x + ((1 - x) ** (k + 1) - 1) / (k + 1), at: (m) => 1 - Math.min((m / k) ** (1 / (k - 1)), 1) },
  ];
  const better = (shown, wins) => (shown[0] === shown[1] ? null : wins ? 0 : 1);

  start(() => {
    const { from, to, prevalence: up, cost_ratio: ratio } = state, both = curves(state.auc / (1 - state.auc));
    const slope = (1 - up) / (ratio * up), here = (ratio * up) / (ratio * up + 1 - up);
    const parts = both.map((c) => scaled(c.area(to) - c.area(from), from, to));
    const best = both.map((c) => { const fpr = c.at(slope); return { fpr, tpr: c.tpr(fpr) }; });
    const least = best.map((b) => (1 - up) * b.fpr + ratio * up * (1 - b.tpr));

    roc.box(from, to, "range");
    roc.line([[0, 0], [1, 1]], "s-muted thin");
    const xs = [...across(0, 1, 40).map((x) => x ** 4 / 10), ...across(0, 1, 150), ...across(0, 1, 40).map((x) => 1 - x ** 4 / 10)].sort((a, b) => a - b);
    both.forEach((c, k) => roc.line(xs.map((x) => [x, c.tpr(x)]), `s${k}`));
    roc.cut(from);
    roc.cut(to);
    best.forEach((b, k) => roc.mark(b.fpr, b.tpr, `s${k}`));

    cost.line([[0, 0], [0.5, 0.5], [1, 0]], "s-muted thin");
    both.forEach((c, k) => cost.line(across(0, 1, 200).map((x) => { const f = x === 0 ? 0 : x === 1 ? 1 : c.at((1 - x) / x); return [x, (1 - c.tpr(f)) * x + f * (1 - x)]; }), `s${k}`));
    cost.cut(here);
    best.forEach((b, k) => cost.mark(here, (1 - b.tpr) * here + b.fpr * (1 - here), `s${k}`));

    row("auc_row", both.map((c) => area(c.area(1))));
    for (const scale of ["raw", "mean", "mcclish", "skill"]) row(scale, parts.map((p) => area(p[scale])));
    row("cost", least.map(numbers.cost));
    row("best_fpr", best.map((b) => share(b.fpr)));
    row("best_tpr", best.map((b) => share(b.tpr)));

    const means = parts.map((p) => area(p.mean)), costs = least.map(numbers.cost);
    const first = better(means, parts[0].mean > parts[1].mean), second = better(costs, least[0] < least[1]);
    const there = first === null ? say("alike_there", { from: share(from), to: share(to), mean: means[0] })
      : say("better_there", { from: share(from), to: share(to), model: MODELS[first], more: means[first], less: means[1 - first] });
    const now = second === null ? say("alike_cost", { cost: costs[0] }) : say("better_cost", { model: MODELS[second], less: costs[second], more: costs[1 - second] });
    tell(`${there}${words.space}${now}${words.space}${say(first !== null && second !== null && first !== second ? "disagree" : "auc_blind", { auc: area(state.auc) })}`);
  });
})();

/* Two normal distributions and a threshold: one point in six figures. Negatives are N(0, 1), positives N(d′, spread²). */
(() => {
  "use strict";
  const { state, words, numbers, say, share, area, fixed, between, change, slider, chart, legend, row, tell, start } = window.playground;
  const { across, density, normal, integral } = window.curvewiseMaths;
  const T = { min: -3, max: 6 }, STEPS = 240;

  slider("threshold", { ...T, step: 0.05, start: 1, show: fixed(2) });
  slider("d_prime", { min: 0, max: 4, step: 0.05, start: 1.8, show: fixed(2) });
  slider("spread", { min: 0.5, max: 2, step: 0.05, start: 1, show: fixed(2) });
  slider("prevalence", { min: 0.005, max: 0.9, scale: "logit", start: 0.2, show: share });
  slider("cost_ratio", { min: 0.1, max: 100, scale: "log", start: 4, show: numbers.cost });

  const rates = (t) => ({ fpr: normal(-t), tpr: normal((state.d_prime - t) / state.spread) });
  function reading(t) {
    const { fpr, tpr } = rates(t), up = state.prevalence, down = 1 - up;
    const hits = up * tpr, wrong = down * fpr, missed = up * (1 - tpr), passed = down * (1 - fpr);
    return { fpr, tpr, hits, wrong, missed, passed, precision: hits / (hits + wrong), npv: passed / (passed + missed), accuracy: hits + passed,
      f1: (2 * hits) / (2 * hits + wrong + missed), cost: state.cost_ratio * missed + wrong };
  }
  function averagePrecision() {  // precision over recall, threshold by threshold
    const { d_prime: d, spread: s } = state;
    return integral((z) => reading(d + s * z).precision * density(z), -8.5, 8.5);
  }

  const UNIT = [0, 1], RATE = [0.001, 0.999], SHOWN = [0.01, 0.1, 0.5, 0.9, 0.99];
  const scores = chart("densities", { x: { label: words.score, limits: [T.min - 0.5, T.max] }, y: { label: words.density, limits: () => [0, 0.42 * Math.max(1, 1 / state.spread)] } });
  const roc = chart("roc", { x: { label: words.fpr_axis, limits: UNIT }, y: { label: words.tpr_axis, limits: UNIT } });
  const pr = chart("pr", { x: { label: words.recall_axis, limits: UNIT }, y: { label: words.precision_axis, limits: UNIT } });
  const det = chart("det", { x: { label: words.fpr_axis, limits: RATE, scale: "probit", ticks: SHOWN }, y: { label: words.miss_rate, limits: RATE, scale: "probit", ticks: SHOWN } });
  const cost = chart("cost_curve", { x: { label: words.probability_cost, limits: UNIT }, y: { label: words.normalised_cost, limits: [0, 0.5] } });
  const decision = chart("decision_curve", { x: { label: words.threshold_probability, limits: UNIT }, y: { label: words.net_benefit_axis, limits: () => [-0.35 * state.prevalence, 1.05 * state.prevalence] } });
  legend([["s-positive", words.positives], ["s-negative", words.negatives], ["s0", words.curve], ["s-muted dashed", words.this_threshold], ["s-muted thin", words.trivial]]);

  const thresholds = across(T.min - 2, T.max + 2, STEPS);
  const netBenefit = (r, p) => r.hits - (r.wrong * p) / (1 - p);
  const points = {};
  const cut = (t) => Number(between(Math.round(t * 20) / 20, T.min, T.max).toFixed(2));
  scores.drag((x) => change({ threshold: cut(x) }));
  for (const [c, name] of [[roc, "roc"], [pr, "pr"], [det, "det"]]) c.drag((x, y, at) => change({ threshold: cut(thresholds[c.nearest(points[name], at)]) }));

  start(() => {
    const { threshold: t, d_prime: d, spread: s, prevalence: up, cost_ratio: ratio } = state, r = reading(t), all = thresholds.map(reading);

    const xs = across(T.min - 0.5, T.max, STEPS), beyond = [t, ...xs.filter((x) => x > t)];
    const one = (x) => density((x - d) / s) / s, zero = density;
    for (const [f, kind] of [[zero, "s-negative"], [one, "s-positive"]]) {
      scores.area([[t, 0], ...beyond.map((x) => [x, f(x)]), [T.max, 0]], kind);
      scores.line(xs.map((x) => [x, f(x)]), kind);
    }
    scores.cut(t);
    scores.mark(t, 0);

    points.roc = all.map((a) => [a.fpr, a.tpr]);
    roc.line([[0, 0], [1, 1]], "s-muted thin");
    roc.line([[1, 1], ...points.roc, [0, 0]], "s0");
    roc.mark(r.fpr, r.tpr);

    points.pr = all.map((a) => [a.tpr, a.precision]);
    pr.line([[0, up], [1, up]], "s-muted thin");
    pr.line(points.pr, "s0");
    pr.mark(r.tpr, r.precision);

    points.det = all.map((a) => [between(a.fpr, ...RATE), between(1 - a.tpr, ...RATE)]);
    det.line([[RATE[0], RATE[1]], [RATE[1], RATE[0]]], "s-muted thin");
    det.line(all.filter((a) => a.fpr > 1e-9 && a.fpr < 1 - 1e-9 && a.tpr > 1e-9 && a.tpr < 1 - 1e-9).map((a) => [a.fpr, 1 - a.tpr]), "s0");
    det.mark(r.fpr, 1 - r.tpr);

    const least = (x) => all.reduce((low, a) => Math.min(low, (1 - a.tpr) * x + a.fpr * (1 - x)), Math.min(x, 1 - x));
    const here = (ratio * up) / (ratio * up + 1 - up);
    cost.line([[0, 0], [0.5, 0.5], [1, 0]], "s-muted thin");
    cost.line([[0, r.fpr], [1, 1 - r.tpr]], "s-muted dashed");
    cost.line(across(0, 1, 100).map((x) => [x, least(x)]), "s0");
    cost.mark(here, (1 - r.tpr) * here + r.fpr * (1 - here));

    const most = (p) => all.reduce((high, a) => Math.max(high, netBenefit(a, p)), Math.max(0, up - ((1 - up) * p) / (1 - p)));
    const odds = across(0, 0.995, 199), p = 1 / (1 + ratio);
    decision.line([[0, 0], [1, 0]], "s-muted thin");
    decision.line(odds.map((x) => [x, up - ((1 - up) * x) / (1 - x)]), "s-muted thin");
    decision.line(odds.map((x) => [x, netBenefit(r, x)]), "s-muted dashed");
    decision.line(odds.map((x) => [x, most(x)]), "s0");
    decision.mark(p, netBenefit(r, p));

    row("tpr", [share(r.tpr)]);
    row("fpr", [share(r.fpr)]);
    row("ppv", [share(r.precision)]);
    row("npv", [share(r.npv)]);
    row("accuracy", [share(r.accuracy)]);
    row("f1", [area(r.f1)]);
    row("cost", [numbers.cost(r.cost)]);
    row("benefit", [numbers.cost(netBenefit(r, p))]);
    row("auc", [area(normal(d / Math.hypot(1, s)))]);
    row("ap", [area(averagePrecision())]);
    const base = numbers.base_of([r.precision, r.tpr]), others = numbers.base_of([r.fpr]);
    tell(say("sentence", { base: numbers.count(base), ppv: numbers.of(r.precision, base), recall: numbers.of(r.tpr, base), base_negatives: numbers.count(others), fpr: numbers.of(r.fpr, others) }));
  });
})();

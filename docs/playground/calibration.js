/* Calibrated probabilities, distorted by a slope and a shift of their log odds: the order of rows stays, the losses change. */
(() => {
  "use strict";
  const { state, words, numbers, say, area, fixed, slider, buttons, change, chart, legend, table, row, tell, start } = window.playground;
  const { across, random, quantile, sweep, auc, logit, expit, mean, brier, logLoss, bins, ece, slope } = window.curvewiseMaths;
  const ROWS = 1000, draw = random(7);
  const right = Array.from({ length: ROWS }, () => expit(-0.8 + 1.6 * quantile(draw())));
  const y = right.map((p) => (draw() < p ? 1 : 0));

  slider("slope", { min: 0.3, max: 3, step: 0.05, start: 2, show: fixed(2) });
  slider("shift", { min: -3, max: 3, step: 0.05, start: 0, show: fixed(2) });
  buttons(words.presets, { as_they_are: () => change({ slope: 1, shift: 0 }), too_extreme: () => change({ slope: 2, shift: 0 }), too_low: () => change({ slope: 1, shift: -1 }) });

  const UNIT = [0, 1];
  const reliability = chart("reliability", { x: { label: words.predicted, limits: UNIT }, y: { label: words.observed, limits: UNIT }, ratio: 0.64, span: "first" });
  const roc = chart("roc", { x: { label: words.fpr_axis, limits: UNIT }, y: { label: words.tpr_axis, limits: UNIT } });
  const histogram = chart("histogram", { x: { label: words.predicted, limits: UNIT }, y: { label: words.row_count, limits: [0, ROWS / 2] } });
  legend([["s0", words.bent_line], ["s-muted thin", words.ideal]]);
  table([words.right, words.bent]);

  const METRICS = { auc: ([s]) => auc(s), brier_loss: ([, p]) => brier(y, p), log_loss: ([, p]) => logLoss(y, p), calibration_slope: ([, p]) => slope(y, p).slope,
    calibration_intercept: ([, p]) => slope(y, p).intercept, ece: ([, p]) => ece(y, p), observed_expected: ([, p]) => mean(y) / mean(p) };
  const SHOW = { auc: area, ece: area };
  const first = [sweep(y, right), right], values = Object.fromEntries(Object.entries(METRICS).map(([name, of]) => [name, of(first)]));

  window.playgroundRows = () => ({ y, p: right.map((p) => expit(state.shift + state.slope * logit(p))) });
  start(() => {
    const { slope: b, shift: a } = state, bent = window.playgroundRows().p, s = sweep(y, bent), found = bins(y, bent);

    reliability.line([[0, 0], [1, 1]], "s-muted thin");
    reliability.line([[0, 0], ...across(0.001, 0.999, 200).map((q) => [q, expit((logit(q) - a) / b)]), [1, 1]], "s0");
    found.forEach((bin) => reliability.dot(bin.predicted, bin.observed, "bin", 2 + Math.sqrt(bin.n) / 4));

    roc.line([[0, 0], [1, 1]], "s-muted thin");
    roc.line([[0, 0], ...s.tp.map((tp, k) => [s.fp[k] / s.negatives, tp / s.positives])], "s0");

    const counts = new Array(20).fill(0);
    bent.forEach((p) => counts[Math.min(Math.floor(p * 20), 19)]++);
    counts.forEach((n, k) => histogram.area([[k / 20 + 0.004, 0], [k / 20 + 0.004, n], [(k + 1) / 20 - 0.004, n], [(k + 1) / 20 - 0.004, 0]], "s0 bar"));

    const now = Object.fromEntries(Object.entries(METRICS).map(([name, of]) => [name, of([s, bent])]));
    for (const name of Object.keys(METRICS)) row(name, [values[name], now[name]].map((v) => (SHOW[name] ?? numbers.cost)(Math.abs(v) < 1e-12 ? 0 : v)));
    const steep = now.calibration_slope, ratio = now.observed_expected;
    const sign = steep < 0.9 ? words.extreme : steep > 1.1 ? words.moderate : ratio < 0.9 ? words.high : ratio > 1.1 ? words.low : words.fine;
    tell(say("sentence", { auc: area(now.auc), sign, before: numbers.cost(values.brier_loss), after: numbers.cost(now.brier_loss) }));
  });
})();

/* A range of false positive rates that one drags over a ROC curve, and the partial area on every scale. */
(() => {
  "use strict";
  const { state, words, say, share, area, fixed, slider, chart, legend, table, row, tell, start, change, between } = window.playground;
  const { across, binormal, scaled } = window.curvewiseMaths;
  const STEP = 0.01;

  slider("from", { min: 0, max: 0.99, step: STEP, start: 0, show: share });
  slider("to", { min: 0.01, max: 1, step: STEP, start: 0.2, show: share });
  slider("d_prime", { min: 0, max: 3, step: 0.05, start: 1.2, show: fixed(2) });
  slider("spread", { min: 0.5, max: 2, step: 0.05, start: 1, show: fixed(2) });

  const UNIT = [0, 1], SCALES = ["raw", "mean", "mcclish", "skill"];
  const roc = chart("roc", { x: { label: words.fpr_axis, limits: UNIT }, y: { label: words.tpr_axis, limits: UNIT }, ratio: 0.58 });
  const growing = chart("growing", { x: { label: words.end, limits: UNIT }, y: { label: words.partial_area, limits: UNIT }, ratio: 0.58 });
  legend([["s0", "raw"], ["s1", "mean"], ["s2", "mcclish"], ["s3", "skill"]]);
  table([words.value, words.chance, words.perfect]);
  roc.range("from", "to", STEP);
  growing.drag((x) => change({ to: between(Number(x.toFixed(2)), state.from + STEP, 1) }));

  start(() => {
    const { from, to } = state, curve = binormal(state.d_prime / state.spread, 1 / state.spread);
    const found = scaled(curve.partial(from, to), from, to);

    const inside = across(from, to, 80).map((x) => [x, curve.tpr(x)]);
    roc.box(from, to, "range");
    roc.area([[from, 0], ...inside, [to, 0]], "s0");
    roc.line([[0, 0], [1, 1]], "s-muted thin");
    roc.line([[0, 0], ...across(0.001, 0.999, 200).map((x) => [x, curve.tpr(x)]), [1, 1]], "s0");
    roc.line([[from, found.mean], [to, found.mean]], "s1");
    roc.cut(from);
    roc.cut(to);

    const ends = across(from, 1, 60).slice(1).map((x) => [x, scaled(curve.partial(from, x), from, x)]);
    SCALES.forEach((scale, k) => {
      growing.line(ends.map(([x, each]) => [x, each[scale]]), `s${k}`);
      growing.mark(to, found[scale], `s${k}`);
    });
    growing.cut(to);

    const least = scaled((to * to - from * from) / 2, from, to), most = scaled(to - from, from, to);
    for (const scale of SCALES) row(scale, [area(found[scale]), area(least[scale]), area(most[scale])]);
    row("auc", [area(curve.auc), area(0.5), area(1)]);
    tell(say("sentence", { from: share(from), to: share(to), mean: area(found.mean) }));
  });
})();

/* Ten rows whose scores one moves: rows with one score are tied, and each policy counts them in its own way. */
(() => {
  "use strict";
  const { state, words, say, area, between, change, drawn, buttons, chart, legend, table, row, tell, start } = window.playground;
  const { sweep, auc, averagePrecision, TIES } = window.curvewiseMaths;
  const PLACES = 20;  // a score is a place out of so many: what looks tied is tied
  const Y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0];
  const STARTS = { untied: [19, 17, 14, 11, 6, 15, 12, 9, 4, 1], some_ties: [18, 16, 12, 12, 6, 16, 12, 12, 6, 2], all_tied: Y.map(() => 10) };
  change({ places: STARTS.some_ties });
  buttons(words.presets, Object.fromEntries(Object.entries(STARTS).map(([name, places]) => [name, () => change({ places })])));
  const move = (k, place) => change({ places: state.places.map((p, j) => (j === k ? between(place, 0, PLACES) : p)) });

  const UNIT = [0, 1];
  const points = chart("points", { x: { label: words.score, limits: [-0.03, 1.03], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] }, y: { label: words.lanes, limits: [-5.6, 5.6], ticks: [] }, ratio: 0.6, most: 215, span: "wide", role: "group" });
  const roc = chart("roc", { x: { label: words.fpr_axis, limits: UNIT }, y: { label: words.tpr_axis, limits: UNIT }, ratio: 0.9 });
  const pr = chart("pr", { x: { label: words.recall_axis, limits: UNIT }, y: { label: words.precision_axis, limits: UNIT }, ratio: 0.9 });
  legend([["s0", words.no_tie], ["s1 thick", words.tie], ["s2 dashed", words.optimistic_line], ["s3 dashed", words.pessimistic_line]]);
  table([words.auc, words.ap]);

  // ---- handles: each a slider of its own ----
  const handles = Y.map((positive, k) => {
    const name = say(positive ? "positive_row" : "negative_row", { number: positive ? k + 1 : k - 4 });
    const g = drawn("g", { role: "slider", tabindex: 0, class: `handle ${positive ? "s-positive" : "s-negative"}`, "aria-label": name, "aria-valuemin": 0, "aria-valuemax": 1 });
    g.append(drawn(positive ? "circle" : "rect", positive ? { r: 8 } : { x: -7.2, y: -7.2, width: 14.4, height: 14.4, rx: 2 }), drawn("path", { d: positive ? "M-4 0H4M0 -4V4" : "M-4 0H4" }));
    g.addEventListener("keydown", (event) => {
      const at = state.places[k], to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + 4, PageDown: at - 4, Home: 0, End: PLACES }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(k, to);
    });
    points.handles.append(g);
    return { g, at: [0, 0] };
  });
  let held = 0;
  points.drag((x, y, at, event) => {
    if (event.type === "pointerdown") {
      held = handles.reduce((best, h, k) => (Math.hypot(h.at[0] - at.x, h.at[1] - at.y) < Math.hypot(handles[best].at[0] - at.x, handles[best].at[1] - at.y) ? k : best), 0);
      event.preventDefault();  // else the page takes the focus
      handles[held].g.focus({ preventScroll: true });
    }
    move(held, Math.round(x * PLACES));
  });

  // ---- curves: counts rise along each block, or one class of it before the other ----
  const way = (...corners) => corners.slice(1).flatMap(([p, q], j) => Array.from({ length: 21 }, (_, k) => corners[j].map((from, i) => from + ((i ? q : p) - from) * (k / 20))));
  const paths = {  // in small steps: precision bends while counts rise evenly
    block: ({ p, q }) => way([0, 0], [p, q]),
    optimistic: ({ p, q }) => way([0, 0], [p, 0], [p, q]),
    pessimistic: ({ p, q }) => way([0, 0], [0, q], [p, q]),
  };
  function curves(s) {
    let tp = 0, fp = 0;
    s.tp.forEach((_, k) => {
      const block = { p: s.tp[k] - tp, q: s.fp[k] - fp }, tied = block.p > 0 && block.q > 0;
      for (const [policy, kind] of tied ? [["optimistic", "s2 dashed"], ["pessimistic", "s3 dashed"], ["block", "s1 thick"]] : [["block", "s0"]]) {
        const counts = paths[policy](block).map(([a, b]) => [tp + a, fp + b]);
        roc.line(counts.map(([t, f]) => [f / s.negatives, t / s.positives]), kind);
        pr.line(counts.filter(([t, f]) => t + f > 0).map(([t, f]) => [t / s.positives, t / (t + f)]), kind);
      }
      if (k === 0 && block.p > 0) pr.line([[0, s.tp[0] / (s.tp[0] + s.fp[0])], [s.tp[0] / s.positives, s.tp[0] / (s.tp[0] + s.fp[0])]], tied ? "s1 thick" : "s0");
      tp = s.tp[k];
      fp = s.fp[k];
      roc.dot(fp / s.negatives, tp / s.positives, "point");
      pr.dot(tp / s.positives, tp / (tp + fp), "point");
    });
  }

  start(() => {
    const score = state.places.map((p) => p / PLACES), s = sweep(Y, score), stack = new Map();
    points.line([[-0.03, 0], [1.03, 0]], "s-muted thin");
    const { frame } = points;
    handles.forEach((h, k) => {
      const lane = `${Y[k]}:${state.places[k]}`, up = (stack.get(lane) ?? 0) + 1;
      stack.set(lane, up);
      h.at = [frame.left + (frame.width * (score[k] + 0.03)) / 1.06, frame.top + frame.height * (0.5 - ((Y[k] ? 1 : -1) * (up - 0.25)) / 11.2)];
      h.g.setAttribute("transform", `translate(${h.at.map((v) => v.toFixed(1)).join(" ")})`);
      h.g.setAttribute("aria-valuenow", score[k]);
    });
    for (const place of new Set(state.places)) if (stack.has(`1:${place}`) && stack.has(`0:${place}`)) points.box(place / PLACES - 0.024, place / PLACES + 0.024, "tied");
    roc.line([[0, 0], [1, 1]], "s-muted thin");
    pr.line([[0, 0.5], [1, 0.5]], "s-muted thin");
    curves(s);
    for (const policy of Object.keys(TIES)) row(policy, [area(auc(s, policy)), area(averagePrecision(s, policy))]);
    const tied = 25 * (auc(s, "optimistic") - auc(s, "pessimistic")), won = 25 * auc(s, "pessimistic");
    tell(say("sentence", { won: Math.round(won), tied: Math.round(tied), auc: area(auc(s)) }));
  });
})();

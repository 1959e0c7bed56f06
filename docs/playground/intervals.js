/* The same study done again and again: how many 95% intervals of the AUC hold the truth, by two methods, as rows are added. */
(() => {
  "use strict";
  const { state, words, numbers, say, share, area, slider, buttons, change, schedule, chart, legend, table, row, tell, start } = window.playground;
  const { random, quantile, sweep, wald, percentile, mean } = window.curvewiseMaths;
  const STUDIES = 50, REPLICATES = 500, SIZES = [20, 30, 50, 75, 100, 150, 200, 300, 500], SLICE = 12;  // milliseconds of work between two frames

  slider("rows", { min: 20, max: 500, step: 10, start: 60, show: numbers.count });
  slider("auc", { min: 0.5, max: 0.99, step: 0.01, start: 0.9, show: area });
  slider("prevalence", { min: 0.05, max: 0.5, step: 0.05, start: 0.2, show: share });
  change({ seed: 1 });
  buttons(words.presets, { more_studies: () => change({ seed: state.seed + 1 }), first_studies: () => change({ seed: 1 }) });

  const studies = chart("studies", { x: { label: words.study, limits: [0, STUDIES + 1.5] }, y: { label: words.auc_axis, limits: () => [lowest, 1] }, ratio: 0.5, most: 260, span: "wide" });
  const growth = chart("growth", { x: { label: words.row_count, limits: [SIZES[0], SIZES.at(-1)], scale: "log", ticks: [20, 50, 100, 200, 500] }, y: { label: words.auc_axis, limits: () => [lowest, 1] }, ratio: 0.5, most: 240, span: "wide" });
  legend([["s0", words.wald], ["s2", words.percentile], ["s-missed thick", words.missed_line], ["s-muted dashed", words.truth]]);
  table([words.wald, words.percentile]);

  // ---- a study: a stream of normal numbers for each class, so that more rows are the same study with more rows ----
  const streams = new Map();
  function deviates(key, count) {
    if (!streams.has(key)) streams.set(key, { draw: random(key), found: [] });
    const { draw, found } = streams.get(key);
    while (found.length < count) found.push(quantile(draw() + 2 ** -33));  // never 0
    return found.slice(0, count);
  }
  const sizes = (n) => { const up = Math.min(Math.max(Math.round(n * state.prevalence), 2), n - 2); return [up, n - up]; };
  function study(number, n) {
    const [up, down] = sizes(n), apart = Math.SQRT2 * quantile(state.auc), key = 1000 * state.seed + 2 * number;
    const score = [...deviates(key, up).map((z) => z + apart), ...deviates(key + 1, down)];
    return { y: score.map((_, k) => (k < up ? 1 : 0)), score };
  }
  const counted = (number, n) => { const { y, score } = study(number, n); return sweep(y, score); };
  const resampled = (number, n) => percentile(counted(number, n), random(7 * number + n), REPLICATES);
  const holds = (e) => e.low <= state.auc && state.auc <= e.high;
  window.playgroundRows = (number) => ({ ...study(number, state.rows), wald: first[number], percentile: second[number], replicates: REPLICATES });

  // ---- bootstrap takes a while: a few studies between two frames, begun anew when anything moves ----
  let first = [], second = [], grown = [], grownToo = [], lowest = 0, done = "", counts = { of: "", studies: 0, wald: 0, percentile: 0, seeds: new Set() };
  const numbersOf = (n) => Array.from({ length: n }, (_, k) => k);
  function begin(key) {
    done = key;
    first = numbersOf(STUDIES).map((k) => wald(counted(k, state.rows)));
    grown = SIZES.map((n) => wald(counted(0, n)));
    lowest = Math.max(0, Math.floor(10 * Math.min(...first.map((e) => e.low), ...grown.map((e) => e.low)) - 0.5) / 10);
    second = [];
    grownToo = [];
    const work = () => {
      if (done !== key) return;
      const stop = performance.now() + SLICE;
      while (performance.now() < stop && second.length + grownToo.length < STUDIES + SIZES.length) {
        if (second.length < STUDIES) second.push(resampled(second.length, state.rows)); else grownToo.push(resampled(0, SIZES[grownToo.length]));
      }
      schedule();
      if (second.length + grownToo.length < STUDIES + SIZES.length) setTimeout(work);
    };
    setTimeout(work);
  }
  function count() {  // over all seeds that were tried with these sliders
    const of = `${state.rows} ${state.auc} ${state.prevalence}`;
    if (counts.of !== of) counts = { of, studies: 0, wald: 0, percentile: 0, seeds: new Set() };
    if (second.length < STUDIES || counts.seeds.has(state.seed)) return;
    counts.seeds.add(state.seed);
    counts.studies += STUDIES;
    counts.wald += first.filter(holds).length;
    counts.percentile += second.filter(holds).length;
  }

  start(() => {
    const key = [state.rows, state.auc, state.prevalence, state.seed].join(" ");
    if (done !== key) {
      begin(key);
      [studies, growth].forEach((c) => c.begin());  // their axes follow what was found
    }
    count();
    const bar = (c, x, e, kind) => c.line([[x, e.low], [x, e.high]], holds(e) ? kind : "s-missed thick");
    first.forEach((e, k) => bar(studies, k + 0.8, e, "s0"));
    second.forEach((e, k) => bar(studies, k + 1.2, e, "s2"));
    studies.line([[0, state.auc], [STUDIES + 1.5, state.auc]], "s-muted dashed");

    const band = (found, kind) => ["low", "high"].forEach((end) => growth.line(found.map((e, k) => [SIZES[k], e[end]]), kind));
    band(grownToo, "s2");
    band(grown, "s0");
    grown.forEach((e, k) => growth.dot(SIZES[k], e.value, "point"));
    growth.line([[SIZES[0], state.auc], [SIZES.at(-1), state.auc]], "s-muted dashed");
    growth.cut(state.rows);

    const [up, down] = sizes(state.rows), ready = second.length === STUDIES;
    const held = [first, second].map((found) => numbers.count(found.filter(holds).length)), wait = (text) => (ready ? text : "…");
    const width = (found) => area(mean(found.map((e) => e.high - e.low)));
    row("held", [held[0], wait(held[1])], say("held", { studies: STUDIES }));
    row("width", [width(first), wait(width(second))]);
    row("held_all", counts.studies ? [share(counts.wald / counts.studies), share(counts.percentile / counts.studies)] : ["…", "…"]);
    row("studies_all", [numbers.count(counts.studies), numbers.count(counts.studies)]);
    if (ready) tell(say("sentence", { positives: numbers.count(up), negatives: numbers.count(down), studies: STUDIES, wald: held[0], percentile: held[1], truth: area(state.auc) }));
  });
})();

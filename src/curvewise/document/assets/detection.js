/* One threshold that moves through the curves of a detector and its counts, for all classes together or for one, held by a
   criterion that stays alive: the threshold of the report, the best F1, a limit. Counts at every threshold come from Python. */
(() => {
  "use strict";
  const { data, words, numbers, read, say, by, made, drawn, copyText } = window.curvewise;
  const panel = by("dx"), told = data.detection;
  if (!panel || !told || !told.detectors.length) return;
  panel.hidden = false;
  by("dx-noscript").hidden = true;
  for (const d of told.detectors) for (const s of d.sweeps) if (s) {  // divisions as Python makes them
    s.recall = s.tp.map((tp) => tp / s.truths);
    s.precision = s.tp.map((tp, k) => (tp + s.fp[k] ? tp / (tp + s.fp[k]) : null));
    s.f = s.tp.map((tp, k) => (2 * tp) / (tp + s.fp[k] + s.truths));
    s.wrong = s.fp.map((fp) => fp / told.images);
  }

  // ---- the state: a detector, a class (0 is all together), and the criterion that holds the threshold ----
  const start = (detector) => ({ detector, cls: 0, by: "chosen", limit: null, cut: 0 });
  let state = start(told.first), note = "", moved = false, waiting = false, address = 0;
  const sweep = (detector = state.detector) => told.detectors[detector].sweeps[state.cls];
  const last = (s) => s.tp.length - 1;
  const shown = (s, k) => (s.threshold[k] === null ? words.none_short : numbers.amount(s.threshold[k], parseInt(s.digits[k], 36)));
  const thinned = (s) => (s.thinned ? say("thinned", { kept: numbers.count(last(s)), distinct: numbers.count(s.distinct) }) : "");
  const criteria = {  // where each puts the threshold, and what is to be said of it
    chosen: (s) => [s.chosen, ""],
    best: (s) => [s.best, ""],
    wrong: (s, limit) => {
      let cut = 0;
      while (cut < last(s) && s.fp[cut + 1] <= limit * (1 + 1e-12) * told.images) cut++;
      const more = cut < last(s) && s.tp[cut + 1] > s.tp[cut];
      while (cut > 1 && s.tp[cut - 1] === s.tp[cut]) cut--;
      return cut === 0 && last(s) > 0 ? [1, words.no_cut] : [cut, more ? thinned(s) : ""];
    },
    found: (s, limit) => {
      const cut = s.tp.findIndex((tp, k) => k > 0 && tp >= limit * (1 - 1e-12) * s.truths);
      return cut < 0 ? [last(s), words.no_cut] : [cut, s.tp[cut] > limit * s.truths ? thinned(s) : ""];
    },
  };
  function settle(remark = "") {
    const s = sweep(), hold = criteria[state.by];
    if (hold) {
      const [cut, said] = hold(s, state.limit);
      state.cut = cut;
      note = remark || said;
    } else {
      state.cut = Math.min(state.cut, last(s));
      note = remark;
    }
  }
  const reached = (s, t) => { let k = 0; while (k < last(s) && read(s.threshold[k + 1]) >= t) k++; return k; };
  function change(next, remark = "") {
    const t = read(sweep().threshold[state.cut]), from = sweep();
    state = { ...state, ...next };
    if (sweep() !== from && !("cut" in next) && state.by === "hand") state.cut = Number.isNaN(t) ? 0 : reached(sweep(), t);  // the same threshold
    settle(remark);
    moved = true;
    schedule();
  }

  // ---- charts ----
  const { px, py, even, frame, axes, path, drag } = window.curvewiseCharts;
  const DASHES = ["", "7 2.5", "2 2", "7 2 2 2", "12 3", "7 2 2 2 2 2", "4 1.5", "12 2 2 2", "5 2 5 2 2 2", "2 4"];
  const every = (values) => told.detectors.flatMap((_, d) => (sweep(d) ? values(sweep(d)).filter(Number.isFinite) : []));
  const finite = (s, k) => Number.isFinite(read(s.threshold[k]));
  const UNIT = { limits: [0, 1], scale: "linear", ticks: even(0, 1) };
  function powers() {
    const above = every((s) => s.wrong.filter((x) => x > 0));
    const low = above.length ? Math.floor(Math.log10(Math.min(...above)) + 1e-9) : -2;
    const high = Math.max(above.length ? Math.ceil(Math.log10(Math.max(...above)) - 1e-9) : 0, low + 1);
    const ticks = [];
    for (let k = low; k <= high; k++) ticks.push(10 ** k);
    return { limits: [10 ** low, 10 ** high], scale: "log", ticks };
  }
  function scores() {
    const there = every((s) => s.threshold.map(read)), low = Math.min(...there), high = Math.max(...there);
    if (!there.length) return UNIT;
    const room = (high - low || 1) * 0.02;
    return { limits: [low - room, high + room], scale: "linear", ticks: even(low, high) };
  }
  const held = (xs, ys) => xs.flatMap((x, i) => (i ? [[x, ys[i - 1]], [x, ys[i]]] : [[x, ys[i]]]));  // constant up to the next
  const from1 = (s) => s.tp.map((_, k) => k).filter((k) => k > 0);
  const kinds = {
    pr: { x: "recall", y: "precision", axis: () => UNIT, at: (s, k) => [s.recall[k], s.precision[k]],
      line: (s) => (last(s) ? [[0, s.precision[1]], ...from1(s).map((k) => [s.recall[k], s.precision[k]])] : []) },
    f: { x: "threshold", y: "f1", axis: scores, at: (s, k) => [read(s.threshold[k]), s.f[k]],
      line: (s) => { const ks = from1(s).filter((k) => finite(s, k)); return held(ks.map((k) => read(s.threshold[k])), ks.map((k) => s.f[k])); } },
    froc: { x: "wrong_per_image", y: "recall", axis: powers, at: (s, k) => [s.wrong[k], s.recall[k]],
      line: (s) => held([0, ...from1(s).map((k) => s.wrong[k])], [0, ...from1(s).map((k) => s.recall[k])]) },
  };
  const charts = Object.entries(kinds).map(([kind, of]) => {
    const title = made("b", { id: `dx-${kind}-title` }, words[`chart_${kind}`]);
    const svg = drawn("svg", { class: "chart", role: "img", "aria-labelledby": title.id });
    by("dx-charts").append(made("figure", { class: "mini" }, made("figcaption", {}, title), svg));
    const chart = { kind, of, svg, frame: null };
    drag(svg, (at) => {  // the threshold whose point is nearest to the pointer
      const s = sweep();
      let least = Infinity, found = state.cut;
      for (const k of from1(s)) {
        const [x, y] = place(chart, of.at(s, k)), across = Math.abs(x - at.x), away = kind === "f" ? across : Math.hypot(across, y - at.y);
        if (away < least) { least = away; found = k; }
      }
      change({ cut: found, by: "hand", limit: null });
    });
    return chart;
  });
  const place = ({ frame: f }, [x, y]) => [px(f, f.xscale === "log" ? Math.max(x, f.xlim[0]) : x), py(f, y)];
  function redraw(chart) {  // axes and lines: when the class or the room changes
    const { of, svg } = chart, axis = of.axis();
    chart.frame = { ...frame(svg), xlim: axis.limits, xscale: axis.scale, ylim: UNIT.limits };
    const rows = axes(chart.frame, { label: words[of.x], ticks: axis.ticks }, { label: words[of.y], ticks: UNIT.ticks });
    const order = told.detectors.map((_, d) => d).sort((a, b) => (a === state.detector) - (b === state.detector));  // the chosen one on top
    for (const d of order) if (sweep(d)) {
      const points = of.line(sweep(d)).map((p) => place(chart, p));
      const side = d === state.detector ? "" : " aside";
      if (points.length) rows.push(drawn("path", { class: `line s${d % DASHES.length}${side}`, d: path(points), "stroke-dasharray": DASHES[d % DASHES.length] }));
    }
    const { top, height } = chart.frame;
    chart.cut = drawn("line", { class: "cut", y1: top, y2: top + height });
    chart.mark = drawn("circle", { class: `mark s${state.detector % DASHES.length}`, r: 4.5 });
    svg.replaceChildren(...rows, chart.cut, chart.mark);
  }
  function mark(chart) {
    const s = sweep(), [x, y] = place(chart, chart.of.at(s, state.cut)), there = state.cut > 0 && Number.isFinite(x) && Number.isFinite(y);
    chart.mark.toggleAttribute("hidden", !there);
    chart.cut.toggleAttribute("hidden", !there || chart.kind !== "f");
    if (!there) return;
    chart.mark.setAttribute("cx", x.toFixed(1));
    chart.mark.setAttribute("cy", y.toFixed(1));
    chart.cut.setAttribute("x1", x.toFixed(1));
    chart.cut.setAttribute("x2", x.toFixed(1));
  }
  const legend = by("dx-legend");
  legend.hidden = told.detectors.length < 2;
  told.detectors.forEach((d, k) => {
    const sample = drawn("svg", { viewBox: "0 0 28 10", "aria-hidden": "true" });
    sample.append(drawn("path", { d: "M0 5H28", "stroke-dasharray": DASHES[k % DASHES.length] }));
    legend.append(made("span", { class: `s${k % DASHES.length}` }, sample, made("bdi", {}, d.name)));
  });

  // ---- numbers and controls ----
  const put = (id, said) => { const e = by(id); if (e.textContent !== said) e.textContent = said; };
  const lines = new Map();
  function line(table, key, value, aside = "", sub = false) {
    if (!lines.has(key)) {
      const shown = made("span"), small = made("small"), row = made("tr", {}, made("th", { scope: "row" }, words[key]), made("td", {}, shown, small));
      if (sub) row.className = "sub";
      by(table).append(row);
      lines.set(key, { shown, small });
    }
    lines.get(key).shown.textContent = value;
    lines.get(key).small.textContent = aside;
  }
  const width = (e) => { e.style.width = `${Math.max(2, e.value.length) + 3}ch`; };
  const set = (id, value) => { const e = by(id); if (e && document.activeElement !== e) { e.value = value; if (e.type === "number") width(e); } };
  const short = (x, digits = 6) => (Number.isFinite(x) ? Number(x.toPrecision(digits)) : "");
  const asked = () => told.detectors[state.detector].threshold;  // as it was given
  const cutOf = (s) => (state.by === "chosen" ? asked() : read(s.threshold[state.cut]));
  let spoken = 0, drawnFor = "";
  function render() {
    const s = sweep(), k = state.cut, boxes = s.tp[k] + s.fp[k], missed = s.truths - s.tp[k];
    const cut = state.by === "chosen" ? numbers.amount(asked(), 4) : shown(s, k);
    const base = numbers.base_of([s.recall[k], s.precision[k]]);
    const sentence = boxes ? say("sentence", { threshold: cut, base: numbers.count(base), recall: numbers.of(s.recall[k], base),
      precision: numbers.of(s.precision[k], base), wrong: numbers.amount(s.wrong[k], 2) }) : words.no_boxes;
    clearTimeout(spoken);  // a reader's program is told once the hand rests
    by("dx-say").setAttribute("aria-live", "off");
    put("dx-say", sentence);
    spoken = setTimeout(() => { by("dx-say").setAttribute("aria-live", "polite"); put("dx-say", ""); put("dx-say", sentence); }, 600);
    put("dx-note", note);
    by("dx-note").hidden = !note;
    line("dx-counts", "objects", numbers.count(s.truths));
    line("dx-counts", "found", numbers.count(s.tp[k]), "", true);
    line("dx-counts", "missed", numbers.count(missed), "", true);
    line("dx-counts", "boxes", numbers.count(boxes));
    line("dx-counts", "right", numbers.count(s.tp[k]), "", true);
    line("dx-counts", "wrong", numbers.count(s.fp[k]), "", true);
    line("dx-rates", "recall", numbers.share(s.recall[k]));
    line("dx-rates", "precision", numbers.share(s.precision[k]));
    line("dx-rates", "f1", numbers.area(s.f[k]));
    line("dx-rates", "f1_best", numbers.area(s.f[s.best]), "", true);
    line("dx-rates", "wrong_per_image", numbers.amount(s.wrong[k], 3));
    for (const [id, kind] of [["chosen", "chosen"], ["best", "best"], ["find-wrong", "wrong"], ["find-found", "found"]]) {
      by(`dx-${id}`).setAttribute("aria-pressed", String(state.by === kind));
    }
    const slider = by("dx-t");
    slider.max = last(s);
    slider.value = last(s) - k;
    slider.setAttribute("aria-valuetext", say("valuetext", { threshold: cut, recall: numbers.share(s.recall[k]), precision: numbers.share(s.precision[k]) }));
    set("dx-t-number", k === 0 && state.by !== "chosen" ? "" : state.by === "chosen" ? short(asked(), 12) : short(read(s.threshold[k]), parseInt(s.digits[k], 36)));
    const exact = by("dx-t-copy");
    exact.hidden = k === 0 || !navigator.clipboard;
    exact.title = say("exact", { threshold: cutOf(s) });
    if (state.by === "wrong") set("dx-at-most", short(state.limit, 12));
    if (state.by === "found") set("dx-at-least", short(100 * state.limit, 12));
    set("dx-detector", state.detector);
    set("dx-class", state.cls);
    const view = `${state.detector}/${state.cls}/${charts.map(({ svg }) => svg.clientWidth)}`;
    if (view !== drawnFor) charts.forEach(redraw);
    drawnFor = view;
    charts.forEach(mark);
    const hash = written();
    by("dx-link").setAttribute("href", hash);
    clearTimeout(address);
    if (moved) address = setTimeout(() => { try { history.replaceState(null, "", hash); } catch { location.replace(hash); } }, 300);
  }
  function schedule() { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; render(); }); } }

  new ResizeObserver(() => schedule()).observe(by("dx-charts"));

  // ---- the state as the part of the address after # ----
  function written() {
    const t = sweep().threshold[state.cut];
    const parts = { detector: state.detector, class: state.cls, t: t === null ? "none" : t, by: state.limit === null ? state.by : `${state.by}:${state.limit}` };
    return "#" + Object.entries(parts).map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&");
  }
  function parsed(hash) {
    if (!/^#detector=/.test(hash)) return null;
    const given = new URLSearchParams(hash.slice(1));
    const whole = (name, end) => { const x = Number(given.get(name)); return Number.isInteger(x) && x >= 0 && x < end ? x : 0; };
    const next = start(whole("detector", told.detectors.length));
    next.cls = whole("class", told.detectors[next.detector].sweeps.length);
    if (!told.detectors[next.detector].sweeps[next.cls]) next.cls = 0;
    const [kind, limit] = (given.get("by") ?? "hand").split(":"), t = given.get("t");
    if (kind === "wrong" || kind === "found") { if (limit && Number(limit) >= 0) { next.by = kind; next.limit = Number(limit); } }
    else if (Object.hasOwn(criteria, kind)) next.by = kind;
    else if (t === "none" || (t && !Number.isNaN(read(t)))) {
      next.by = "hand";
      next.cut = t === "none" ? 0 : reached(told.detectors[next.detector].sweeps[next.cls], read(t));
    }
    return next;
  }
  const fromAddress = () => {
    const given = parsed(location.hash);
    if (!given) return;
    state = given;
    settle();
    schedule();
    by("explorer").scrollIntoView({ behavior: "instant" });
  };

  panel.addEventListener("input", (event) => { if (event.target.type === "number") width(event.target); });
  by("dx-t").addEventListener("input", (event) => change({ cut: last(sweep()) - Number(event.target.value), by: "hand", limit: null }));
  by("dx-t-number").addEventListener("change", (event) => {
    const x = event.target.valueAsNumber, s = sweep();
    if (!Number.isFinite(x)) { change({}, words.bad); return; }
    const cut = reached(s, x), met = cut > 0 && read(s.threshold[cut]) === x;
    change({ cut, by: "hand", limit: null }, s.thinned && !met && cut > 0 ? say("between", { threshold: shown(s, cut) }) : "");
  });
  by("dx-t-number").addEventListener("blur", () => schedule());
  const tell = () => { put("dx-copied", words.copied); setTimeout(() => put("dx-copied", ""), 2000); };
  by("dx-t-copy").addEventListener("click", () => copyText(String(cutOf(sweep()))).then(tell, () => {}));
  by("dx-detector")?.addEventListener("change", (event) => {
    const detector = Number(event.target.value);
    change(told.detectors[detector].sweeps[state.cls] ? { detector } : { detector, cls: 0 });
  });
  by("dx-class")?.addEventListener("change", (event) => change({ cls: Number(event.target.value) }));
  for (const kind of ["chosen", "best"]) by(`dx-${kind}`).addEventListener("click", () => change({ by: kind, limit: null }));
  for (const [field, button, kind, whole] of [["dx-at-most", "dx-find-wrong", "wrong", 1], ["dx-at-least", "dx-find-found", "found", 100]]) {
    const input = by(field);
    const limit = () => { const x = input.valueAsNumber; return x >= 0 && (kind === "wrong" || x <= 100) ? x / whole : null; };
    const find = () => (limit() === null ? change({}, words.bad) : change({ by: kind, limit: limit() }));
    width(input);
    by(button).addEventListener("click", find);
    input.addEventListener("input", () => { if (limit() !== null) find(); });
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") find(); });
  }
  by("dx-reset").addEventListener("click", () => change(start(state.detector)));
  const copy = by("dx-copy");
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", () => copyText(location.href.split("#")[0] + written()).then(tell, () => {}));
  addEventListener("hashchange", fromAddress);
  settle();
  fromAddress();
  render();
})();

/* What the ideas share: sliders and buttons, charts that are dragged, a table of numbers, a sentence that is read aloud. */
(() => {
  "use strict";
  const { words, numbers, say, by, made, drawn } = window.curvewise;
  const { px, py, value, frame, axes, path, drag } = window.curvewiseCharts;
  const state = {}, charts = [], rules = [], sliders = new Map();
  let draw = () => {}, waiting = false;
  const schedule = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; render(); }); } };
  const change = (next) => { Object.assign(state, next); schedule(); };
  const beside = matchMedia("(min-width: 52rem)");  // figures in a row, as the styles have it: they may be higher
  const between = (x, low, high) => Math.min(Math.max(x, low), high);

  // ---- controls ----
  const PLAIN = { to: (x) => x, from: (x) => x };
  const scales = {  // between what is meant and the places of a slider
    logit: { to: (p) => Math.round(100 * Math.log(p / (1 - p))), from: (x) => Number((1 / (1 + Math.exp(-x / 100))).toPrecision(3)) },
    log: { to: (r) => Math.round(100 * Math.log10(r)), from: (x) => Number((10 ** (x / 100)).toPrecision(3)) },
  };
  function slider(name, { min, max, step, start, show, scale }) {
    const { to, from } = scales[scale] ?? PLAIN;
    const input = made("input", { type: "range", id: name, min: to(min), max: to(max), step: scale ? 1 : step });
    const shown = made("output", { for: name, class: "value" });
    by("controls").append(made("div", { class: "field slider" }, made("label", { for: name }, words[name]), shown, input));
    input.addEventListener("input", () => change({ [name]: between(from(Number(input.value)), min, max) }));
    state[name] = start;
    sliders.set(name, { input, shown, to, show });
  }
  function buttons(label, ways) {
    const row = made("div", { class: "presets", role: "group", "aria-label": label });
    for (const [name, act] of Object.entries(ways)) {
      const button = made("button", { type: "button", id: name }, words[name]);
      button.addEventListener("click", act);
      row.append(button);
    }
    by("controls").append(row);
  }

  // ---- charts: what is drawn is given in the units of the axes ----
  function chart(name, { x, y, ratio = 0.73, most = 300, span = "", role = "img" }) {
    const title = made("b", { id: `${name}-title` }, words[name]), drawing = drawn("g"), handles = drawn("g");
    const svg = drawn("svg", { class: "chart", id: name, role, "aria-labelledby": title.id });
    svg.append(drawing, handles);
    by("charts").append(made("figure", { class: `mini ${span}` }, made("figcaption", {}, title), svg));
    const c = { svg, handles, frame: null, parts: [], marks: [] };
    const place = (px_, py_) => [px(c.frame, px_), py(c.frame, py_)];
    const apart = (given, at, room) => {  // of ticks that are given, those that leave each other room
      let last = -Infinity;
      return given?.filter((t) => { const here = Math.abs(at(t)), fits = here - last >= room; if (fits) last = here; return fits; });
    };
    c.begin = () => {
      const limits = { xlim: x.limits instanceof Function ? x.limits() : x.limits, ylim: y.limits instanceof Function ? y.limits() : y.limits };
      const f = c.frame = { ...frame(svg, span !== "wide" && beside.matches ? 0.9 : ratio, most), ...limits, xscale: x.scale ?? "linear", yscale: y.scale ?? "linear" };
      c.parts = axes(f, { label: x.label, ticks: apart(x.ticks, (t) => px(f, t), 25) }, { label: y.label, ticks: apart(y.ticks, (t) => f.top + f.height - py(f, t), 14) });
      c.inner = drawn("svg", { x: f.left, y: f.top, width: f.width, height: f.height, viewBox: `${f.left} ${f.top} ${f.width} ${f.height}` });
      c.marks = [];
    };
    c.line = (points, kind) => { c.inner.append(drawn("path", { class: `line ${kind}`, d: path(points.map((p) => place(...p))) })); };
    c.area = (points, kind) => { c.inner.append(drawn("path", { class: `area ${kind}`, d: `${path(points.map((p) => place(...p)))}Z` })); };
    c.box = (x0, x1, kind) => {
      const [left, right] = [px(c.frame, x0), px(c.frame, x1)];
      c.inner.append(drawn("rect", { class: kind, x: left.toFixed(1), y: c.frame.top, width: Math.max(right - left, 0).toFixed(1), height: c.frame.height }));
    };
    c.dot = (x0, y0, kind, r = 2.5) => {
      const [cx, cy] = place(x0, y0);
      c.marks.push(drawn("circle", { class: kind, cx: cx.toFixed(1), cy: cy.toFixed(1), r }));
    };
    c.cut = (x0) => {
      const at = px(c.frame, x0).toFixed(1);
      c.marks.push(drawn("line", { class: "cut", x1: at, x2: at, y1: c.frame.top, y2: c.frame.top + c.frame.height }));
    };
    c.mark = (x0, y0, kind = "here") => {  // at the edge where it lies beyond
      const { xlim, ylim } = c.frame;
      c.dot(between(x0, ...xlim), between(y0, ...ylim), `mark ${kind}`, 5);
    };
    c.end = () => drawing.replaceChildren(...c.parts, c.inner, ...c.marks);  // handles stay: one of them may have the focus
    c.drag = (take) => drag(svg, (at, event) => {
      const f = c.frame, share = (v, start, length) => between((v - start) / length, 0, 1);
      take(value(share(at.x, f.left, f.width), f.xlim, f.xscale), value(1 - share(at.y, f.top, f.height), f.ylim, f.yscale), at, event);
    });
    c.nearest = (points, at) => {  // the place in a list of points that is nearest to the pointer
      let least = Infinity, found = 0;
      points.forEach(([x0, y0], k) => { const [u, v] = place(x0, y0), away = Math.hypot(u - at.x, v - at.y); if (away < least) { least = away; found = k; } });
      return found;
    };
    c.range = (low, high, step) => {  // two sliders as the ends of a range: an end is dragged, or from within all of it
      let held = null, away = 0;
      rules.push(() => {  // a slider that meets the other takes it along
        if (state[low] < state[high]) return;
        if (document.activeElement === by(high)) state[low] = put(state[high] - step); else state[high] = put(state[low] + step);
      });
      const put = (a) => Number(a.toFixed(6)), round = (a) => put(Math.round(a / step) * step);
      c.drag((x0, y0, at, event) => {
        const a = state[low], b = state[high], reach = ((c.frame.xlim[1] - c.frame.xlim[0]) * 14) / c.frame.width;
        if (event.type === "pointerdown") {
          held = x0 < a + Math.min(reach, (b - a) / 3) ? low : x0 > b - Math.min(reach, (b - a) / 3) ? high : "all";
          away = x0 - a;
        }
        const from = between(round(x0 - away), 0, put(1 - (b - a)));
        change(held === "all" ? { [low]: from, [high]: put(from + b - a) } : held === low
          ? { [low]: between(round(x0), 0, put(b - step)) } : { [high]: between(round(x0), put(a + step), 1) });
      });
    };
    charts.push(c);
    return c;
  }
  function legend(entries) {  // [kind of line, its name]
    const list = made("p", { class: "chart-legend" });
    for (const [kind, name] of entries) {
      const sample = drawn("svg", { viewBox: "0 0 28 10", "aria-hidden": "true", class: "chart" });
      sample.append(drawn("path", { class: `line ${kind}`, d: "M0 5H28" }));
      list.append(made("span", {}, sample, name));
    }
    by("charts").after(list);
  }

  // ---- numbers: shown at once, read aloud when the hand rests ----
  const cells = new Map();
  function table(columns = []) {
    if (columns.length) by("numbers-head").append(made("tr", {}, made("td"), ...columns.map((c) => made("th", { scope: "col", class: "n" }, c))));
  }
  function row(key, values, label = words[key]) {
    if (!cells.has(key)) {
      const shown = values.map((_, k) => made("td", { class: "n", id: `${key}-${k}` }));
      by("numbers-body").append(made("tr", { id: `row-${key}` }, made("th", { scope: "row" }, label), ...shown));
      cells.set(key, shown);
    }
    cells.get(key).forEach((cell, k) => { if (cell.textContent !== values[k]) cell.textContent = values[k]; });
  }
  let told = 0;
  function tell(sentence) {
    const places = [by("say"), by("numbers")];
    if (by("say").textContent === sentence) return;
    clearTimeout(told);
    places.forEach((e) => e.setAttribute("aria-live", "off"));
    by("say").textContent = sentence;
    told = setTimeout(() => {
      places.forEach((e) => e.setAttribute("aria-live", "polite"));
      by("say").textContent = "";
      by("say").textContent = sentence;
    }, 600);
  }

  function render() {
    rules.forEach((keep) => keep());
    for (const [name, { input, shown, to, show }] of sliders) {
      const text = show(state[name]);
      if (Number(input.value) !== to(state[name])) input.value = to(state[name]);
      input.setAttribute("aria-valuetext", text);
      shown.textContent = text;
    }
    charts.forEach((c) => c.begin());
    draw();
    charts.forEach((c) => c.end());
  }
  function start(drawing) {
    draw = drawing;
    by("play").hidden = false;
    by("noscript").hidden = true;
    render();
    new ResizeObserver(schedule).observe(by("charts"));
  }
  const share = numbers.share, area = numbers.area;
  const fixed = (digits) => (x) => x.toFixed(digits).replace("-", "−");
  window.playground = Object.freeze({ state, words, numbers, say, by, made, drawn, share, area, fixed, between, change, slider, buttons, chart, legend, table, row, tell, start, schedule });
})();

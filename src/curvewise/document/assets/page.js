/* What needs a reader's hand: one operating point that moves through all figures and numbers.
   Counts and rates at every threshold come from Python; rounding is that of numbers.py. Without this script the page is complete. */
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const words = data.words;
  const by = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // ---- numbers ----
  const grouped = (text) => text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
  const read = (x) => (x === null || x === undefined || x === "" ? NaN : x === "inf" ? Infinity : x === "-inf" ? -Infinity : Number(x));
  const notFinite = (x) => (Number.isNaN(x) ? "–" : x === Infinity ? "∞" : x === -Infinity ? "−∞" : "");
  const fixed = (x, digits) => {
    const text = grouped(Math.abs(x).toFixed(digits));
    return x < 0 && /[1-9]/.test(text) ? "−" + text : text;
  };
  const grown = (x, digits, whole) => {
    let text = fixed(x, digits);
    const seems = () => [0, whole].includes(Number(text.replace(/,/g, "").replace("−", "-")));
    while (digits < 6 && x !== 0 && x !== whole && seems()) text = fixed(x, ++digits);
    return text;
  };
  const amount = (value, digits = 6) => {
    const x = read(value);
    if (notFinite(x)) return notFinite(x);
    if (x === 0) return "0";
    const [mantissa, exponent] = Math.abs(x).toExponential(digits - 1).split("e");
    const power = Number(exponent);
    const trim = (t) => (t.includes(".") ? t.replace(/0+$/, "").replace(/\.$/, "") : t);
    const sign = x < 0 ? "−" : "";
    if (power < -5 || power > 8) return `${sign}${trim(mantissa)}e${power < 0 ? "−" : ""}${Math.abs(power)}`;
    const figures = mantissa.replace(".", "");
    const text = power < 0 ? "0." + "0".repeat(-power - 1) + figures
      : power + 1 >= figures.length ? figures + "0".repeat(power + 1 - figures.length)
      : figures.slice(0, power + 1) + "." + figures.slice(power + 1);
    return sign + grouped(trim(text));
  };
  const finite = (write) => (value) => notFinite(read(value)) || write(read(value));
  const numbers = Object.freeze({
    area: finite((x) => grown(x, 3, 1)),
    share: finite((x) => grown(100 * x, 1, 100) + data.percent),
    of_100: finite((x) => grown(100 * x, 0, 100)),
    per_1000: finite((x) => grown(1000 * x, 1000 * x >= 10 ? 0 : 1, 1000)),
    count: finite((x) => fixed(x, x === Math.floor(x) ? 0 : 1)),
    amount,
    cost: (x) => amount(x, 4),
  });
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  window.curvewise = Object.freeze({ numbers });

  // ---- figures, tables, print: useful without any model ----
  const details = all("details");
  let opened = [];
  addEventListener("beforeprint", () => { opened = details.filter((d) => !d.open); opened.forEach((d) => { d.open = true; }); });
  addEventListener("afterprint", () => { opened.forEach((d) => { d.open = false; }); opened = []; });

  const links = new Map(all("nav a").map((a) => [a.hash.slice(1), a]));
  const watcher = new IntersectionObserver((seen) => {
    for (const entry of seen) if (entry.isIntersecting) {
      links.forEach((a, id) => {
        a.classList.toggle("here", id === entry.target.id);
        if (id === entry.target.id) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
      });
    }
  }, { rootMargin: "-15% 0px -80% 0px" });
  all("main > section").forEach((s) => watcher.observe(s));

  const switches = by("switches");
  if (switches) {
    switches.hidden = false;
    switches.addEventListener("change", (event) => {
      all(`.model-${event.target.value}`).forEach((e) => e.classList.toggle("off", !event.target.checked));
      schedule();
    });
  }

  const formula = /^[=+\-@\t\r]/;
  const cell = (value) => {
    const isText = typeof value === "string";
    const text = isText && formula.test(value) ? "'" + value : String(value ?? "");
    return /[",\n\r]/.test(text) || (isText && text.startsWith("'")) ? '"' + text.replace(/"/g, '""') + '"' : text;
  };
  const csv = (rows) => "\ufeff" + rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  const number = (text) => (text === "" || !/^-?(\d|inf)/.test(text) ? text : text === "inf" || text === "-inf" ? text : Number(text));
  const tableRows = (table) => all("tr", table).map((tr) => all("th,td", tr).flatMap((c) => {
    if (c.dataset.v !== undefined) return c.dataset.v.split("|").map(number);
    const name = c.querySelector("bdi");
    return [(name || c).textContent];
  }));
  const curveRows = (key, places) => {
    const rows = [[words.model, words.threshold, words.tp, words.fp, words.recall, words.fpr, words.precision]];
    for (const m of data.models) if (places === null || m.place === places) {
      m.threshold.forEach((t, k) => rows.push([m.name, t === null ? "" : read(t), m.tp[k], m.fp[k], m.recall[k], m.fpr[k], m.precision[k]]));
    }
    return rows;
  };
  const fromCuts = ["roc", "pr", "pr_gain", "det", "lift", "thresholds"];  // their tables show some points, files hold all
  const download = (name, type, text) => {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const a = document.createElement("a");
    a.href = url;
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };
  const sheet = all("style")[1].textContent;
  const standalone = (svg) => {
    const copy = svg.cloneNode(true);
    const live = svg.parentElement.querySelector(".live");
    if (live) all("*", live).forEach((mark) => { const m = mark.cloneNode(); m.setAttribute("class", "mark"); copy.append(m); });
    const [, , width, height] = copy.getAttribute("viewBox").split(/\s+/);
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("width", `${width}pt`);
    copy.setAttribute("height", `${height}pt`);
    const style = document.createElementNS(SVG, "style");
    const used = new Set(all("[class]", copy).flatMap((e) => [...e.classList]));
    const rules = sheet.split("\n").filter((rule) => !/^\.f\d+\{/.test(rule) || used.has(rule.slice(1, rule.indexOf("{"))));
    style.textContent = rules.join("\n") + "\n.off{display:none}line.mark{stroke:#222;stroke-dasharray:3 2}circle.mark{fill:#222;stroke:#fff}";
    copy.prepend(style);
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy);
  };
  const buttons = by("page-save").content;
  for (const plate of all("figure.plate")) {
    const svg = plate.querySelector("svg.figure");
    const row = buttons.cloneNode(true).firstElementChild;
    const [kind, place] = plate.dataset.key.split(":");
    const name = `curvewise-${plate.dataset.key.replace(/\W+/g, "-")}`;
    const title = plate.querySelector("figcaption b").textContent;
    for (const button of all("button", row)) {
      if (button.dataset.do === "svg" && !svg) { button.remove(); continue; }
      button.setAttribute("aria-label", `${button.textContent}: ${title}`);
      button.addEventListener("click", () => {
        if (button.dataset.do === "svg") return download(`${name}.svg`, "image/svg+xml", standalone(svg));
        const rows = fromCuts.includes(kind) && data.models.length
          ? curveRows(kind, place === undefined ? null : Number(place)) : tableRows(plate.querySelector("table"));
        return download(`${name}.csv`, "text/csv;charset=utf-8", csv(rows));
      });
    }
    plate.append(row);
  }

  // ---- the operating point ----
  const panel = by("ex");
  let schedule = () => {};
  if (!panel || !data.models.length) return;
  panel.hidden = false;
  by("ex-noscript").hidden = true;

  const first = () => ({ model: 0, cut: data.models[0].rule ?? youden(data.models[0]), fp: data.costs.fp, fn: data.costs.fn, prev: data.prevalence });
  const shareOf = (m) => m.positives / (m.positives + m.negatives);
  const prevalence = () => state.prev ?? shareOf(model());
  const model = () => data.models[state.model];
  const rates = (m, k) => ({ tpr: m.recall[k], fpr: m.fpr[k] });

  function reading(m, k) {
    const { tpr, fpr } = rates(m, k);
    const up = prevalence(), down = 1 - up;
    const hits = up * tpr, wrong = down * fpr, missed = up * (1 - tpr), passed = down * (1 - fpr);
    const alarms = hits + wrong, quiet = missed + passed;
    const cost = state.fp * wrong + state.fn * missed + data.costs.tp * hits + data.costs.tn * passed;
    return { tpr, fpr, hits, wrong, missed, passed, alarms, cost,
      ppv: alarms ? hits / alarms : NaN, npv: quiet ? passed / quiet : NaN };
  }
  function best(m, value) {  // of equally good cuts the first: the highest threshold
    let found = 0, most = -Infinity;
    for (let k = 0; k < m.tp.length; k++) {
      const v = value(k);
      if (v > most + 1e-12 * Math.abs(most === -Infinity ? 0 : most)) { most = v; found = k; }
    }
    return found;
  }
  function youden(m) { return best(m, (k) => (k ? m.tp[k] * m.negatives - m.fp[k] * m.positives : -Infinity)); }
  const cheapest = (m) => best(m, (k) => -reading(m, k).cost);
  function wilson(part, whole) {
    if (data.z === null || !whole || !Number.isInteger(part) || !Number.isInteger(whole)) return "";
    const z2 = data.z * data.z, p = part / whole;
    const middle = (p + z2 / (2 * whole)) / (1 + z2 / whole);
    const half = (data.z / (1 + z2 / whole)) * Math.sqrt((p * (1 - p)) / whole + z2 / (4 * whole * whole));
    const low = part === 0 ? 0 : Math.max(0, middle - half), high = part === whole ? 1 : Math.min(1, middle + half);
    return numbers.share(low).replace(data.percent, "") + data.between + numbers.share(high);
  }
  function reaching(m, t) {  // the last cut whose threshold is reached by t
    const toward = m.higher === "positive" ? 1 : -1;
    let found = 0;
    while (found + 1 < m.threshold.length && toward * read(m.threshold[found + 1]) >= toward * t) found++;
    return found;
  }

  // ---- the state, also as the part of the address after # ----
  function written() {
    const t = model().threshold[state.cut];
    const parts = { model: state.model, t: t === null ? "none" : t, fp: state.fp, fn: state.fn };
    if (state.prev !== null) parts.prev = state.prev;
    return "#" + Object.entries(parts).map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&");
  }
  function parsed(hash) {
    if (!/^#model=/.test(hash)) return null;
    const given = new URLSearchParams(hash.slice(1));
    const next = first();
    const within = (name, low, high) => { const x = Number(given.get(name)); return given.has(name) && x >= low && x <= high ? x : null; };
    const place = within("model", 0, data.models.length - 1);
    if (place !== null && Number.isInteger(place)) next.model = place;
    const m = data.models[next.model];
    next.cut = m.rule ?? youden(m);
    const t = given.get("t");
    if (t === "none") next.cut = 0;
    else if (t !== null && t !== "" && !Number.isNaN(read(t))) next.cut = reaching(m, read(t));
    next.fp = within("fp", 0, 1e12) ?? next.fp;
    next.fn = within("fn", 0, 1e12) ?? next.fn;
    const prev = within("prev", 0, 1);
    if (prev !== null && prev > 0 && prev < 1) next.prev = prev;
    return next;
  }
  let state = first();
  let note = "";

  // ---- figures: a point or a line in each ----
  const probit = (p) => {  // Acklam's approximation: far finer than a pixel
    const a = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239];
    const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
    const c = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783];
    const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
    const tail = (q) => (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    if (p <= 0) return -Infinity;
    if (p >= 1) return Infinity;
    if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
    if (p > 0.97575) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
    const q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
  };
  const scales = { linear: (x) => x, log: Math.log10, probit };
  const along = (x, limits, scale, start, length) => {
    const s = scales[scale] || scales.linear;
    return start + (length * (s(x) - s(limits[0]))) / (s(limits[1]) - s(limits[0]));
  };
  const px = (f, x) => along(x, f.xlim, f.xscale, f.left, f.width);
  const py = (f, y) => along(y, f.ylim, f.yscale, f.top + f.height, -f.height);
  const inside = (f, x, y) => x >= f.left - 0.5 && x <= f.left + f.width + 0.5 && y >= f.top - 0.5 && y <= f.top + f.height + 0.5;

  // What is marked in a figure, of the first axes: x alone is a line, x and y a point.
  const marks = {
    roc: (m, k, r) => [r.fpr, r.tpr],
    pr: (m, k, r) => [r.tpr, read(m.precision[k])],
    det: (m, k, r) => [r.fpr, 1 - r.tpr],
    distribution: (m, k) => [read(m.threshold[k])],
    thresholds: (m, k) => [read(m.threshold[k])],
    decision: () => [state.fp + state.fn > 0 ? state.fp / (state.fp + state.fn) : NaN],
    cost: (m, k, r) => {
      const up = prevalence() * state.fn, x = up / (up + (1 - prevalence()) * state.fp);
      return [x, (1 - r.tpr) * x + r.fpr * (1 - x)];
    },
  };
  const layers = [];
  function layer(svg, id) {
    const { key, frames } = data.figures[id];
    const [kind, place] = key.split(":");
    if (!marks[kind] || !frames.length) return;
    const g = document.createElementNS(SVG, "svg");  // over the figure, so that the figure is not painted again
    g.setAttribute("class", "live");
    g.setAttribute("viewBox", svg.getAttribute("viewBox"));
    g.setAttribute("aria-hidden", "true");
    svg.after(g);
    layers.push({ g, kind, frame: frames[0], place: place === undefined ? null : Number(place), shown: "" });
  }
  function draw() {
    const m = model(), k = state.cut, r = reading(m, k);
    const off = switches && !all("input", switches)[m.place].checked;
    for (const l of layers) {
      const [x, y] = (l.place === null || l.place === m.place) && !(off && l.kind !== "decision") ? marks[l.kind](m, k, r) : [NaN];
      const f = l.frame, left = px(f, x), top = y === undefined ? f.top : py(f, y);
      const shows = Number.isFinite(left) && Number.isFinite(top) && inside(f, left, top);
      const shown = shows ? `${left},${top}` : "";
      if (shown === l.shown) continue;
      l.shown = shown;
      l.g.replaceChildren();
      if (!shows) continue;
      const mark = document.createElementNS(SVG, y === undefined ? "line" : "circle");
      const places = y === undefined ? { x1: left, x2: left, y1: f.top, y2: f.top + f.height } : { cx: left, cy: top, r: 3.6 };
      Object.entries(places).forEach(([name, value]) => mark.setAttribute(name, value.toFixed(2)));
      l.g.append(mark);
    }
  }
  all("svg.figure").forEach((svg) => layer(svg, svg.id));

  const minis = by("ex-figures");
  const miniKinds = ["roc", "pr", "distribution", "decision"];
  function mini(kind) {
    const ids = Object.keys(data.figures).filter((id) => data.figures[id].key.split(":")[0] === kind);
    return ids.map((id) => {
      const origin = by(id);
      if (!origin) return null;
      const figure = document.createElement("figure");
      figure.className = "mini";
      const caption = document.createElement("figcaption");
      const title = document.createElement("b");
      title.textContent = by(`${id}-title`).textContent;
      title.id = `${id}-mini`;
      caption.append(title);
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("viewBox", origin.getAttribute("viewBox"));
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-labelledby", title.id);
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#${id}-body`);
      svg.append(use);
      const canvas = document.createElement("div");
      canvas.className = "canvas";
      canvas.append(svg);
      figure.append(caption, canvas);
      minis.append(figure);
      layer(svg, id);
      return { figure, svg, id, place: data.figures[id].key.split(":")[1] };
    }).filter(Boolean);
  }
  const small = miniKinds.flatMap(mini);

  // ---- read-outs under the pointer; a click takes the threshold ----
  function hover(svg, id) {
    const { key, frames } = data.figures[id];
    if (!["roc", "pr", "det"].includes(key) || !frames.length) return;
    const f = frames[0], host = svg.parentElement;
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.setAttribute("aria-hidden", "true");
    tip.hidden = true;
    host.append(tip);
    svg.classList.add("touch");
    const nearest = (event) => {
      const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      if (!inside(f, spot.x, spot.y)) return null;
      const m = model();
      let found = null, least = Infinity;
      for (let k = 1; k < m.tp.length; k++) {
        const [x, y] = marks[key](m, k, rates(m, k));
        const away = Math.hypot(px(f, x) - spot.x, py(f, y) - spot.y);
        if (away < least) { least = away; found = k; }
      }
      return found;
    };
    svg.addEventListener("pointermove", (event) => {
      const k = nearest(event);
      tip.hidden = k === null;
      if (k === null) return;
      const m = model(), r = rates(m, k);
      tip.textContent = say("hover", { threshold: amount(m.threshold[k]), recall: numbers.share(r.tpr), fpr: numbers.share(r.fpr),
        precision: numbers.share(m.precision[k]) });
      const box = host.getBoundingClientRect();
      const left = event.clientX - box.left;
      tip.style.left = `${Math.min(left + 12, box.width - 150)}px`;
      tip.style.top = `${event.clientY - box.top + 14}px`;
    });
    svg.addEventListener("pointerleave", () => { tip.hidden = true; });
    svg.addEventListener("click", (event) => { const k = nearest(event); if (k !== null) change({ cut: k }); });
  }
  all("svg.figure").forEach((svg) => hover(svg, svg.id));
  small.forEach(({ svg, id }) => hover(svg, id));

  // ---- numbers and controls ----
  const put = (id, text) => { const e = by(id); if (e.textContent !== text) e.textContent = text; };
  const lines = new Map();
  function line(key, value, ends, sub, table) {
    if (!lines.has(key)) {
      const tr = document.createElement("tr");
      const th = document.createElement("th"), td = document.createElement("td"), shown = document.createElement("span"), small = document.createElement("small");
      th.scope = "row";
      th.textContent = words[key];
      td.append(shown, small);
      tr.append(th, td);
      if (sub) tr.className = "sub";
      by(table).append(tr);
      lines.set(key, { tr, shown, small });
    }
    const l = lines.get(key);
    l.tr.hidden = value === null;
    l.shown.textContent = value ?? "";
    l.small.textContent = ends || "";
  }
  let told = 0;
  function render() {
    const m = model(), k = state.cut, r = reading(m, k), n = m.threshold.length - 1;
    const fn = m.positives - m.tp[k], tn = m.negatives - m.fp[k], t = m.threshold[k];
    const here = prevalence() === shareOf(m);
    const cut = t === null ? words.none : say(m.higher === "positive" ? "positive" : "negative", { threshold: amount(t) });
    const rest = r.alarms ? say("alarms", { ppv: numbers.of_100(r.ppv), recall: numbers.of_100(r.tpr), fpr: numbers.of_100(r.fpr) }) : words.no_alarms;
    clearTimeout(told);  // a reader's program is told once the hand rests
    const sentence = cut + words.space + rest;
    by("ex-say").setAttribute("aria-live", "off");
    put("ex-say", sentence);
    told = setTimeout(() => { by("ex-say").setAttribute("aria-live", "polite"); put("ex-say", ""); put("ex-say", sentence); }, 600);
    put("ex-note", note);
    by("ex-note").hidden = !note;

    for (const [id, count, share] of [["tp", m.tp[k], r.hits], ["fn", fn, r.missed], ["fp", m.fp[k], r.wrong], ["tn", tn, r.passed]]) {
      put(id === "tp" || id === "tn" ? `ex-${id}` : `ex-${id}-count`, numbers.count(count));
      put(`ex-${id}-1000`, say("of_1000", { count: numbers.per_1000(share) }));
    }
    const flagged = m.tp[k] + m.fp[k], passed = fn + tn;
    const rate = (key, value, ends, sub = false) => line(key, value, ends, sub, "ex-rates");
    const alarm = (key, value, sub = false) => line(key, value, "", sub, "ex-alarms");
    const cost = (key, value, sub = false) => line(key, value, "", sub, "ex-costs");
    rate("recall", numbers.share(r.tpr), wilson(m.tp[k], m.positives));
    rate("specificity", numbers.share(1 - r.fpr), wilson(tn, m.negatives));
    rate("fpr", numbers.share(r.fpr), wilson(m.fp[k], m.negatives));
    rate("ppv", numbers.share(here && flagged ? m.precision[k] : r.ppv), here ? wilson(m.tp[k], flagged) : "");
    rate("ppv_here", here ? null : numbers.share(m.precision[k]), wilson(m.tp[k], flagged), true);
    rate("npv", numbers.share(here && passed ? tn / passed : r.npv), here ? wilson(tn, passed) : "");
    alarm("alarms_1000", numbers.per_1000(r.alarms));
    alarm("right_1000", numbers.per_1000(r.hits), true);
    alarm("missed_1000", numbers.per_1000(r.missed));
    cost("cost", numbers.cost(r.cost));
    cost("cost_best", numbers.cost(reading(m, cheapest(m)).cost), true);
    cost("cost_none", numbers.cost(reading(m, 0).cost), true);
    cost("cost_all", numbers.cost(reading(m, n).cost), true);
    cost("benefit", state.fn > 0 ? numbers.cost(r.hits - (r.wrong * state.fp) / state.fn) : null);

    const slider = by("ex-t"), higher = m.higher === "positive";
    slider.max = n;
    slider.value = higher ? n - k : k;
    put("ex-left", higher ? moreText : fewerText);
    put("ex-right", higher ? fewerText : moreText);
    const spoken = { threshold: t === null ? words.none_short : amount(t), recall: numbers.share(r.tpr), fpr: numbers.share(r.fpr) };
    slider.setAttribute("aria-valuetext", say("valuetext", spoken));
    const set = (id, value) => { const e = by(id); if (e && document.activeElement !== e) e.value = value; };
    set("ex-t-number", t === null ? "" : Number.isFinite(read(t)) ? Number(read(t).toPrecision(10)) : "");
    set("ex-fp", state.fp);
    set("ex-fn", state.fn);
    const ratio = state.fp > 0 && state.fn > 0 ? state.fn / state.fp : NaN;
    if (Number.isFinite(ratio)) set("ex-ratio", Math.round(100 * Math.log10(ratio)));
    by("ex-ratio").setAttribute("aria-valuetext", say("ratio_text", { ratio: numbers.cost(ratio) }));
    set("ex-prev-number", Number((100 * prevalence()).toPrecision(6)));
    set("ex-prev", Math.round(100 * Math.log(prevalence() / (1 - prevalence()))));
    by("ex-prev").setAttribute("aria-valuetext", numbers.share(prevalence()));
    set("ex-model", state.model);
    small.forEach((s) => { s.figure.hidden = s.place !== undefined && Number(s.place) !== m.place; });
    const hash = written();
    by("ex-link").setAttribute("href", hash);
    clearTimeout(address);
    if (moved) address = setTimeout(() => { try { history.replaceState(null, "", hash); } catch { location.replace(hash); } }, 300);
    draw();
  }
  const moreText = by("ex-left").textContent, fewerText = by("ex-right").textContent;
  let address = 0, moved = false, waiting = false;
  schedule = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; render(); }); } };
  function change(next, remark = "") {
    state = { ...state, ...next };
    note = remark;
    moved = true;
    schedule();
  }

  const typed = (id, low, high, take) => by(id).addEventListener("change", (event) => {
    const x = event.target.valueAsNumber;
    if (Number.isFinite(x) && x >= low && x <= high) take(x); else change({}, words.bad);
  });
  by("ex-t").addEventListener("input", (event) => {
    const m = model(), v = Number(event.target.value);
    change({ cut: m.higher === "positive" ? m.threshold.length - 1 - v : v });
  });
  typed("ex-t-number", -Infinity, Infinity, (x) => {
    const m = model(), cut = reaching(m, x), t = m.threshold[cut];
    const exact = t !== null && read(t) === x;
    change({ cut }, m.thinned && !exact ? say("between", { threshold: t === null ? words.none_short : amount(t) }) : "");
  });
  typed("ex-fp", 0, 1e12, (fp) => change({ fp }));
  typed("ex-fn", 0, 1e12, (fn) => change({ fn }));
  by("ex-ratio").addEventListener("input", (event) => {
    const fp = state.fp > 0 ? state.fp : 1;
    change({ fp, fn: Number((fp * 10 ** (Number(event.target.value) / 100)).toPrecision(3)) });
  });
  typed("ex-prev-number", 0, 100, (x) => (x > 0 && x < 100 ? change({ prev: x / 100 }) : change({}, words.bad)));
  by("ex-prev").addEventListener("input", (event) => {
    change({ prev: Number((1 / (1 + Math.exp(-Number(event.target.value) / 100))).toPrecision(3)) });
  });
  by("ex-model")?.addEventListener("change", (event) => {
    const place = Number(event.target.value), m = data.models[place];
    change({ model: place, cut: m.rule ?? youden(m) });
  });
  const thinned = (m) => (m.thinned ? say("thinned", { kept: numbers.count(m.threshold.length - 1), distinct: numbers.count(m.distinct) }) : "");
  by("ex-rule").hidden = data.models.every((m) => m.rule === null);
  by("ex-rule").addEventListener("click", () => change({ cut: model().rule ?? youden(model()) }));
  by("ex-youden").addEventListener("click", () => change({ cut: youden(model()) }));
  by("ex-cheapest").addEventListener("click", () => change({ cut: cheapest(model()) }));
  const limit = (id) => { const x = by(id).valueAsNumber; return x >= 0 && x <= 100 ? x / 100 : null; };
  const findFpr = () => {  // the highest recall within the limit; counts compared with a tolerance far below one row
    const m = model(), x = limit("ex-at-most");
    if (x === null) return change({}, words.bad);
    const fits = (k) => m.fp[k] <= x * (1 + 1e-12) * m.negatives;
    let last = 0;
    while (last + 1 < m.fp.length && fits(last + 1)) last++;
    if (last === 0) return change({ cut: 1 }, words.no_cut);
    const more = last + 1 < m.tp.length && m.tp[last + 1] > m.tp[last];  // else what was thinned out finds no more
    while (last > 1 && m.tp[last - 1] === m.tp[last]) last--;
    return change({ cut: last }, more ? thinned(m) : "");
  };
  const findRecall = () => {
    const m = model(), x = limit("ex-at-least");
    if (x === null) return change({}, words.bad);
    const found = m.tp.findIndex((tp, k) => k > 0 && tp >= x * (1 - 1e-12) * m.positives);
    if (found < 0) return change({ cut: m.tp.length - 1 }, words.no_cut);
    const met = Math.abs(m.tp[found] - x * m.positives) < 1e-9 * m.positives;
    return change({ cut: found }, met ? "" : thinned(m));
  };
  by("ex-find-fpr").addEventListener("click", findFpr);
  by("ex-find-recall").addEventListener("click", findRecall);
  for (const [id, find] of [["ex-at-most", findFpr], ["ex-at-least", findRecall]]) {
    by(id).addEventListener("keydown", (event) => { if (event.key === "Enter") find(); });
  }
  by("ex-reset").addEventListener("click", () => { const at = state.model; change({ ...first(), model: at, cut: data.models[at].rule ?? youden(data.models[at]) }); });
  const copy = by("ex-copy");
  if (navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", () => navigator.clipboard.writeText(location.href.split("#")[0] + written())
      .then(() => { put("ex-copied", words.copied); setTimeout(() => put("ex-copied", ""), 2000); }, () => {}));
  }
  const fromAddress = () => {
    const given = parsed(location.hash);
    if (!given) return;
    state = given;
    note = "";
    schedule();
    by("explorer").scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", fromAddress);
  fromAddress();
  render();
})();

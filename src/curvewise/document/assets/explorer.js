/* One operating point that moves through all figures and numbers, held by a criterion that stays alive: what the rule
   chose, the cheapest, a limit. Counts at every threshold come from Python. */
(() => {
  "use strict";
  const { data, words, numbers, read, say, by, made, visible, watching, copyText } = window.curvewise;
  const figures = window.curvewiseFigures;
  const panel = by("ex");
  if (!panel || !data.models.length) return;
  panel.hidden = false;
  by("ex-noscript").hidden = true;

  // ---- the state: a model, the criterion that holds its threshold, costs and prevalence where they were touched ----
  const start = (place) => ({ model: place, by: data.models[place].rule === null ? "youden" : "rule", limit: null, cut: 0, fp: null, fn: null, prev: data.prevalence, sure: false });
  let state = start(data.first), note = "";
  const model = () => data.models[state.model];
  const shareOf = (m) => m.positives / (m.positives + m.negatives);
  const prevalence = () => state.prev ?? shareOf(model());
  const touched = () => state.fp !== null || state.fn !== null;
  const implied = (m) => (read(m.ratio) === Infinity ? { fp: 0, fn: 1 } : { fp: 1, fn: read(m.ratio) });
  function costs() {  // as touched, else as stated, else as the rule's choice implies
    const base = data.costs ?? { ...implied(model()), tp: 0, tn: 0 };
    return { ...base, fp: state.fp ?? base.fp, fn: state.fn ?? base.fn };
  }
  const shown = (m, k) => (m.threshold[k] === null ? words.none_short : numbers.amount(m.threshold[k], parseInt(m.digits[k], 36)));

  function reading(m, k, recall = m.recall[k], fpr = m.fpr[k]) {
    const up = prevalence(), down = 1 - up, c = costs();
    const hits = up * recall, wrong = down * fpr, missed = up * (1 - recall), passed = down * (1 - fpr);
    const alarms = hits + wrong, quiet = missed + passed;
    return { recall, fpr, hits, wrong, missed, passed, alarms, cost: c.fp * wrong + c.fn * missed + c.tp * hits + c.tn * passed,
      ppv: alarms ? hits / alarms : NaN, npv: quiet ? passed / quiet : NaN };
  }
  function best(m, worth) {  // of equally good cuts the first: the highest threshold
    let found = 0, most = -Infinity;
    for (let k = 0; k < m.tp.length; k++) {
      const v = worth(k);
      if (v > most + 1e-12 * Math.abs(most === -Infinity ? 0 : most)) { most = v; found = k; }
    }
    return found;
  }
  const within = (part, whole, limit) => part <= limit * (1 + 1e-12) * whole;  // a tolerance far below one row
  function highest(tp, part, whole, limit) {  // the highest recall within a limit, at the highest threshold that has it
    let last = 0;
    while (last + 1 < tp.length && within(part(last + 1), whole, limit)) last++;
    const more = last + 1 < tp.length && tp[last + 1] > tp[last];  // else what was thinned out finds no more
    while (last > 1 && tp[last - 1] === tp[last]) last--;
    return [last, more];
  }
  const reaching = (tp, positives, limit) => tp.findIndex((t, k) => k > 0 && t >= limit * (1 - 1e-12) * positives);
  const thinned = (m) => (m.thinned ? say("thinned", { kept: numbers.count(m.threshold.length - 1), distinct: numbers.count(m.distinct) }) : "");
  function allowed(rows, share) {  // errors that still show, with the confidence of the page, that their share is no larger; -1: none
    const term = (k) => Math.log(((rows - k + 1) / k) * (share / (1 - share)));
    let one = rows * Math.log1p(-share), sum = one, errors = -1;
    for (const risk = Math.log(1 - data.confidence); sum <= risk && errors + 1 < rows; ) {
      errors++;
      one += term(errors + 1);
      sum = Math.max(sum, one) + Math.log1p(Math.exp(-Math.abs(sum - one)));
    }
    return errors;
  }
  function guaranteed(m, by, limit) {  // the lowest threshold that keeps an FPR on new rows, the highest that keeps a recall
    const n = m.tp.length - 1, share = by === "fpr" ? limit : 1 - limit;
    const most = share > 0 && share < 1 ? allowed(by === "fpr" ? m.negatives : m.positives, share) : -1;
    const fits = (k) => (by === "fpr" ? m.fp[k] : m.positives - m.tp[k]) <= most;
    const cuts = m.tp.map((_, k) => k).filter((k) => k > 0 && fits(k));
    if (!cuts.length) return [by === "fpr" ? 1 : n, words.no_guarantee];
    return [by === "fpr" ? cuts[cuts.length - 1] : cuts[0], thinned(m)];
  }
  const criteria = {  // where each puts the threshold, and what is to be said of it
    rule: (m) => [m.rule ?? criteria.youden(m)[0], ""],
    youden: (m) => [best(m, (k) => (k ? m.tp[k] * m.negatives - m.fp[k] * m.positives : -Infinity)), ""],
    cheapest: (m) => [best(m, (k) => -reading(m, k).cost), ""],
    fpr: (m, limit) => {
      const [cut, more] = highest(m.tp, (k) => m.fp[k], m.negatives, limit);
      return cut === 0 ? [1, words.no_cut] : [cut, more ? thinned(m) : ""];
    },
    recall: (m, limit) => {
      const cut = reaching(m.tp, m.positives, limit);
      if (cut < 0) return [m.tp.length - 1, words.no_cut];
      return [cut, Math.abs(m.tp[cut] - limit * m.positives) < 1e-9 * m.positives ? "" : thinned(m)];
    },
  };
  function settle(remark = "") {
    const hold = criteria[state.by];
    if (!hold) { note = remark; return; }
    const sure = state.sure && (state.by === "fpr" || state.by === "recall");
    const [cut, said] = sure ? guaranteed(model(), state.by, state.limit) : hold(model(), state.limit);
    state.cut = cut;
    note = remark || said;
  }
  function change(next, remark = "") {
    const moves = !("by" in next) && ["fp", "fn", "prev"].some((name) => name in next);
    state = { ...state, ...next };
    if (moves && state.by === "rule" && data.rule === "min_cost") state.by = "cheapest";  // what the rule asks, with other costs
    if ("model" in next && !("by" in next) && state.by === "hand") state.by = start(state.model).by;  // scores of models do not compare
    if (state.by === "rule" && model().rule === null) state.by = "youden";
    settle(remark);
    moved = true;
    schedule();
  }
  function wilson(part, whole) {
    if (data.z === null || !whole || !Number.isInteger(part) || !Number.isInteger(whole)) return "";
    const z2 = data.z * data.z, p = part / whole;
    const middle = (p + z2 / (2 * whole)) / (1 + z2 / whole);
    const half = (data.z / (1 + z2 / whole)) * Math.sqrt((p * (1 - p)) / whole + z2 / (4 * whole * whole));
    const low = part === 0 ? 0 : Math.max(0, middle - half), high = part === whole ? 1 : Math.min(1, middle + half);
    return numbers.share(low).replace(data.percent, "") + data.between + numbers.share(high);
  }
  function reached(m, t) {  // the last cut whose threshold is reached by t
    const toward = m.higher === "positive" ? 1 : -1;
    let found = 0;
    while (found + 1 < m.threshold.length && toward * read(m.threshold[found + 1]) >= toward * t) found++;
    return found;
  }

  // ---- the state as the part of the address after # ----
  function written() {
    const t = model().threshold[state.cut];
    const parts = { model: state.model, t: t === null ? "none" : t, by: state.limit === null ? state.by : `${state.by}:${state.limit}` };
    for (const name of ["fp", "fn", "prev"]) if (state[name] !== null) parts[name] = state[name];
    if (state.sure) parts.sure = 1;
    return "#" + Object.entries(parts).map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&");
  }
  function parsed(hash) {
    if (!/^#model=/.test(hash)) return null;
    const given = new URLSearchParams(hash.slice(1));
    const number = (name, low, high) => { const x = Number(given.get(name)); return given.has(name) && given.get(name) !== "" && x >= low && x <= high ? x : null; };
    const place = number("model", 0, data.models.length - 1);
    const next = start(Number.isInteger(place) ? place : data.first);
    const [kind, text] = (given.get("by") ?? "hand").split(":"), limit = Number(text);
    const t = given.get("t");
    if (kind === "fpr" || kind === "recall") { if (text && limit >= 0 && limit <= 1) { next.by = kind; next.limit = limit; } }
    else if (Object.hasOwn(criteria, kind)) next.by = start(next.model).by === "youden" && kind === "rule" ? "youden" : kind;
    else if (t === "none" || (t !== null && t !== "" && !Number.isNaN(read(t)))) {
      next.by = "hand";
      next.cut = t === "none" ? 0 : reached(data.models[next.model], read(t));
    }
    next.fp = number("fp", 0, 1e12);
    next.fn = number("fn", 0, 1e12);
    const prev = number("prev", 0, 1);
    if (prev > 0 && prev < 1) next.prev = prev;
    next.sure = data.confidence !== null && given.get("sure") === "1";
    return next;
  }

  // ---- figures ----
  const marks = {
    roc: (m, k, r) => [r.fpr, r.recall],
    pr: (m, k, r) => [r.recall, read(m.precision[k])],
    det: (m, k, r) => [r.fpr, 1 - r.recall],
    distribution: (m, k) => [read(m.threshold[k])],
    thresholds: (m, k) => [read(m.threshold[k])],
    decision: (m, k, r, c) => [c.fp + c.fn > 0 ? c.fp / (c.fp + c.fn) : NaN],
    cost: (m, k, r, c) => {
      const up = prevalence() * c.fn, x = up / (up + (1 - prevalence()) * c.fp);
      return [x, (1 - r.recall) * x + r.fpr * (1 - x)];
    },
  };
  figures.marks((v) => {
    const m = model(), off = !visible(m.place) && v.kind !== "decision";
    if (!marks[v.kind] || off || (v.place !== null && v.place !== m.place)) return [NaN];
    return marks[v.kind](m, state.cut, reading(m, state.cut), costs());
  });
  figures.picks((place, k) => change({ model: place, cut: k, by: "hand", limit: null }));
  const small = ["roc", "pr", "distribution", "decision"].flatMap((kind) => Object.keys(data.figures)
    .filter((id) => data.figures[id].key.split(":")[0] === kind && by(id)).map((id) => figures.twin(id, by("ex-figures"))));

  // ---- groups: one threshold for all, or one for each ----
  const cumulated = (steps) => { let sum = 0; return [0, ...steps.map((step) => (sum += step))]; };
  const groupsOf = (m) => { m.summed ??= m.groups.map(({ column, groups }) => ({ column, groups: groups.map((g) => ({ ...g, tp: cumulated(g.tp), fp: cumulated(g.fp) })) })); return m.summed; };
  const columns = [...new Set(data.models.flatMap((m) => m.groups.map((g) => g.column)))];
  const choice = by("ex-column");
  columns.forEach((column) => choice.append(made("option", { value: column }, column)));
  choice.parentElement.hidden = columns.length < 2;
  choice.addEventListener("change", () => schedule());
  function policies(m, k) {
    const found = groupsOf(m).find((g) => g.column === choice.value);
    by("ex-policies").hidden = !found || k === 0;
    if (!found || k === 0) return;
    const up = prevalence() / m.positives, down = (1 - prevalence()) / m.negatives;  // what one row of each class counts for
    const r = reading(m, k), sums = [0, 1, 2, 3].map(() => ({ tp: 0, fp: 0 }));
    const rows = found.groups.map((g) => {
      const size = up * g.positives + down * g.negatives, flagged = (c) => up * g.tp[c] + down * g.fp[c];
      const both = g.positives > 0 && g.negatives > 0;
      const cuts = [k, reaching(g.tp, g.positives, r.recall), highest(g.tp, (c) => g.fp[c], g.negatives, r.fpr)[0], highest(g.tp, flagged, size, r.alarms)[0]];
      const cells = cuts.map((cut, p) => {
        const keeps = p > 0 && (!both || cut < 1), at = keeps ? k : cut;
        sums[p].tp += g.tp[at];
        sums[p].fp += g.fp[at];
        const share = (part, whole) => (whole ? numbers.share(part / whole) : numbers.share(null));
        const said = say("policy_rates", { recall: share(g.tp[at], g.positives), fpr: share(g.fp[at], g.negatives), flagged: share(flagged(at), size) });
        return made("td", {}, made("span", { class: "value" }, shown(m, at)), made("small", {}, keeps ? `${said} (${words.policy_keeps})` : said));
      });
      return made("tr", {}, made("th", { scope: "row" }, made("bdi", {}, g.name)), ...cells);
    });
    by("ex-groups").replaceChildren(...rows);
    const line = by("ex-group-costs");
    const cost = (s) => numbers.cost(reading(m, k, s.tp / m.positives, s.fp / m.negatives).cost);
    line.replaceChildren(line.firstElementChild, ...sums.map((s) => made("td", {}, made("span", { class: "value" }, cost(s)))));
  }

  // ---- numbers and controls ----
  const put = (id, text) => { const e = by(id); if (e.textContent !== text) e.textContent = text; };
  const lines = new Map();
  function line(table, key, value, ends = "", sub = false, label = words[key]) {
    if (!lines.has(key)) {
      const th = made("th", { scope: "row" }), text = made("span"), small = made("small");
      const tr = made("tr", {}, th, made("td", {}, text, small));
      if (sub) tr.className = "sub";
      by(table).append(tr);
      lines.set(key, { tr, th, text, small });
    }
    const l = lines.get(key);
    l.tr.hidden = value === null;
    l.th.textContent = label;
    l.text.textContent = value ?? "";
    l.small.textContent = ends;
  }
  const width = (e) => { e.style.width = `${Math.max(2, e.value.length) + 3}ch`; };
  const set = (id, value) => { const e = by(id); if (e && document.activeElement !== e) { e.value = value; if (e.type === "number") width(e); } };
  const short = (x, digits = 6) => (Number.isFinite(x) ? Number(x.toPrecision(digits)) : "");
  let told = 0;
  function render() {
    const m = model(), k = state.cut, r = reading(m, k), c = costs(), n = m.threshold.length - 1;
    const fn = m.positives - m.tp[k], tn = m.negatives - m.fp[k], t = m.threshold[k];
    const here = prevalence() === shareOf(m);
    const cut = t === null ? words.none : say(m.higher === "positive" ? "positive" : "negative", { threshold: shown(m, k) });
    const later = k === m.rule ? m.expected : null;  // at the rule's choice the sentence says what cards and answers say
    const s = later ? reading(m, k, later.recall, later.fpr) : r, base = numbers.base_of([s.ppv, s.recall]), others = numbers.base_of([s.fpr]);
    const rest = s.alarms ? say(later ? "alarms_new" : "alarms", { base: numbers.count(base), ppv: numbers.of(s.ppv, base),
      recall: numbers.of(s.recall, base), base_negatives: numbers.count(others), fpr: numbers.of(s.fpr, others) }) : words.no_alarms;
    clearTimeout(told);  // a reader's program is told once the hand rests
    const sentence = cut + words.space + rest;
    by("ex-say").setAttribute("aria-live", "off");
    put("ex-say", sentence);
    told = setTimeout(() => { by("ex-say").setAttribute("aria-live", "polite"); put("ex-say", ""); put("ex-say", sentence); }, 600);
    put("ex-note", note);
    by("ex-note").hidden = !note;

    const parts = [r.hits, r.missed, r.wrong, r.passed], whole = numbers.base_of([...parts, r.alarms]), cases = numbers.count(whole);
    for (const [id, count, share] of [["tp", m.tp[k], r.hits], ["fn", fn, r.missed], ["fp", m.fp[k], r.wrong], ["tn", tn, r.passed]]) {
      put(id === "tp" || id === "tn" ? `ex-${id}` : `ex-${id}-count`, data.shares ? numbers.share(count / (m.positives + m.negatives)) : numbers.count(count));
      put(`ex-${id}-cases`, say("of_cases", { count: numbers.of(share, whole), cases }));
    }
    const flagged = m.tp[k] + m.fp[k], passed = fn + tn;
    line("ex-rates", "recall", numbers.share(r.recall), wilson(m.tp[k], m.positives));
    line("ex-rates", "specificity", numbers.share(1 - r.fpr), wilson(tn, m.negatives));
    line("ex-rates", "fpr", numbers.share(r.fpr), wilson(m.fp[k], m.negatives));
    line("ex-rates", "ppv", numbers.share(here && flagged ? m.precision[k] : r.ppv), here ? wilson(m.tp[k], flagged) : "");
    line("ex-rates", "ppv_here", here ? null : numbers.share(m.precision[k]), wilson(m.tp[k], flagged), true);
    line("ex-rates", "npv", numbers.share(here && passed ? tn / passed : r.npv), here ? wilson(tn, passed) : "");
    for (const [key, share, sub] of [["alarms_in", r.alarms, false], ["right_in", r.hits, true], ["missed_in", r.missed, false]]) {
      line("ex-alarms", key, numbers.of(share, whole), "", sub, say(key, { cases }));
    }
    line("ex-costs", "cost", numbers.cost(r.cost));
    line("ex-costs", "cost_best", numbers.cost(reading(m, criteria.cheapest(m)[0]).cost), "", true);
    line("ex-costs", "cost_none", numbers.cost(reading(m, 0).cost), "", true);
    line("ex-costs", "cost_all", numbers.cost(reading(m, n).cost), "", true);
    const benefit = r.hits - (r.wrong * c.fp) / c.fn;
    line("ex-costs", "benefit", c.fn > 0 ? numbers.cost(Math.abs(benefit) < 1e-12 ? 0 : benefit) : null);  // floats of equal costs differ in the last digit

    for (const [id, kind] of [["rule", "rule"], ["youden", "youden"], ["cheapest", "cheapest"], ["find-fpr", "fpr"], ["find-recall", "recall"]]) {
      by(`ex-${id}`).setAttribute("aria-pressed", String(state.by === kind));
    }
    by("ex-rule").disabled = m.rule === null;
    by("ex-sure").checked = state.sure;
    const slider = by("ex-t"), higher = m.higher === "positive";
    slider.max = n;
    slider.value = higher ? n - k : k;
    put("ex-left", higher ? moreText : fewerText);
    put("ex-right", higher ? fewerText : moreText);
    slider.setAttribute("aria-valuetext", say("valuetext", { threshold: shown(m, k), recall: numbers.share(r.recall), fpr: numbers.share(r.fpr) }));
    set("ex-t-number", t === null ? "" : short(read(t), parseInt(m.digits[k], 36)));
    const exact = by("ex-t-copy");
    exact.hidden = t === null || !navigator.clipboard;
    exact.title = say("exact", { threshold: t });
    set("ex-fp", short(c.fp));
    set("ex-fn", short(c.fn));
    if (state.by === "fpr") set("ex-at-most", short(100 * state.limit, 12));
    if (state.by === "recall") set("ex-at-least", short(100 * state.limit, 12));
    const ratio = c.fn / c.fp;
    put("ex-ratio-shown", numbers.cost(ratio));
    if (ratio > 0 && ratio < Infinity) set("ex-ratio", Math.round(100 * Math.log10(ratio)));
    by("ex-ratio").setAttribute("aria-valuetext", say("ratio_text", { ratio: numbers.cost(ratio) }));
    by("ex-implied").hidden = touched() || data.costs !== null;
    set("ex-prev-number", short(100 * prevalence(), 4));
    set("ex-prev", Math.round(100 * Math.log(prevalence() / (1 - prevalence()))));
    by("ex-prev").setAttribute("aria-valuetext", numbers.share(prevalence()));
    set("ex-model", state.model);
    small.forEach(({ figure, view }) => { figure.hidden = view !== null && view.place !== null && view.place !== m.place; });
    policies(m, k);
    const hash = written();
    by("ex-link").setAttribute("href", hash);
    clearTimeout(address);
    if (moved) address = setTimeout(() => { try { history.replaceState(null, "", hash); } catch { location.replace(hash); } }, 300);
    figures.redraw();
  }
  const moreText = by("ex-left").textContent, fewerText = by("ex-right").textContent;
  let address = 0, moved = false, waiting = false;
  function schedule() { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; render(); }); } }
  watching.push(schedule);

  panel.addEventListener("input", (event) => { if (event.target.type === "number") width(event.target); });  // nothing is cut while it is typed
  const typed = (id, low, high, take) => by(id).addEventListener("change", (event) => {
    const x = event.target.valueAsNumber;
    if (Number.isFinite(x) && x >= low && x <= high) take(x); else change({}, words.bad);
  });
  by("ex-t").addEventListener("input", (event) => {
    const m = model(), v = Number(event.target.value);
    change({ cut: m.higher === "positive" ? m.threshold.length - 1 - v : v, by: "hand", limit: null });
  });
  typed("ex-t-number", -Infinity, Infinity, (x) => {
    const m = model(), cut = reached(m, x), t = m.threshold[cut];
    const met = t !== null && read(t) === x;
    change({ cut, by: "hand", limit: null }, m.thinned && !met ? say("between", { threshold: shown(m, cut) }) : "");
  });
  by("ex-t-number").addEventListener("focus", (event) => {  // exact, for those who copy it from here
    const t = model().threshold[state.cut];
    if (t !== null && Number.isFinite(read(t))) { event.target.value = t; width(event.target); event.target.select(); }
  });
  by("ex-t-number").addEventListener("blur", () => schedule());
  by("ex-t-copy").addEventListener("click", () => copyText(String(model().threshold[state.cut])).then(tell, () => {}));
  typed("ex-fp", 0, 1e12, (fp) => change({ fp, fn: costs().fn }));
  typed("ex-fn", 0, 1e12, (fn) => change({ fn, fp: costs().fp }));
  by("ex-ratio").addEventListener("input", (event) => {
    const fp = costs().fp > 0 ? costs().fp : 1;
    change({ fp, fn: Number((fp * 10 ** (Number(event.target.value) / 100)).toPrecision(3)) });
  });
  typed("ex-prev-number", 0, 100, (x) => (x > 0 && x < 100 ? change({ prev: x / 100 }) : change({}, words.bad)));
  by("ex-prev").addEventListener("input", (event) => {
    change({ prev: Number((1 / (1 + Math.exp(-Number(event.target.value) / 100))).toPrecision(3)) });
  });
  by("ex-model")?.addEventListener("change", (event) => change({ model: Number(event.target.value) }));
  by("ex-rule").hidden = data.models.every((m) => m.rule === null);
  for (const kind of ["rule", "youden", "cheapest"]) by(`ex-${kind}`).addEventListener("click", () => change({ by: kind, limit: null }));
  for (const [field, button, kind] of [["ex-at-most", "ex-find-fpr", "fpr"], ["ex-at-least", "ex-find-recall", "recall"]]) {
    const input = by(field);
    const limit = () => { const x = input.valueAsNumber; return x >= 0 && x <= 100 ? x / 100 : null; };
    const find = () => (limit() === null ? change({}, words.bad) : change({ by: kind, limit: limit() }));
    width(input);
    by(button).addEventListener("click", find);
    input.addEventListener("input", () => { if (limit() !== null) find(); });
    input.addEventListener("change", find);
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") find(); });
  }
  by("ex-sure-label").hidden = data.confidence === null;
  by("ex-sure").addEventListener("change", (event) => change({ sure: event.target.checked }));
  by("ex-reset").addEventListener("click", () => change(start(state.model)));
  const tell = () => { put("ex-copied", words.copied); setTimeout(() => put("ex-copied", ""), 2000); };
  const copy = by("ex-copy");
  copy.hidden = !navigator.clipboard;
  copy.addEventListener("click", () => copyText(location.href.split("#")[0] + written()).then(tell, () => {}));
  const fromAddress = () => {
    const given = parsed(location.hash);
    if (!given) return;
    state = given;
    settle();
    schedule();
    by("explorer").scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", fromAddress);
  settle();
  fromAddress();
  render();
})();

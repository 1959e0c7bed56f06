/* Where a threshold lies in a figure: read-outs under the pointer, zoom by a rectangle, one mark that moves. */
(() => {
  "use strict";
  const { data, words, numbers, say, by, all, made, drawn, visible } = window.curvewise;
  const { px, py, inside, value, ticks } = window.curvewiseCharts;

  // ---- curves of models as they are drawn: straight lines, in the PR plot bent by the counts ----
  const kinds = {
    roc: { at: (m, t, f) => [f / m.negatives, t / m.positives], x: "fpr", y: "recall" },
    pr: { at: (m, t, f) => [t / m.positives, t / (t + f)], x: "recall", y: "precision", steps: 60 },
    det: { at: (m, t, f) => [f / m.negatives, 1 - t / m.positives], x: "fpr", y: "miss_rate" },
  };
  const LEAST = 1e-6;  // where a rate of 0 goes on an axis that has no 0
  const kept = (x, scale) => (scale === "linear" ? x : Math.min(Math.max(x, LEAST), 1 - LEAST));
  function curve(kind, m, f) {
    const { at, steps } = kinds[kind], found = { x: [], y: [], k: [] };
    const put = (t, n, k) => {
      const [x, y] = at(m, t, n);
      if (!Number.isFinite(x + y)) return;
      found.x.push(px(f, kept(x, f.xscale)));
      found.y.push(py(f, kept(y, f.yscale)));
      found.k.push(k);
    };
    if (kind !== "pr") put(0, 0, 0);
    else if (m.tp.length > 1) {  // up to the first threshold precision stays
      found.x.push(px(f, kept(0, f.xscale)));
      found.y.push(py(f, kept(m.precision[1], f.yscale)));
      found.k.push(1);
    }
    for (let k = 1; k < m.tp.length; k++) {
      const pieces = steps && k > 1 ? Math.max(1, Math.ceil((steps * (m.tp[k] - m.tp[k - 1])) / m.positives)) : 1;
      for (let p = 1; p <= pieces; p++) {
        const share = p / pieces;
        put(m.tp[k - 1] + share * (m.tp[k] - m.tp[k - 1]), m.fp[k - 1] + share * (m.fp[k] - m.fp[k - 1]), share < 0.5 ? k - 1 : k);
      }
    }
    return found;
  }
  function nearest(c, x, y) {  // the nearest place on a line, and the threshold at the nearer of its ends
    let least = Infinity, found = 0;
    for (let i = 1; i < c.x.length || i === 1; i++) {
      const x0 = c.x[i - 1], y0 = c.y[i - 1], dx = (c.x[i] ?? x0) - x0, dy = (c.y[i] ?? y0) - y0;
      const long = dx * dx + dy * dy;
      const share = long ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / long)) : 0;
      const away = Math.hypot(x0 + share * dx - x, y0 + share * dy - y);
      if (away < least) { least = away; found = share < 0.5 ? i - 1 : Math.min(i, c.x.length - 1); }
    }
    return { away: least, k: Math.max(1, c.k[found]) };
  }

  // ---- a view: a figure, or its smaller twin in the explorer ----
  const views = [];
  let pick = () => {};
  const lineOf = (view, place) => document.querySelector(`#${view.id.replace(/^fig-/, "")}-model-${place}-line path`);
  function view(svg, id) {
    const { key, frames } = data.figures[id];
    if (!frames.length) return null;
    const [name, place] = key.split(":"), kind = name.replace(/_log$/, "");  // the same curve on another scale
    const host = svg.parentElement;
    const live = drawn("svg", { class: "live", viewBox: svg.getAttribute("viewBox"), "aria-hidden": "true" });
    svg.after(live);  // over the figure, so that the figure is not painted again
    const whose = place === undefined ? null : Number(place);
    const v = { svg, host, live, id, kind, place: whose, home: frames[0], frame: frames[0], curves: new Map(), shown: "", zoom: null };
    views.push(v);
    if (kinds[kind] && data.models.length) point(v);
    return v;
  }
  const curveOf = (v, m) => {
    if (!v.curves.has(m.place)) v.curves.set(m.place, curve(v.kind, m, v.frame));
    return v.curves.get(m.place);
  };

  // ---- read-outs under the pointer; a click takes model and threshold, a rectangle zooms ----
  function point(v) {
    const { svg, host, live } = v;
    const name = made("b"), text = made("span"), tip = made("div", { class: "tip", "aria-hidden": "true" }, name, text);
    const spot = drawn("circle", { class: "spot", r: 3 });
    tip.hidden = true;
    host.append(tip);
    svg.classList.add("touch");
    let start = null, box = null, dragged = false;
    const spotOf = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const find = (at) => {
      if (!inside(v.frame, at.x, at.y)) return null;
      let best = null;
      for (const m of data.models) if (visible(m.place) && (v.place === null || v.place === m.place)) {
        const c = curveOf(v, m);
        if (!c.x.length) continue;
        const here = nearest(c, at.x, at.y);
        if (!best || here.away < best.away) best = { ...here, m };
      }
      return best;
    };
    const hide = () => { tip.hidden = true; spot.remove(); };
    const show = (event) => {
      const found = find(spotOf(event));
      if (!found) return hide();
      const { m, k } = found, line = lineOf(v, m.place);
      const [x, y] = kinds[v.kind].at(m, m.tp[k], m.fp[k]);
      spot.setAttribute("cx", px(v.frame, kept(x, v.frame.xscale)).toFixed(2));
      spot.setAttribute("cy", py(v.frame, kept(y, v.frame.yscale)).toFixed(2));
      const colour = line ? getComputedStyle(line).stroke : "";
      spot.style.fill = colour;
      name.style.color = colour;
      live.append(spot);
      name.textContent = m.name;
      name.hidden = data.models.length < 2;
      text.textContent = say("hover", { threshold: numbers.amount(m.threshold[k], parseInt(m.digits[k], 36)), recall: numbers.share(m.recall[k]),
        fpr: numbers.share(m.fpr[k]), precision: numbers.share(m.precision[k]) });
      tip.hidden = false;
      const frame = host.getBoundingClientRect(), room = document.documentElement.clientWidth;
      const left = Math.min(event.clientX + 12, room - tip.offsetWidth - 4), below = event.clientY + 16;
      const top = below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : below;
      tip.style.left = `${Math.max(left, 4) - frame.left}px`;
      tip.style.top = `${top - frame.top}px`;
    };
    const stop = () => { box?.remove(); box = null; start = null; };
    svg.addEventListener("pointerdown", (event) => {
      dragged = false;
      const at = spotOf(event);
      if (event.pointerType === "mouse" && event.button === 0 && inside(v.frame, at.x, at.y)) start = at;
    });
    svg.addEventListener("pointermove", (event) => {
      const at = spotOf(event), f = v.frame;
      if (start && (box || Math.hypot(at.x - start.x, at.y - start.y) > 4)) {
        if (!box) { box = drawn("rect", { class: "brush" }); live.append(box); svg.setPointerCapture(event.pointerId); hide(); }
        dragged = true;
        const x = Math.min(Math.max(at.x, f.left), f.left + f.width), y = Math.min(Math.max(at.y, f.top), f.top + f.height);
        const sides = { x: Math.min(x, start.x), y: Math.min(y, start.y), width: Math.abs(x - start.x), height: Math.abs(y - start.y) };
        Object.entries(sides).forEach(([side, length]) => box.setAttribute(side, length.toFixed(2)));
        return;
      }
      show(event);
    });
    svg.addEventListener("pointerup", () => {
      if (box) {
        const [x, y, width, height] = ["x", "y", "width", "height"].map((side) => Number(box.getAttribute(side)));
        if (width > 6 && height > 6) zoomTo(v, x, y, width, height);
      }
      stop();
    });
    svg.addEventListener("pointercancel", stop);
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("dblclick", () => unzoom(v));
    svg.addEventListener("click", (event) => {
      if (dragged) return;
      const found = find(spotOf(event));
      if (found) pick(found.m.place, found.k);
    });
  }

  // ---- zoom: the curves drawn anew, from their counts, in the limits of the rectangle ----
  function zoomTo(v, x, y, width, height) {
    const f = v.frame;
    const part = (at, start, length, limits, scale) => value((at - start) / length, limits, scale);
    const xlim = [part(x, f.left, f.width, f.xlim, f.xscale), part(x + width, f.left, f.width, f.xlim, f.xscale)];
    const up = f.top + f.height;
    const ylim = [value((up - y - height) / f.height, f.ylim, f.yscale), value((up - y) / f.height, f.ylim, f.yscale)];
    if (xlim[1] - xlim[0] < 1e-5 || ylim[1] - ylim[0] < 1e-5) return;
    frame(v, { ...f, xlim, ylim });
  }
  const unzoom = (v) => { if (v.zoom) frame(v, v.home); };
  function frame(v, next) {
    v.frame = next;
    v.curves.clear();
    v.zoom?.remove();
    v.zoom = null;
    v.reset?.remove();
    if (next !== v.home) {
      v.zoom = enlarged(v);
      v.svg.after(v.zoom);
      v.reset = made("button", { type: "button", class: "unzoom" }, words.unzoom);
      v.reset.addEventListener("click", () => unzoom(v));
      v.host.append(v.reset);
    }
    v.shown = null;
    redraw();
  }
  function enlarged(v) {
    const f = v.frame, [, , wide, high] = v.svg.getAttribute("viewBox").split(/\s+/).map(Number), foot = f.top + f.height;
    const g = drawn("svg", { class: "zoom", viewBox: v.svg.getAttribute("viewBox"), "aria-hidden": "true" });
    const text = (at, said) => { const t = drawn("text", at); t.textContent = said; g.append(t); };
    g.append(drawn("rect", { class: "paper", x: 0, y: f.top - 4, width: wide, height: high - f.top + 4 }));
    const decimals = (list) => Math.max(...list.map((t) => (String(t).split(".")[1] || "").length), 0);
    const xs = ticks(f.xlim, f.xscale, f.width), ys = ticks(f.ylim, f.yscale, f.height);
    for (const t of xs) {
      const x = px(f, t).toFixed(2);
      g.append(drawn("line", { class: "rule", x1: x, x2: x, y1: f.top, y2: foot }));
      text({ x, y: foot + 10, "text-anchor": "middle" }, t.toFixed(f.xscale === "linear" ? decimals(xs) : decimals([t])));
    }
    for (const t of ys) {
      const y = py(f, t).toFixed(2);
      g.append(drawn("line", { class: "rule", y1: y, y2: y, x1: f.left, x2: f.left + f.width }));
      text({ x: f.left - 4, y: Number(y) + 2.8, "text-anchor": "end" }, t.toFixed(f.yscale === "linear" ? decimals(ys) : decimals([t])));
    }
    text({ x: f.left + f.width / 2, y: foot + 20, "text-anchor": "middle" }, words[kinds[v.kind].x]);
    text({ transform: `translate(8 ${f.top + f.height / 2}) rotate(-90)`, "text-anchor": "middle" }, words[kinds[v.kind].y]);
    const window = drawn("svg", { x: f.left, y: f.top, width: f.width, height: f.height, viewBox: `${f.left} ${f.top} ${f.width} ${f.height}` });
    for (const m of data.models) {
      const c = curveOf(v, m), line = drawn("polyline", { points: c.x.map((x, i) => `${x.toFixed(1)},${c.y[i].toFixed(1)}`).join(" ") });
      line.setAttribute("class", `${lineOf(v, m.place)?.getAttribute("class") ?? ""} model-${m.place}${visible(m.place) ? "" : " off"}`);
      window.append(line);
    }
    g.append(window, drawn("path", { class: "axis", d: `M${f.left} ${f.top}V${foot}H${f.left + f.width}` }));
    return g;
  }

  // ---- marks: x alone is a line, x and y a point ----
  let markOf = () => [NaN];
  function redraw() {
    for (const v of views) {
      const [x, y] = markOf(v);
      const f = v.frame, left = px(f, x), top = y === undefined ? f.top : py(f, y);
      const shows = Number.isFinite(left) && Number.isFinite(top) && inside(f, left, top);
      const shown = shows ? `${left},${top}` : "";
      if (shown === v.shown) continue;
      v.shown = shown;
      all(".mark", v.live).forEach((old) => old.remove());
      if (!shows) continue;
      const places = y === undefined ? { x1: left, x2: left, y1: f.top, y2: f.top + f.height } : { cx: left, cy: top, r: 3.6 };
      const mark = drawn(y === undefined ? "line" : "circle", { class: "mark" });
      Object.entries(places).forEach(([side, at]) => mark.setAttribute(side, at.toFixed(2)));
      v.live.prepend(mark);
    }
  }

  all("svg.figure").forEach((svg) => { if (data.figures[svg.id]) view(svg, svg.id); });

  function twin(id, into) {  // a figure once more, in the explorer
    const origin = by(id);
    const title = made("b", { id: `${id}-mini` }, by(`${id}-title`).textContent);
    const svg = drawn("svg", { viewBox: origin.getAttribute("viewBox"), role: "img", "aria-labelledby": title.id });
    svg.append(drawn("use", { href: `#${id}-body` }));
    const figure = made("figure", { class: "mini" }, made("figcaption", {}, title), made("div", { class: "canvas" }, svg));
    into.append(figure);
    return { figure, view: view(svg, id) };
  }
  window.curvewiseFigures = Object.freeze({ twin, redraw, marks: (of) => { markOf = of; }, picks: (take) => { pick = take; } });
})();

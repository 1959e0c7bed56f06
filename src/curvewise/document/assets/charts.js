/* Axes of figures, and charts that a script draws itself: one unit is one pixel, so that text has its size. */
(() => {
  "use strict";
  const { numbers, drawn } = window.curvewise;

  // ---- axes ----
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
  const logit = (p) => Math.log(p / (1 - p));
  const scales = { linear: (x) => x, log: Math.log10, logit, probit };
  const scaled = (name) => scales[name] || scales.linear;
  const along = (x, limits, scale, start, length) => {
    const s = scaled(scale), at = scale === "logit" ? Math.min(Math.max(x, limits[0]), limits[1]) : x;  // 0 and 1 lie at its edges
    return start + (length * (s(at) - s(limits[0]))) / (s(limits[1]) - s(limits[0]));
  };
  const px = (f, x) => along(x, f.xlim, f.xscale, f.left, f.width);
  const py = (f, y) => along(y, f.ylim, f.yscale, f.top + f.height, -f.height);
  const inside = (f, x, y) => x >= f.left - 0.5 && x <= f.left + f.width + 0.5 && y >= f.top - 0.5 && y <= f.top + f.height + 0.5;
  const value = (share, limits, scale) => {  // the value at a share of an axis: scales rise, so by halving
    const s = scaled(scale), wanted = s(limits[0]) + share * (s(limits[1]) - s(limits[0]));
    let [low, high] = limits;
    for (let k = 0; k < 60; k++) { const middle = (low + high) / 2; if (s(middle) < wanted) low = middle; else high = middle; }
    return (low + high) / 2;
  };
  const even = (low, high, parts = 5) => {
    const rough = (high - low) / parts || 1, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((s) => s * power >= rough);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(Number((k * step).toPrecision(12)));
    return found;
  };
  const ROUND = [1, 2, 5].flatMap((d) => [1, 2, 3, 4, 5, 6].map((p) => d / 10 ** p)).sort((x, y) => x - y);
  const UNEVEN = [...ROUND, ...ROUND.map((x) => 1 - x).reverse()].filter((x, k, list) => list.indexOf(x) === k);
  const ticks = (limits, scale, length) => {
    const [low, high] = limits;
    if (scale === "linear" || !scales[scale]) return even(low, high);
    const found = [];
    let last = -Infinity;
    for (const x of UNEVEN) {
      const at = along(x, limits, scale, 0, length);
      if (x >= low && x <= high && at - last > 24) { found.push(x); last = at; }
    }
    return found.length > 1 ? found : even(low, high);
  };

  // ---- charts ----
  const LEFT = 44, TOP = 8, RIGHT = 10, BELOW = 36;  // pixels around the axes
  function frame(svg, ratio = 0.85, most = 300) {  // as wide as there is room
    const across = Math.max(svg.clientWidth, 140), high = Math.round(Math.min(ratio * across, most));
    svg.setAttribute("viewBox", `0 0 ${across} ${high}`);
    return { left: LEFT, top: TOP, width: across - LEFT - RIGHT, height: high - TOP - BELOW, xscale: "linear", yscale: "linear" };
  }
  const text = (attributes, said) => { const t = drawn("text", attributes); t.textContent = said; return t; };
  function axes(f, x, y) {  // each with its label and, if they are not even, its ticks
    const foot = f.top + f.height, right = f.left + f.width, parts = [];
    for (const t of y.ticks ?? even(...f.ylim, Math.min(5, Math.max(2, Math.floor(f.height / 24))))) {
      const top = py(f, t).toFixed(1);
      parts.push(drawn("line", { class: "rule", x1: f.left, x2: right, y1: top, y2: top }),
        text({ x: f.left - 5, y: Number(top) + 3.5, "text-anchor": "end" }, numbers.amount(t, 4)));
    }
    for (const t of x.ticks ?? even(...f.xlim, Math.min(5, Math.max(2, Math.floor(f.width / 32))))) {
      const left = px(f, t).toFixed(1);
      parts.push(drawn("line", { class: "rule", x1: left, x2: left, y1: f.top, y2: foot }),
        text({ x: left, y: foot + 14, "text-anchor": "middle" }, numbers.amount(t, 4)));
    }
    parts.push(text({ x: f.left + f.width / 2, y: foot + 30, "text-anchor": "middle" }, x.label),
      text({ transform: `translate(11 ${f.top + f.height / 2}) rotate(-90)`, "text-anchor": "middle" }, y.label),
      drawn("path", { class: "axis", d: `M${f.left} ${f.top}V${foot}H${right}` }));
    return parts;
  }
  const path = (points) => (points.length ? `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : "");
  function drag(svg, take) {  // from where a pointer goes down until it is lifted
    const pull = (event) => take(new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()), event);
    svg.addEventListener("pointerdown", (event) => { if (event.button === 0) { svg.setPointerCapture(event.pointerId); pull(event); } });
    svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) pull(event); });
  }
  window.curvewiseCharts = Object.freeze({ probit, px, py, inside, value, even, ticks, frame, axes, path, drag });
})();

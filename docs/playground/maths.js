/* What the ideas compute: normal distributions, areas of rows and of formulas, variances, random numbers from a seed. */
(() => {
  "use strict";
  const { probit } = window.curvewiseCharts;

  // ---- the normal distribution, to the last digits: numbers are compared with Python's ----
  const ROOT = Math.sqrt(2 * Math.PI);
  const density = (x) => Math.exp(-x * x / 2) / ROOT;
  function tail(x) {  // P(Z > x) for x > 3: a continued fraction
    let f = x;
    for (let k = 60; k > 0; k--) f = x + k / f;
    return density(x) / f;
  }
  function normal(x) {  // P(Z < x); the series of Marsaglia (2004) J. Stat. Software 11(4) between the tails
    if (x < -3) return tail(-x);
    if (x > 3) return 1 - tail(x);
    let sum = x, term = x, before = NaN;
    for (let k = 3; sum !== before; k += 2) { before = sum; term *= (x * x) / k; sum += term; }
    return 0.5 + sum * density(x);
  }
  function quantile(p) {  // the approximation of the axes, and one step of Newton's
    const z = probit(p);
    return Number.isFinite(z) ? z - (normal(z) - p) / density(z) : z;
  }
  const across = (low, high, n) => Array.from({ length: n + 1 }, (_, k) => low + ((high - low) * k) / n);
  function integral(f, low, high, steps = 600) {  // Simpson's rule
    if (!(high > low)) return 0;
    const h = (high - low) / steps;
    let sum = f(low) + f(high);
    for (let k = 1; k < steps; k++) sum += (k % 2 ? 4 : 2) * f(low + k * h);
    return (sum * h) / 3;
  }

  // ---- the binormal curve: TPR = Φ(a + b·Φ⁻¹(FPR)) ----
  const FAR = 8.5;  // deviates; FPR 1e-17
  const binormal = (a, b) => ({
    a, b,
    auc: normal(a / Math.hypot(1, b)),
    tpr: (fpr) => normal(a + b * quantile(fpr)),
    partial: (low, high) => integral((z) => normal(a + b * z) * density(z), Math.max(quantile(low), -FAR), Math.min(quantile(high), FAR)),
  });
  function scaled(area, low, high) {  // a partial area on every scale of cw.partial_roc_auc
    const most = high - low, chance = (high * high - low * low) / 2, skill = (area - chance) / (most - chance);
    return { raw: area, mean: area / most, mcclish: (1 + skill) / 2, skill };
  }

  // ---- rows ----
  function sweep(y, score) {  // the unique scores in falling order, and the counts at or above each
    const order = score.map((_, k) => k).sort((i, j) => score[j] - score[i]);
    const s = { threshold: [], tp: [], fp: [], positives: 0, negatives: 0 };
    order.forEach((row, k) => {
      if (y[row]) s.positives++; else s.negatives++;
      if (k + 1 < order.length && score[order[k + 1]] === score[row]) return;
      s.threshold.push(score[row]);
      s.tp.push(s.positives);
      s.fp.push(s.negatives);
    });
    return s;
  }
  const blocks = (s) => s.tp.map((tp, k) => ({ hits: s.tp[k - 1] ?? 0, alarms: s.fp[k - 1] ?? 0, p: tp - (s.tp[k - 1] ?? 0), q: s.fp[k] - (s.fp[k - 1] ?? 0) }));
  const TIES = { block: 0.5, expected: 0.5, optimistic: 1, pessimistic: 0 };  // what a tied pair counts in the AUC
  const auc = (s, ties = "block") => blocks(s).reduce((sum, b) => sum + b.q * (b.hits + TIES[ties] * b.p), 0) / (s.positives * s.negatives);
  const sum = (n, f) => { let total = 0; for (let i = 1; i <= n; i++) total += f(i); return total; };
  const gained = {  // what a block adds to average precision, over all positives
    block: ({ hits, alarms, p, q }) => (p * (hits + p)) / (hits + p + alarms + q),
    optimistic: ({ hits, alarms, p }) => sum(p, (i) => (hits + i) / (hits + alarms + i)),
    pessimistic: ({ hits, alarms, p, q }) => sum(p, (i) => (hits + i) / (hits + alarms + q + i)),
    expected: ({ hits, alarms, p, q }) => (p / (p + q)) * sum(p + q, (i) => (hits + 1 + (i > 1 ? ((i - 1) * (p - 1)) / (p + q - 1) : 0)) / (hits + alarms + i)),
  };
  const averagePrecision = (s, ties = "block") => blocks(s).reduce((total, b) => total + (b.p ? gained[ties](b) : 0), 0) / s.positives;

  // ---- the AUC of a study and its two intervals ----
  const Z = 1.959963984540054;  // of 95%
  function placements(s) {  // AUC, and DeLong's variance of it
    const P = s.positives, N = s.negatives, value = auc(s);
    let up = 0, down = 0;
    for (const b of blocks(s)) {
      up += b.p * ((N - b.alarms - b.q / 2) / N - value) ** 2;
      down += b.q * ((b.hits + b.p / 2) / P - value) ** 2;
    }
    return { value, variance: up / (P * (P - 1)) + down / (N * (N - 1)) };
  }
  function wald(s) {  // the method "delong-wald"
    const { value, variance } = placements(s), reach = Z * Math.sqrt(variance);
    return { value, low: Math.max(value - reach, 0), high: Math.min(value + reach, 1) };
  }
  function random(seed) {  // a Weyl sequence, mixed (splitmix32)
    let state = seed >>> 0;
    return () => {
      state = (state + 0x9e3779b9) >>> 0;
      let x = state;
      x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
      x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
      return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
    };
  }
  function replicates(s, draw, count) {  // AUCs of rows drawn again within each class; scores without ties
    const isPositive = blocks(s).map((b) => b.p > 0), places = [[], []];
    isPositive.forEach((yes, k) => places[yes ? 1 : 0].push(k));
    const times = new Int32Array(isPositive.length), found = new Float64Array(count), pairs = s.positives * s.negatives;
    for (let r = 0; r < count; r++) {
      times.fill(0);
      for (const own of places) for (let k = 0; k < own.length; k++) times[own[Math.floor(draw() * own.length)]]++;
      let hits = 0, won = 0;
      for (let k = 0; k < times.length; k++) if (isPositive[k]) hits += times[k]; else won += times[k] * hits;
      found[r] = won / pairs;
    }
    return found.sort();
  }
  function quantileOf(sorted, share) {  // straight between two of them, as NumPy's
    const at = share * (sorted.length - 1), k = Math.floor(at);
    return k + 1 < sorted.length ? sorted[k] + (at - k) * (sorted[k + 1] - sorted[k]) : sorted[k];
  }
  function percentile(s, draw, count) {  // the method "percentile"
    const found = replicates(s, draw, count);
    return { value: auc(s), low: quantileOf(found, 0.025), high: quantileOf(found, 0.975) };
  }

  // ---- probabilities ----
  const mean = (values) => values.reduce((total, v) => total + v, 0) / values.length;
  const logit = (p) => Math.log(p / (1 - p)), expit = (x) => 1 / (1 + Math.exp(-x));
  const brier = (y, p) => mean(p.map((q, k) => (q - y[k]) ** 2));
  const logLoss = (y, p) => mean(p.map((q, k) => -Math.log(y[k] ? q : 1 - q)));
  function bins(y, p, count = 10) {  // of equal width: (k/10, (k + 1)/10], as the library's
    const found = Array.from({ length: count }, () => ({ n: 0, predicted: 0, observed: 0 }));
    p.forEach((q, k) => {
      const bin = found[Math.max(Math.ceil(q * count) - 1, 0)];
      bin.n++;
      bin.predicted += q;
      bin.observed += y[k];
    });
    return found.filter((b) => b.n).map((b) => ({ n: b.n, predicted: b.predicted / b.n, observed: b.observed / b.n }));
  }
  const ece = (y, p) => bins(y, p).reduce((total, b) => total + (b.n / p.length) * Math.abs(b.observed - b.predicted), 0);
  function slope(y, p) {  // a and b of logit P(y) = a + b·logit(p), by Newton's method
    const x = p.map(logit);
    let a = 0, b = 0;
    for (let step = 0; step < 50; step++) {
      let ga = 0, gb = 0, aa = 0, ab = 0, bb = 0;
      x.forEach((v, k) => {
        const q = expit(a + b * v), w = q * (1 - q), gap = y[k] - q;
        ga += gap; gb += gap * v; aa += w; ab += w * v; bb += w * v * v;
      });
      const size = aa * bb - ab * ab, da = (bb * ga - ab * gb) / size, db = (aa * gb - ab * ga) / size;
      a += da;
      b += db;
      if (Math.abs(da) + Math.abs(db) < 1e-13) break;
    }
    return { intercept: a, slope: b };
  }

  window.curvewiseMaths = Object.freeze({ across, density, normal, quantile, integral, binormal, scaled, sweep, auc, averagePrecision, TIES, placements, wald, random,
    replicates, quantileOf, percentile, logit, expit, mean, brier, logLoss, bins, ece, slope });
})();

/* What a page needs of a script: numbers, navigation, tabs, tables and figures to take away, print.
   Rounding is that of numbers.py, digit for digit. Without this script the page is complete. */
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const words = data.words;
  const by = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg";
  const made = (tag, attributes = {}, ...inner) => {
    const e = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => e.setAttribute(name, value));
    e.append(...inner);
    return e;
  };
  const drawn = (tag, attributes = {}) => {
    const e = document.createElementNS(SVG, tag);
    Object.entries(attributes).forEach(([name, value]) => e.setAttribute(name, value));
    return e;
  };

  // ---- numbers ----
  const BASES = [100, 1000, 10000, 100000];
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
    of: (value, base) => notFinite(read(value)) || grown(base * read(value), base * read(value) >= 10 ? 0 : 1, base).replace(/\.0$/, ""),
    base_of: (shares) => {
      const smallest = Math.min(1, ...shares.map(read).filter((x) => x > 0));
      return BASES.find((base) => base * smallest >= 1) ?? BASES.at(-1);
    },
    count: finite((x) => fixed(x, x === Math.floor(x) ? 0 : 1)),
    amount,
    cost: (x) => amount(x, 4),
  });
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  for (const m of data.models) {  // divisions as Python makes them
    m.recall = m.tp.map((tp) => tp / m.positives);
    m.fpr = m.fp.map((fp) => fp / m.negatives);
    m.precision = m.tp.map((tp, k) => (tp + m.fp[k] ? tp / (tp + m.fp[k]) : null));
  }

  document.documentElement.classList.add("script");

  // ---- print: folded parts stay folded unless their tables are asked for ----
  const tables = by("print-tables");
  let opened = [];
  all(".print-choice").forEach((e) => { e.hidden = false; });
  tables?.addEventListener("change", () => document.documentElement.classList.toggle("print-all", tables.checked));
  addEventListener("beforeprint", () => {
    opened = tables?.checked ? all("details:not([open])") : [];
    opened.forEach((d) => { d.open = true; });
  });
  addEventListener("afterprint", () => { opened.forEach((d) => { d.open = false; }); opened = []; });

  // ---- navigation ----
  const nav = document.querySelector("nav"), button = by("nav-button");
  const links = new Map(all("a[href^='#']", nav ?? document.body).map((a) => [a.hash.slice(1), a]));
  const fold = (open) => { nav.classList.toggle("open", open); button.setAttribute("aria-expanded", String(open)); };
  if (nav && button) {
    button.hidden = false;
    fold(false);
    button.addEventListener("click", () => fold(!nav.classList.contains("open")));
    links.forEach((a) => a.addEventListener("click", () => fold(false)));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !nav.classList.contains("open")) return;
      fold(false);
      button.focus();
    });
    document.addEventListener("click", (event) => { if (!nav.contains(event.target)) fold(false); });
  }
  const sections = all("main > section").filter((s) => links.has(s.id));
  function follow() {  // the last section that begins above a line a fifth down the window
    const line = nav.offsetHeight + innerHeight / 5;
    const here = sections.findLast((s) => s.getBoundingClientRect().top <= line) ?? sections[0];
    links.forEach((a, id) => {
      a.classList.toggle("here", id === here.id);
      if (id === here.id) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
    });
    if (button) (button.querySelector("span") ?? button).textContent = links.get(here.id).textContent;
  }
  if (nav && sections.length) {
    let due = false;
    const soon = () => { if (!due) { due = true; requestAnimationFrame(() => { due = false; follow(); }); } };
    addEventListener("scroll", soon, { passive: true });
    new ResizeObserver(soon).observe(document.body);  // a fold that opens moves what is below it
  }
  const height = () => (nav.classList.contains("open") ? button : nav).offsetHeight;  // an open list lies over the page
  if (nav) new ResizeObserver(() => document.documentElement.style.setProperty("--nav-height", `${height()}px`)).observe(nav);

  // ---- tabs: without script, and in print, all panels show under their titles ----
  all(".tabs").forEach((box, n) => {
    const panels = all(":scope > .tab", box);
    if (panels.length < 2) return;
    const list = made("div", { role: "tablist", class: "tab-list", "aria-label": box.dataset.label || "" });
    const tabs = panels.map((panel, k) => {
      panel.id ||= `tab-${n}-${k}`;
      const tab = made("button", { type: "button", role: "tab", id: `${panel.id}-tab`, "aria-controls": panel.id });
      tab.append(made("bdi", {}, panel.dataset.title));
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      tab.addEventListener("click", () => show(k));
      list.append(tab);
      return tab;
    });
    const show = (at) => tabs.forEach((tab, k) => {
      tab.setAttribute("aria-selected", String(k === at));
      tab.tabIndex = k === at ? 0 : -1;
      panels[k].hidden = k !== at;
    });
    list.addEventListener("keydown", (event) => {
      const at = tabs.indexOf(document.activeElement), last = tabs.length - 1;
      const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      show(to);
      tabs[to].focus();
    });
    box.removeAttribute("role");
    box.classList.add("live-tabs");
    box.prepend(list);
    show(0);
  });

  // ---- which models are shown ----
  const switches = by("switches"), watching = [];
  const switchOf = (place) => switches?.querySelector(`input[value="${place}"]`) ?? switches?.querySelector('input[value="others"]');
  const visible = (place) => switchOf(place)?.checked ?? true;
  if (switches) {
    switches.hidden = false;
    switches.addEventListener("change", (event) => {
      const { value, checked } = event.target;
      const place = (e) => /(?:^| )model-(\d+)(?: |$)/.exec(e.getAttribute("class"))[1];
      const told = value === "others" ? all('[class*="model-"]').filter((e) => switchOf(place(e)) === event.target) : all(`.model-${value}`);
      told.forEach((e) => e.classList.toggle("off", !checked));
      watching.forEach((tell) => tell());
    });
  }

  // ---- tables and figures to take away ----
  const formula = /^[=+\-@\t\r]/;
  const cell = (value) => {
    const isText = typeof value === "string";
    const text = isText && formula.test(value) ? "'" + value : String(value ?? "");
    return /[",\n\r]/.test(text) || (isText && text.startsWith("'")) ? '"' + text.replace(/"/g, '""') + '"' : text;
  };
  const csv = (rows) => rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  const number = (text) => (text === "" || !/^-?(\d|inf)/.test(text) ? text : text === "inf" || text === "-inf" ? text : Number(text));
  const tableRows = (table) => all("tr", table).map((tr) => all("th,td", tr).flatMap((c) => {
    if (c.dataset.v?.startsWith("[")) return JSON.parse(c.dataset.v);  // texts: a name may look like numbers
    if (c.dataset.v !== undefined) return c.dataset.v.split("|").map(number);
    const name = c.querySelector("bdi");
    return [(name || c).textContent];
  }));
  const curveRows = (place) => {
    const rows = [[words.model, words.threshold, words.tp, words.fp, words.recall, words.fpr, words.precision]];
    for (const m of data.models) if (place === null || m.place === place) {
      m.threshold.forEach((t, k) => rows.push([m.name, t === null ? "" : read(t), m.tp[k], m.fp[k], m.recall[k], m.fpr[k], m.precision[k]]));
    }
    return rows;
  };
  const fromCuts = ["roc", "roc_log", "pr", "pr_gain", "det", "lift", "thresholds"];  // their tables show some points, files hold all
  const download = (name, blob) => {
    const url = URL.createObjectURL(blob);
    made("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };
  const sheet = all("style").at(-1).textContent;
  const lasting = `.off{display:none}line.mark{stroke:#222;stroke-dasharray:3 2}circle.mark{fill:#222;stroke:#fff}
.paper{fill:#fff}.zoom text{fill:#222;font:8px system-ui,sans-serif}.zoom .axis{stroke:#222;fill:none;stroke-width:.6}.zoom .rule{stroke:#ddd;stroke-width:.5}`;
  const standalone = (svg) => {  // colours of the light theme: no variable of the page reaches a file
    const copy = svg.cloneNode(true);
    const zoom = svg.parentElement.querySelector(".zoom");
    if (zoom) copy.append(zoom.cloneNode(true));
    all(".live > .mark", svg.parentElement).forEach((mark) => copy.append(mark.cloneNode()));
    const [, , width, height] = copy.getAttribute("viewBox").split(/\s+/);
    copy.setAttribute("xmlns", SVG);
    copy.setAttribute("width", `${width}pt`);
    copy.setAttribute("height", `${height}pt`);
    const style = drawn("style");
    const used = new Set(all("[class]", copy).flatMap((e) => [...e.classList]));
    const rules = sheet.split("\n").filter((rule) => !/^\.f\d+\{/.test(rule) || used.has(rule.slice(1, rule.indexOf("{"))));
    style.textContent = rules.join("\n") + "\n" + lasting;
    copy.prepend(style);
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + new XMLSerializer().serializeToString(copy);
  };
  const SHARPNESS = 3;
  const png = async (svg) => {
    const image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(standalone(svg));
    await image.decode();
    const canvas = made("canvas");
    canvas.width = SHARPNESS * image.naturalWidth;
    canvas.height = SHARPNESS * image.naturalHeight;
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => { canvas.toBlob(done, "image/png"); });
  };
  const copyText = (text) => (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error()));
  const copyImage = async (svg) => {  // text where a browser takes no image
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png(svg) })]);
      return words.copied;
    } catch {
      await copyText(standalone(svg));
      return words.copied_text;
    }
  };
  for (const plate of all("figure.plate")) {
    const svg = plate.querySelector("svg.figure");
    const [kind, place] = plate.dataset.key.split(":");
    const name = `curvewise-${plate.dataset.key.replace(/\W+/g, "-")}`;
    const title = plate.querySelector("figcaption b").textContent;
    const told = made("span", { role: "status" });
    const tell = (text) => { told.textContent = text; setTimeout(() => { told.textContent = ""; }, 3000); };
    const rows = () => csv(fromCuts.includes(kind) && data.models.length
      ? curveRows(place === undefined ? null : Number(place)) : tableRows(plate.querySelector("table")));
    const ways = {
      png: () => png(svg).then((blob) => download(`${name}.png`, blob)),
      svg: () => download(`${name}.svg`, new Blob([standalone(svg)], { type: "image/svg+xml" })),
      csv: () => download(`${name}.csv`, new Blob(["\ufeff" + rows()], { type: "text/csv;charset=utf-8" })),
      copy: () => copyImage(svg).then(tell, () => tell(words.not_copied)),
      copy_csv: () => copyText(rows()).then(() => tell(words.copied), () => tell(words.not_copied)),
    };
    const row = made("p", { class: "save" });
    for (const [way, act] of Object.entries(ways)) {
      if (!svg && way !== "csv" && way !== "copy_csv") continue;
      const button = made("button", { type: "button", "data-do": way, "aria-label": `${words[way]}: ${title}` }, words[way]);
      button.addEventListener("click", act);
      row.append(button);
    }
    row.append(told);
    plate.append(row);
  }

  // ---- a threshold is shown short; copied from its cell it is exact ----
  const exact = new Set(data.models.filter((m) => m.rule !== null).map((m) => String(m.threshold[m.rule])));
  document.addEventListener("copy", (event) => {
    const chosen = getSelection();
    const node = chosen.anchorNode?.parentElement?.closest("td[data-v]");
    if (!node || !node.contains(chosen.focusNode) || chosen.toString().trim() !== node.firstChild.textContent) return;
    const value = String(Number(node.dataset.v));
    if (!exact.has(value)) return;
    event.clipboardData.setData("text/plain", value);
    event.preventDefault();
  });

  window.curvewise = Object.freeze({ data, words, numbers, read, say, by, all, made, drawn, visible, watching, copyText });
})();

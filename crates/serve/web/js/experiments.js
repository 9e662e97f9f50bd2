/** Experiments: how far they are, their tables, charts and reports. */

import { get } from "./api.js";
import { ago, bar, button, card, fill, grid, guard, h, hint, keepPlace } from "./dom.js";
import { svg } from "./picture.js";
import { hash } from "./place.js";
import { theme } from "./theme.js";

const REFRESH = 4000;

/**
 * Fills a page now, again and again, and when the theme changes.
 * @param {Context} context @param {() => Promise<void>} load
 */
async function keepFresh(context, load) {
  await load();
  const timer = window.setInterval(() => document.hidden || load().catch(() => undefined), REFRESH);
  context.onClose(() => clearInterval(timer));
  context.onTheme(() => guard(load));
}

/** @param {number} done @param {number} of */
const progress = (done, of) => h("span", { class: "progress" }, bar(of ? done / of : 0, "wide"),
  h("small", { class: "hint" }, `${done} of ${of}`));

/** @param {Context} context */
export async function experiments(context) {
  const name = context.path[1];
  if (name) return one(context, name);
  const list = h("ul", { class: "rows" });
  await keepFresh(context, async () => {
    /** @type {ExperimentRow[]} */
    const rows = await get("/api/experiments");
    const row = (/** @type {ExperimentRow} */ r) => h("li", { test: "experiment-row" },
      h("a", { class: "grow", "data-key": r.name, href: hash(`experiments/${encodeURIComponent(r.name)}`,
        {}) },
        h("b", null, r.title || r.name), " ", h("span", { class: "hint" }, r.name)),
      h("span", { class: "hint" }, ago(r.updated)), progress(r.done, r.of));
    const none = "There are none. Start the server with --experiments and the directory of their stores.";
    keepPlace(list, () => fill(list, rows.length ? rows.map(row) : h("li", { class: "hint" }, none)));
  });
  return card(h("h1", null, "Experiments"), list);
}

/** @param {Context} context @param {string} name */
async function one(context, name) {
  const url = `/api/experiments/${encodeURIComponent(name)}`;
  const head = h("div", { class: "head" });
  const body = h("div", { class: "experiment", test: "experiment" });
  const report = h("section", { class: "card", hidden: true });
  const open = button("Report", () => {
    report.hidden = false;
    fill(report, h("div", { class: "head" }, h("h2", null, "Report"),
      h("a", { href: `${url}/report`, target: "_blank", rel: "noopener" }, "in a window of its own")),
      h("iframe", { src: `${url}/report`, sandbox: "", title: `Report of ${name}`, test: "report" }));
    report.scrollIntoView({ behavior: "smooth" });
  }, { test: "open-report" });
  let last = "";
  await keepFresh(context, async () => {
    /** @type {Experiment} */
    const found = await get(url, { theme: theme() });
    const now = JSON.stringify(found);
    if (now === last) return;
    last = now;
    fill(head, h("h1", null, found.title || found.name), progress(found.done, found.of), open);
    const tables = found.tables.map((t) => card(h("h2", null, t.title),
      grid(t.head, t.rows.map((r) => h("tr", null, r.map((c) => h("td", null, c)))),
        { tabindex: "0", "aria-label": t.title, "data-key": t.title })));
    const charts = found.charts.map((c) => h("section", { class: "card", test: "chart" },
      h("h2", null, c.title), h("div", { class: "picture" }, svg(c.svg))));
    const none = tables.length || charts.length ? null : card(hint("No results yet."));
    keepPlace(body, () => fill(body, tables, charts, none));
  });
  return h("div", { class: "lobby" },
    card(h("p", null, h("a", { href: "#/experiments" }, "‹ All experiments")), head), body, report);
}

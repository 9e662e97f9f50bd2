/** Solving small games, and how much an agent can be exploited. */

import { agents, forget, games, get, live, post, solvers } from "./api.js";
import { afterPause, atMostEvery, bar, button, field, fill, grid, guard, h, num, percent, seatName, short } from "./dom.js";
import { specForm } from "./params.js";
import { pictureBox } from "./picture.js";
import { whole } from "./place.js";
import { theme } from "./theme.js";

const PAGE = 50;

/** @param {Context} context */
export async function solve(context) {
  const q = context.query;
  const [all, ways, every] = await Promise.all([games(), solvers(), agents()]);
  const exploit = q.tab === "exploit";
  /** @type {Query} */
  const now = { ...q };
  const changed = () => context.setQuery({ ...now });
  const set = (/** @type {string} */ key) => (/** @type {string} */ value) => ((now[key] = value || undefined), changed());
  const game = specForm(all, q.game ?? "kuhn-poker", set("game"), { label: "Game", folded: true, test: "game-select" });
  const what = exploit ? specForm(every, q.agent ?? "mo-ismcts", set("agent"), { label: "Agent", folded: true, test: "agent-select" })
    : specForm(ways, q.solver ?? "cfr+", set("solver"), { label: "Solver", folded: true, test: "solver-select" });
  const number = (/** @type {string} */ key, /** @type {string} */ hint) => h("input", { type: "number", min: 0, step: "any", value: q[key] ?? "",
    placeholder: hint, test: key, oninput: (/** @type {Event} */ e) => set(key)(/** @type {HTMLInputElement} */ (e.target).value) });
  const output = h("div", { class: "solve-out" }, h("section", { class: "card" },
    h("p", { class: "hint" }, exploit ? "Choose a game and an agent: the page says how much best responses would gain against it."
      : "Choose a small game and a solver: the curve shows how near to an equilibrium its strategies come.")));
  let stop = () => {};
  context.onClose(() => stop());

  async function start() {
    const body = exploit ? { game: game.spec(), agent: what.spec(), samples: whole(now.samples), time: whole(now.time) }
      : { game: game.spec(), solver: what.spec(), iterations: whole(now.iterations), time: whole(now.time), target: now.target ? Number(now.target) : undefined };
    const { solve: id } = await post(exploit ? "/api/exploits" : "/api/solves", body);
    if (now.id) forget(`/api/solves/${now.id}`);
    now.id = id;
    changed();
    follow(id);
  }

  /** Shows what becomes of it. @param {string} id */
  function follow(id) {
    stop();
    const url = `/api/solves/${encodeURIComponent(id)}`;
    const state = h("span", { class: "badge", role: "status", test: "solve-state" });
    const curve = pictureBox("curve");
    const numbers = h("dl", { class: "facts numbers", test: "solution" });
    const strategy = h("section", { class: "card", hidden: true });
    const title = h("h2");
    const problem = h("p", { class: "error", hidden: true });
    fill(output, h("section", { class: "card" }, h("div", { class: "head" }, title, state), problem, curve.el, numbers), strategy);
    let listed = false;
    const load = async () => {
      /** @type {Solve} */
      const found = await get(url, { theme: theme() });
      fill(title, `${found.game}: ${found.what}`);
      state.textContent = found.state;
      problem.hidden = !found.error;
      problem.textContent = found.error ?? "";
      curve.show(found.svg);
      const last = found.points.at(-1);
      const end = found.solution ?? found.exploitability;
      fill(numbers, result(end ?? { ...last }));
      if (found.state === "done" && found.kind === "solve" && !listed) {
        listed = true;
        strategy.hidden = false;
        await strategyTable(strategy, url);
      }
    };
    const soon = atMostEvery(900, load);
    const close = live(`${url}/live`, { point: soon, end: load }, (now) => now === "open" && soon());
    stop = close;
    guard(load);
    context.onTheme(() => guard(load));
  }

  if (q.id) follow(q.id);
  else context.onTheme(() => {});
  const tab = (/** @type {string} */ name, /** @type {boolean} */ here, /** @type {string} */ words) =>
    h("a", { class: "button", href: `#/solve${name ? `?tab=${name}` : ""}`, "aria-current": here ? "page" : null, test: `tab-${name || "solve"}` }, words);
  return h("div", { class: "solve" },
    h("section", { class: "card" }, h("h1", null, "Solve"),
      h("div", { class: "buttons" }, tab("", !exploit, "Equilibrium of a game"), tab("exploit", exploit, "Exploit an agent")),
      h("h2", null, "Game"), game.el, h("h2", null, exploit ? "Agent" : "Solver"), what.el,
      h("div", { class: "fields" }, exploit ? field("Samples", number("samples", "usual")) : field("Iterations", number("iterations", "usual")),
        field("Time (ms)", number("time", "usual")), !exploit && field("Target exploitability", number("target", "none"))),
      h("p", { class: "buttons" }, button(exploit ? "Measure" : "Solve", start, { class: "main", test: "solve-start" }))),
    output);
}

/** The numbers of a result in words. @param {Record<string, unknown>} found */
function result(found) {
  const names = { value: "Value for player 0", values: "Values", best_responses: "Best responses earn", nash_conv: "NashConv", exploitability: "Exploitability",
    iterations: "Iterations", matches: "Matches", done: "Done", seconds: "Seconds", nodes: "Nodes", infosets: "Information sets", missing: "Unknown sets" };
  return Object.entries(names).map(([key, words]) => {
    const value = found[key];
    if (value === undefined || value === null) return null;
    const text = Array.isArray(value) ? value.map((v) => num(v, 5)).join(" / ") : typeof value === "number" ? (Number.isInteger(value) ? short(value) : num(value, 6)) : String(value);
    return [h("dt", null, words), h("dd", null, text)];
  });
}

/** The strategy by information set, with search and pages. @param {HTMLElement} box @param {string} url */
async function strategyTable(box, url) {
  const find = h("input", { type: "search", placeholder: "Search information sets", "aria-label": "Search information sets", test: "strategy-find" });
  const rows = h("div", { class: "lazy", test: "strategy" });
  const pages = h("p", { class: "buttons" });
  let from = 0;
  async function load() {
    /** @type {StrategyPage} */
    const page = await get(`${url}/strategy`, { from, count: PAGE, find: find.value });
    const move = (/** @type {{move: string, probability: number}} */ m) => h("span", { class: "choice" }, h("b", null, m.move), bar(m.probability), percent(m.probability));
    fill(rows, grid(["Player", "Information set", "Moves"], page.rows.map((r) => h("tr", null, h("td", null, seatName(r.seat)),
      h("td", { class: "wrap" }, r.infoset), h("td", null, h("span", { class: "choice-list" }, r.moves.map(move))))), { tabindex: "0" }));
    const last = Math.min(page.of, from + PAGE);
    fill(pages, button("‹ Before", () => ((from = Math.max(0, from - PAGE)), load()), { disabled: from === 0 }),
      h("span", { class: "hint" }, page.of ? `${from + 1} to ${last} of ${page.of}` : "Nothing fits."),
      button("Next ›", () => ((from += PAGE), load()), { disabled: last >= page.of, test: "strategy-next" }));
  }
  find.addEventListener("input", afterPause(250, () => ((from = 0), load())));
  fill(box, h("div", { class: "head" }, h("h2", null, "Strategy by information set"), find), rows, pages);
  await load();
}

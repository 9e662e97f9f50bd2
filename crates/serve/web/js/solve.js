/** Solving small games, and how much an agent can be exploited. */

import { agents, forget, games, get, live, post, solvers } from "./api.js";
import { afterPause, atMostEvery, badge, bar, button, card, field, fill, goTo, grid, guard, h, hint,
  keepPlace, num, percent, seatName, short } from "./dom.js";
import { specForm } from "./params.js";
import { pictureBox } from "./picture.js";
import { hash, whole } from "./place.js";
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
  const set = (/** @type {string} */ key) => (/** @type {string} */ value) =>
    ((now[key] = value || undefined), changed());
  const game = specForm(all, q.game ?? "kuhn-poker", set("game"),
    { label: "Game", folded: true, test: "game-select" });
  const agent = { label: "Agent", folded: true, test: "agent-select" };
  const solver = { label: "Solver", folded: true, test: "solver-select" };
  const what = exploit ? specForm(every, q.agent ?? "mo-ismcts", set("agent"), agent)
    : specForm(ways, q.solver ?? "cfr+", set("solver"), solver);
  const number = (/** @type {string} */ words, /** @type {string} */ key, /** @type {string} */ none) => {
    const el = h("input", { type: "number", min: 0, step: "any", value: q[key] ?? "", placeholder: none,
      test: key, oninput: () => set(key)(el.value) });
    return field(words, el);
  };
  const output = h("div", { class: "solve-out" }, card(
    hint(exploit ? "Choose a game and an agent: the page says how much best responses would gain against it."
      : "Choose a small game and a solver: the curve shows how near to an equilibrium its strategies come.")));
  let [stop, reload] = [() => {}, async () => {}];
  context.onClose(() => stop());
  context.onTheme(() => guard(reload));

  async function start() {
    const asked = { game: game.spec(), time: whole(now.time) };
    const target = now.target ? Number(now.target) : undefined;
    const { solve: id } = exploit
      ? await post("/api/exploits", { ...asked, agent: what.spec(), samples: whole(now.samples) })
      : await post("/api/solves", { ...asked, solver: what.spec(), iterations: whole(now.iterations),
        target });
    if (now.id) forget(`/api/solves/${now.id}`);
    now.id = id;
    changed();
    follow(id);
  }

  /** Shows what becomes of it. @param {string} id */
  function follow(id) {
    stop();
    const url = `/api/solves/${encodeURIComponent(id)}`;
    const state = badge("", { role: "status", test: "solve-state" });
    const curve = pictureBox("curve");
    const numbers = h("dl", { class: "facts numbers", test: "solution" });
    const strategy = h("section", { class: "card", hidden: true });
    const title = h("h2");
    const problem = h("p", { class: "error", hidden: true });
    fill(output, card(h("div", { class: "head" }, title, state), problem, curve.el, numbers), strategy);
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
    stop = live(`${url}/live`, { point: soon, end: () => guard(load) }, (now) => now === "open" && soon());
    reload = load;
    guard(load);
  }

  if (q.id) follow(q.id);
  const tab = (/** @type {string} */ name, /** @type {boolean} */ here, /** @type {string} */ words) =>
    goTo(words, hash("solve", { tab: name }),
      { "aria-current": here ? "page" : null, test: `tab-${name || "solve"}` });
  return h("div", { class: "solve" },
    card(h("h1", null, "Solve"),
      h("div", { class: "buttons" }, tab("", !exploit, "Equilibrium of a game"),
        tab("exploit", exploit, "Exploit an agent")),
      h("h2", null, "Game"), game.el, h("h2", null, exploit ? "Agent" : "Solver"), what.el,
      h("div", { class: "fields" },
        exploit ? number("Samples", "samples", "usual") : number("Iterations", "iterations", "usual"),
        number("Time (ms)", "time", "usual"), !exploit && number("Target exploitability", "target", "none")),
      h("p", { class: "buttons" },
        button(exploit ? "Measure" : "Solve", start, { class: "main", test: "solve-start" }))),
    output);
}

/** The numbers of a result in words. @param {Record<string, unknown>} found */
function result(found) {
  const names = { value: "Value for player 0", values: "Values", best_responses: "Best responses earn",
    nash_conv: "NashConv", exploitability: "Exploitability", iterations: "Iterations", matches: "Matches",
    done: "Done", seconds: "Seconds", nodes: "Nodes", infosets: "Information sets", missing: "Unknown sets" };
  const written = (/** @type {unknown} */ v) =>
    typeof v !== "number" ? String(v) : Number.isInteger(v) ? short(v) : num(v, 6);
  return Object.entries(names).map(([key, words]) => {
    const value = found[key];
    if (value === undefined || value === null) return null;
    return [h("dt", null, words), h("dd", null, [value].flat().map(written).join(" / "))];
  });
}

/** The strategy by information set, with search and pages. @param {HTMLElement} box @param {string} url */
async function strategyTable(box, url) {
  const find = h("input", { type: "search", placeholder: "Search information sets",
    "aria-label": "Search information sets", test: "strategy-find" });
  const rows = h("div", { class: "lazy", test: "strategy" });
  const pages = h("p", { class: "buttons" });
  let from = 0;
  async function load() {
    /** @type {StrategyPage} */
    const page = await get(`${url}/strategy`, { from, count: PAGE, find: find.value });
    const move = (/** @type {{move: string, probability: number}} */ m) => h("span", { class: "choice" },
      h("b", null, m.move), bar(m.probability), percent(m.probability));
    const lines = page.rows.map((r) => h("tr", null, h("td", null, seatName(r.seat)),
      h("td", null, h("span", { class: "choice-list" }, r.moves.map(move))),
      h("td", null, h("pre", null, r.infoset.replaceAll(" | ", "\n")))));
    fill(rows, grid(["Player", "Moves", "Information set"], lines, { tabindex: "0" }));
    const last = Math.min(page.of, from + PAGE);
    const turn = (/** @type {number} */ by) => () => ((from = Math.max(0, from + by)), load());
    keepPlace(pages, () => fill(pages,
      button("‹ Before", turn(-PAGE), { disabled: from === 0, "data-key": "before" }),
      h("span", { class: "hint" }, page.of ? `${from + 1} to ${last} of ${page.of}` : "Nothing fits."),
      button("Next ›", turn(PAGE), { disabled: last >= page.of, "data-key": "next",
        test: "strategy-next" })));
  }
  find.addEventListener("input", afterPause(250, () => ((from = 0), load())));
  fill(box, h("div", { class: "head" }, h("h2", null, "Strategy by information set"), find), rows, pages);
  await load();
}

/** Look inside: one search in detail, or up to four side by side, from one position. */

import { agents, forget, games, get, live, post } from "./api.js";
import { atMostEvery, badge, bar, button, card, cheating, field, fill, fold, goTo, grid, guard, h, hint,
  keepPlace, num, percent, seatName, short } from "./dom.js";
import { beliefsView } from "./beliefs.js";
import { specForm } from "./params.js";
import { pictureBox, svg } from "./picture.js";
import { atStep, hash, placeQuery, positionAt, readPlace, whole } from "./place.js";
import { theme } from "./theme.js";
import { treeView } from "./tree.js";

/**
 * A fold that is filled when it is opened first.
 * @param {string} title @param {() => Promise<Child>} load @param {string} test
 */
function lazy(title, load, test) {
  const body = h("div", { class: "lazy", test });
  const el = fold(title, body);
  let state = 0;
  const fetch = () => guard(async () => {
    if (!el.open || state) return;
    state = 1;
    fill(body, hint("Loading …"));
    const child = await load().catch((error) => hint(error.message));
    fill(body, child);
  });
  el.addEventListener("toggle", fetch);
  return { el, again: () => ((state = 0), fetch()), open: () => (el.open = true) };
}

/**
 * The table of what a search has found out about the moves of the root.
 * @param {{moves?: MoveFindings[]}} found @param {number} players @param {number} seat
 * @param {string} [chosen]
 */
export function rootTable(found, players, seat, chosen) {
  const moves = [...(found.moves ?? [])].sort((a, b) => b.visits - a.visits);
  const all = moves.reduce((sum, m) => sum + m.visits, 0);
  // What the searcher itself expects comes first, where narrow screens show it.
  const everyone = Array.from({ length: players }, (_, p) => (p + seat) % players);
  const available = moves.some((m) => m.availability !== undefined && m.availability !== null);
  const share = (/** @type {MoveFindings} */ m) => m.share ?? m.visits / (all || 1);
  const value = (/** @type {MoveFindings} */ m, /** @type {number} */ p) => [num(m.values?.[p]),
    p === seat && m.margins?.[p] !== undefined && h("small", { class: "hint" }, ` ± ${num(m.margins[p])}`)];
  const rows = moves.slice(0, 80).map((m) => h("tr", { class: m.move === chosen ? "best" : null },
    h("td", null, h("b", null, m.move), m.proven && badge("proven", { title: "The values are proven" })),
    h("td", { class: "n" }, short(m.visits)),
    h("td", null, bar(share(m)), percent(share(m))),
    everyone.map((p) => h("td", { class: "n" }, value(m, p))),
    available && h("td", { class: "n" }, short(m.availability))));
  const head = ["Move", "Visits", "Share", ...everyone.map((p) => seatName(p, `Value ${p}`)),
    available && "Available"];
  const props = { test: "root-table", "data-key": "root", tabindex: "0", "aria-label": "Root moves" };
  return h("div", { class: "lazy" }, grid(head.filter(Boolean), rows, props),
    moves.length > 80 && hint(`${moves.length - 80} more moves, visited less often`));
}

/** @param {Findings | undefined} f @param {Decision | undefined} d */
function figures(f, d) {
  const seconds = d?.seconds ?? (f?.milliseconds ?? 0) / 1000;
  const [iterations, nodes] = [d?.iterations ?? f?.iterations, d?.nodes ?? f?.nodes];
  const speed = d?.iterations_per_second ?? (seconds && iterations ? iterations / seconds : undefined);
  const bytes = d?.bytes ?? f?.bytes;
  /** @type {[string, string | number][]} */
  const parts = [["Iterations", short(iterations)], ["per second", short(speed)],
    ["Tree nodes", short(nodes)],
    ["Deepest", num(d?.depth ?? f?.depth)], ["Mean depth", num(d?.mean_depth ?? f?.mean_depth, 1)],
    ["Memory", bytes ? `${short(bytes)}B` : "–"], ["Time", `${num(seconds, 1)} s`]];
  return h("p", { class: "figures", test: "figures" },
    parts.map(([k, v]) => h("span", null, h("small", null, k), h("b", null, v))));
}

/** The line that a search expects, as a strip of pictures. @param {Step[]} steps */
function strip(steps) {
  if (!steps.length) return hint("This agent tells no line.");
  const large = h("div", { class: "picture", "aria-live": "polite" });
  const choose = (/** @type {number} */ i) => {
    items.forEach((b, k) => b.setAttribute("aria-pressed", String(k === i)));
    fill(large, steps[i].svg ? svg(steps[i].svg ?? "") : hint("No picture of this step."));
  };
  const by = (/** @type {Step} */ s) => (s.by === undefined || s.by === null ? "" : `P${s.by} `);
  const items = steps.map((s, i) => h("button", { type: "button", onclick: () => choose(i),
    test: "line-step" },
    s.svg && h("span", { class: "thumb" }, svg(s.svg)), h("span", null, `${i + 1}. ${by(s)}${s.name}`)));
  const el = h("div", { class: "lazy" }, h("div", { class: "strip" }, items), large);
  choose(0);
  return el;
}

/** How long searches take if nothing else is said, in milliseconds. */
const TIME = "3000";

/**
 * The panel: controls, one column for each agent, and beliefs.
 * @param {Context} context
 * @param {{place: Place, seat: number, query?: Query, beliefs?: boolean, setup?: Setup,
   open?: boolean}} options
 */
export async function inside(context, options) {
  const { place, seat } = options;
  const [position, every] = await Promise.all([positionAt(place, seat), agents()]);
  /** @type {Setup} */
  const known = options.setup ?? (await get("/api/setup", { game: position.shown.game }));
  const q = options.query ?? {};
  const why = new Map(known.agents.filter((a) => a.why).map((a) => [a.name, a.why ?? ""]));
  /** @type {string[]} */
  let specs = [0, 1, 2, 3].flatMap((k) => q[`agent${k}`] ?? []);
  if (!specs.length) specs = [known.usual];
  let [id, stop, dropped] = ["", () => {}, false];
  /** @type {{show: (about: SearchAgent) => void, again: () => void, tick: () => void}[]} */
  let columns = [];

  const time = h("input", { type: "number", min: 1, value: q.time ?? (q.iterations ? "" : TIME), test: "time",
    placeholder: "none" });
  const iterations = h("input", { type: "number", min: 1, value: q.iterations ?? "", test: "iterations",
    placeholder: "as the agent says" });
  const forms = h("div", { class: "agent-forms" });
  const add = button("Compare with another agent", () => (specs.push(specs[0]), drawForms(), changed()),
    { test: "add-agent" });
  const runButton = button("Run", run, { class: "main", test: "run" });
  const stopButton = button("Stop", () => (end(), drop()), { test: "stop", disabled: true });
  const results = h("div", { class: "compare", test: "compare" });
  const controls = fold("Agents and limits", forms,
    h("div", { class: "fields" }, field("Time (ms)", time), field("Iterations", iterations)));
  controls.open = options.open ?? false;
  const believed = beliefsView(place, seat, () => specs[0]);
  const buttons = h("p", { class: "buttons" }, runButton, stopButton, add);
  const settings = h("div", { class: "inside" }, controls, buttons);
  const outcome = h("div", { class: "inside" }, results, options.beliefs && believed.el);

  function changed() {
    const agents = Object.fromEntries([0, 1, 2, 3].map((k) => [`agent${k}`, specs[k]]));
    const limits = { time: time.value || undefined, iterations: iterations.value || undefined };
    if (options.query) context.setQuery({ ...context.query, ...agents, ...limits });
  }
  function drawForms() {
    fill(forms, specs.map((spec, k) => {
      const form = specForm(every, spec, (next) => ((specs[k] = next), changed()),
        { label: `Agent ${k + 1}`, folded: true, test: `agent-${k}` });
      form.forbid(why);
      const remove = () => (specs.splice(k, 1), drawForms(), changed());
      return h("div", { class: "seat-row" }, form.el,
        specs.length > 1 && button("Remove", remove, { class: "quiet" }));
    }));
    add.hidden = specs.length >= 4;
  }
  time.addEventListener("input", changed);
  iterations.addEventListener("input", changed);

  /** @param {SearchAgent} about @param {number} k */
  function column(about, k) {
    const made = specs.length;
    const url = `/api/searches/${id}/${k}`;
    const state = badge("");
    const cheats = cheating();
    const body = h("div", { class: "lazy", "aria-live": "off" });
    const chart = pictureBox("convergence");
    const extra = h("div", { class: "lazy" });
    const steps = () => get(`${url}/line`, { theme: theme() });
    const line = lazy("The line it expects", async () => strip(await steps()), "line");
    const tree = lazy("Search tree", async () => (await treeView(url)).el, "tree");
    fill(extra, line.el, tree.el);
    extra.hidden = true;
    const converge = async () => chart.show(await get(`${url}/convergence`, { theme: theme() }));
    const el = h("section", { class: "column", test: "compare-column" },
      h("div", { class: "head" }, h("h3", null, about.agent), cheats, state), body, chart.el, extra);
    let last = about;
    return { el, again: () => (last.findings?.iterations && guard(converge), line.again(), tree.again()),
      tick: () => void (last.state === "running" && last.findings?.iterations && guard(converge)),
      show(/** @type {SearchAgent} */ now) {
        const { decision: d, findings: f } = (last = now);
        state.textContent = now.state;
        cheats.hidden = !now.cheats;
        const found = d?.moves.length ? d : f;
        keepPlace(body, () => fill(body,
          now.error && h("p", { class: "error" }, now.error),
          now.note && h("p", { class: "note" }, now.note),
          d && h("p", { class: "chosen", test: "chosen" }, "Chooses ", h("b", null, d.move)),
          (f || d) && figures(f, d),
          found && rootTable(found, position.players, seat, d?.move),
          d?.remark && hint(d.remark), d?.beliefs.length ? held(d) : null, d && counted(d)));
        if (!d || !extra.hidden) return;
        extra.hidden = false;
        if (d.iterations) guard(converge);
        if (made !== 1) return;
        if (d.line.length) line.open();
        if (d.nodes) tree.open();
      } };
  }

  async function run() {
    end();
    drop();
    const limits = { time: whole(time.value), iterations: whole(iterations.value) };
    runButton.disabled = true;
    const asked = post("/api/searches", { place, seat, agents: specs, ...limits });
    const here = (id = (await asked.finally(() => (runButton.disabled = false))).search);
    if (context.closed || dropped) return drop();
    runButton.textContent = "Run again";
    stopButton.disabled = false;
    /** @type {SearchAgent[]} */
    const seen = specs.map((agent) => ({ agent, cheats: false, state: "waiting" }));
    /** @type {number[]} */
    let dirty = [];
    const paint = atMostEvery(150, () => (dirty.forEach((k) => made[k].show(seen[k])), (dirty = [])));
    const put = (/** @type {number} */ k, /** @type {Partial<SearchAgent>} */ part) =>
      (Object.assign(seen[k], part), dirty.push(k), paint());
    const sync = () => guard(async () => {
      /** @type {Search | undefined} */
      const now = here === id ? await get(`/api/searches/${here}`) : undefined;
      now?.agents.forEach((a, k) => made[k].show(Object.assign(seen[k], a)));
    });
    const made = seen.map(column);
    columns = made;
    fill(results, made.map((c) => c.el));
    results.classList.toggle("single", made.length === 1);
    seen.forEach((a, k) => made[k].show(a));
    const timer = window.setInterval(() => columns.forEach((c) => c.tick()), 1000);
    const close = live(`/api/searches/${here}/live`, {
      findings: (e) => put(e.agent, { findings: e.findings, state: "running" }),
      done: (e) => put(e.agent, { decision: e.decision, state: "done" }),
      failed: (e) => put(e.agent, { error: e.error, state: "failed" }),
      end: () => (end(), sync()),
    }, (state) => state === "open" && sync());
    stop = () => (close(), clearInterval(timer), (stopButton.disabled = true));
  }
  const end = () => (stop(), (stop = () => {}));
  const drop = () => {
    if (id) forget(`/api/searches/${id}`);
    id = "";
  };
  const close = () => {
    dropped = true;
    end();
    drop();
  };
  const again = () => {
    if (id) columns.forEach((c) => c.again());
    believed.again();
  };
  context.onClose(close);
  drawForms();
  return { settings, outcome, run, close, position, again };
}

/** What an agent says it believes. @param {Decision} d */
function held(d) {
  const row = (/** @type {{value: string, probability: number}} */ v) => h("tr", null,
    h("td", { class: "wrap" }, v.value), h("td", null, bar(v.probability), percent(v.probability)));
  return fold("What it believes", d.beliefs.map((b) =>
    h("div", null, hint(b.of), grid(["Held possible", "Probability"], b.values.map(row)))));
}

/** What else an agent has counted. @param {Decision} d */
function counted(d) {
  const known = Object.entries(d.figures).filter(([, v]) => v !== null);
  return known.length > 0 && fold("Other figures",
    h("dl", { class: "facts" }, known.map(([k, v]) => [h("dt", null, k), h("dd", null, num(v))])));
}

/** @param {Context} context */
export async function look(context) {
  const place = readPlace(context.query);
  if (!place || context.query.ask) return ask(context);
  const now = await positionAt(place, whole(context.query.seat));
  const seat = whole(context.query.seat) ?? now.movers[0] ?? 0;
  const picture = pictureBox("look-picture");
  const game = now.shown.game;
  /** @type {Setup} */
  const setup = await get("/api/setup", { game });
  const panel = await inside(context, { place, seat, query: context.query, setup,
    beliefs: setup.about.facts?.hidden ?? true, open: true });
  picture.show(panel.position.svg);
  const query = (/** @type {Place} */ p, /** @type {number} */ s = -1) =>
    ({ ...context.query, ...placeQuery(p), seat: s < 0 ? undefined : String(s) });
  const others = Array.from({ length: now.players }, (_, p) =>
    goTo(`Player ${p}${now.movers.includes(p) ? " (to move)" : ""}`, hash("look", query(place, p)),
      { "aria-current": p === seat ? "true" : null }));
  const step = now.step;
  const steps = place.of !== "moves" && step !== undefined && h("span", { class: "buttons" },
    step > 0 && goTo("‹ Step back", hash("look", query(atStep(place, step - 1)))),
    h("span", { class: "hint" }, `step ${step}`),
    !now.rewards && goTo("Step on ›", hash("look", query(atStep(place, step + 1)))));
  context.onTheme(() => guard(async () => {
    picture.show((await positionAt(place, seat)).svg);
    panel.again();
  }));
  const idle = !now.movers.includes(seat);
  const why = now.movers.length ? "This player is not to move here: choose one who is to see a search."
    : "Nobody is to move here.";
  const other = h("a", { href: hash("look", { ...context.query, ask: "1" }) }, "Change game or moves");
  return h("div", { class: "look" },
    card(h("h1", null, "Look inside: ", game), h("div", { class: "buttons" }, others), steps,
      idle && h("p", { class: "note" }, why), picture.el, place.of === "moves" && h("p", null, other)),
    card(h("h2", null, "Search"), panel.settings),
    h("section", { class: "card across" }, panel.outcome));
}

/** Asks for a game and moves. @param {Context} context */
async function ask(context) {
  const q = context.query;
  const all = await games();
  const game = specForm(all, q.game ?? "phantom-mnk", () => {},
    { label: "Game", folded: true, test: "game-select" });
  const moves = h("textarea", { rows: 3, value: q.moves ?? "", test: "moves",
    placeholder: "Moves so far, separated by spaces; nothing for the start" });
  const seed = h("input", { inputmode: "numeric", pattern: "\\d+", value: q.seed ?? "", test: "seed",
    placeholder: "none: moves of chance are listed too" });
  const go = () => {
    const place = { game: game.spec(), moves: moves.value.trim(), seed: seed.value };
    location.hash = hash("look", place);
  };
  return h("section", { class: "card narrow wide" }, h("h1", null, "Look inside a search"),
    hint("Choose a position. Tables, finished games and replays lead here too, with positions of their own."),
    game.el, field("Moves", moves), field("Seed of chance", seed),
    h("p", { class: "buttons" }, button("Look inside", go, { class: "main", test: "look-go" }),
      goTo("From a record …", "#/replay")));
}

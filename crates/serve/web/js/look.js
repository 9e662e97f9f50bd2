/** Look inside: one search in detail, or up to four side by side, from one position. */

import { agents, address, forget, games, get, live, post } from "./api.js";
import { atMostEvery, bar, button, field, fill, grid, guard, h, num, percent, seatName, short } from "./dom.js";
import { beliefsView } from "./beliefs.js";
import { specForm } from "./params.js";
import { pictureBox, svg } from "./picture.js";
import { atStep, hash, placeQuery, readPlace, whole } from "./place.js";
import { theme } from "./theme.js";
import { treeView } from "./tree.js";

/** A fold that is filled when it is opened first. @param {string} title @param {() => Promise<Child>} load @param {string} test */
function lazy(title, load, test) {
  const body = h("div", { class: "lazy", test });
  const el = h("details", { class: "fold" }, h("summary", null, title), body);
  let state = 0;
  const fetch = () => guard(async () => {
    if (!el.open || state) return;
    state = 1;
    fill(body, h("p", { class: "hint" }, "Loading …"));
    const child = await load().catch((error) => h("p", { class: "hint" }, error.message));
    fill(body, child);
  });
  el.addEventListener("toggle", fetch);
  return { el, again: () => ((state = 0), fetch()), open: () => (el.open = true) };
}

/**
 * The table of what a search has found out about the moves of the root.
 * @param {{moves?: MoveFindings[]}} found @param {number} players @param {number} seat @param {string} [chosen]
 */
export function rootTable(found, players, seat, chosen) {
  const moves = [...(found.moves ?? [])].sort((a, b) => b.visits - a.visits);
  const all = moves.reduce((sum, m) => sum + m.visits, 0);
  const everyone = Array.from({ length: players }, (_, p) => p);
  const available = moves.some((m) => m.availability !== undefined && m.availability !== null);
  const value = (/** @type {MoveFindings} */ m, /** @type {number} */ p) => [num(m.values?.[p]),
    p === seat && m.margins?.[p] !== undefined && h("small", { class: "hint" }, ` ± ${num(m.margins[p])}`)];
  const rows = moves.slice(0, 80).map((m) => h("tr", { class: m.move === chosen ? "best" : null },
    h("td", null, h("b", null, m.move), m.proven && h("span", { class: "badge", title: "The values are proven" }, "proven")),
    h("td", { class: "n" }, short(m.visits)),
    h("td", null, bar(m.share ?? m.visits / (all || 1)), percent(m.share ?? (all ? m.visits / all : undefined))),
    everyone.map((p) => h("td", { class: "n" }, value(m, p))),
    available && h("td", { class: "n" }, short(m.availability))));
  const head = ["Move", "Visits", "Share", ...everyone.map((p) => seatName(p, `Value ${p}`)), available && "Available"];
  return h("div", { class: "lazy" }, grid(head.filter(Boolean), rows, { test: "root-table", tabindex: "0", "aria-label": "Root moves" }),
    moves.length > 80 && h("p", { class: "hint" }, `${moves.length - 80} more moves, visited less often`));
}

/** @param {Findings | undefined} f @param {Decision | undefined} d */
function figures(f, d) {
  const seconds = d?.seconds ?? (f?.milliseconds ?? 0) / 1000;
  const [iterations, nodes] = [d?.iterations ?? f?.iterations, d?.nodes ?? f?.nodes];
  const speed = d?.iterations_per_second ?? (seconds && iterations ? iterations / seconds : undefined);
  const bytes = d?.bytes ?? f?.bytes;
  /** @type {[string, string | number][]} */
  const parts = [["Iterations", short(iterations)], ["per second", short(speed)], ["Tree nodes", short(nodes)],
    ["Deepest", num(d?.depth ?? f?.depth)], ["Mean depth", num(d?.mean_depth ?? f?.mean_depth, 1)],
    ["Memory", bytes ? `${short(bytes)}B` : "–"], ["Time", `${num(seconds, 1)} s`]];
  return h("p", { class: "figures", test: "figures" }, parts.map(([k, v]) => h("span", null, h("small", null, k), h("b", null, v))));
}

/** The line that a search expects, as a strip of pictures. @param {Step[]} steps */
function strip(steps) {
  if (!steps.length) return h("p", { class: "hint" }, "This agent tells no line.");
  const large = h("div", { class: "picture", "aria-live": "polite" });
  const choose = (/** @type {number} */ i) => {
    items.forEach((b, k) => b.setAttribute("aria-pressed", String(k === i)));
    fill(large, steps[i].svg ? svg(steps[i].svg ?? "") : h("p", { class: "hint" }, "No picture of this step."));
  };
  const items = steps.map((s, i) => h("button", { type: "button", onclick: () => choose(i), test: "line-step" },
    s.svg && h("span", { class: "thumb" }, svg(s.svg)), h("span", null, `${i + 1}. `, s.by === undefined || s.by === null ? null : `P${s.by} `, s.name)));
  const el = h("div", { class: "lazy" }, h("div", { class: "strip" }, items), large);
  choose(0);
  return el;
}

/**
 * The panel: controls, one column for each agent, and beliefs.
 * @param {Context} context
 * @param {{place: Place, seat: number, query?: Query, time?: string, beliefs?: boolean, setup?: Setup, open?: boolean}} options
 */
export async function inside(context, options) {
  const { place, seat } = options;
  /** @type {[Position, About[]]} */
  const [position, every] = await Promise.all([post("/api/position", { place, seat }, { theme: theme() }), agents()]);
  /** @type {Setup} */
  const known = options.setup ?? (await get("/api/setup", { game: position.shown.game }));
  const q = options.query ?? {};
  const why = new Map(known.agents.filter((a) => a.why).map((a) => [a.name, a.why ?? ""]));
  /** @type {string[]} */
  let specs = [0, 1, 2, 3].flatMap((k) => q[`agent${k}`] ?? []);
  if (!specs.length) specs = [known.usual];
  let [id, stop] = ["", () => {}];
  /** @type {{show: (about: SearchAgent) => void, again: () => void, tick: () => void}[]} */
  let columns = [];

  const time = h("input", { type: "number", min: 1, value: q.time ?? (q.iterations ? "" : (options.time ?? "3000")), test: "time", placeholder: "none" });
  const iterations = h("input", { type: "number", min: 1, value: q.iterations ?? "", test: "iterations", placeholder: "as the agent says" });
  const forms = h("div", { class: "agent-forms" });
  const add = button("Compare with another agent", () => (specs.push(specs[0]), drawForms(), changed()), { test: "add-agent" });
  const runButton = button("Run", run, { class: "main", test: "run" });
  const stopButton = button("Stop", () => (end(), drop()), { test: "stop", disabled: true });
  const results = h("div", { class: "compare", test: "compare" });
  const controls = h("details", { class: "fold" }, h("summary", null, "Agents and limits"), forms,
    h("div", { class: "fields" }, field("Time (ms)", time), field("Iterations", iterations)));
  controls.open = options.open ?? false;
  const believed = beliefsView(place, seat, () => specs[0]);
  const settings = h("div", { class: "inside" }, controls, h("p", { class: "buttons" }, runButton, stopButton, add));
  const outcome = h("div", { class: "inside" }, results, options.beliefs && believed.el);

  function changed() {
    const agents = Object.fromEntries([0, 1, 2, 3].map((k) => [`agent${k}`, specs[k]]));
    if (options.query) context.setQuery({ ...context.query, ...agents, time: time.value || undefined, iterations: iterations.value || undefined });
  }
  function drawForms() {
    fill(forms, specs.map((spec, k) => {
      const form = specForm(every, spec, (next) => ((specs[k] = next), changed()), { label: `Agent ${k + 1}`, folded: true, test: `agent-${k}` });
      form.forbid(why);
      return h("div", { class: "seat-row" }, form.el, specs.length > 1 && button("Remove", () => (specs.splice(k, 1), drawForms(), changed()), { class: "quiet" }));
    }));
    add.hidden = specs.length >= 4;
  }
  time.addEventListener("input", changed);
  iterations.addEventListener("input", changed);

  /** @param {SearchAgent} about @param {number} k */
  function column(about, k) {
    const made = specs.length;
    const url = `/api/searches/${id}/${k}`;
    const state = h("span", { class: "badge" });
    const body = h("div", { class: "lazy", "aria-live": "off" });
    const chart = pictureBox("convergence");
    const extra = h("div", { class: "lazy" });
    const line = lazy("The line it expects", async () => strip(await get(`${url}/line`, { theme: theme() })), "line");
    const tree = lazy("Search tree", async () => (await treeView(url)).el, "tree");
    fill(extra, line.el, tree.el);
    extra.hidden = true;
    const converge = async () => chart.show(await get(`${url}/convergence`, { theme: theme() }).catch(() => undefined));
    const el = h("section", { class: "column", test: "compare-column" },
      h("div", { class: "head" }, h("h3", null, about.agent, " ", about.cheats && h("span", { class: "badge bad" }, "cheats")), state), body, chart.el, extra);
    let last = about;
    return { el, again: () => (last.findings?.iterations && guard(converge), line.again(), tree.again()),
      tick: () => void (last.state === "running" && last.findings?.iterations && guard(converge)),
      show(/** @type {SearchAgent} */ now) {
        const { decision: d, findings: f } = (last = now);
        state.textContent = now.state;
        fill(body, now.error && h("p", { class: "error" }, now.error), d && h("p", { class: "chosen", test: "chosen" }, "Chooses ", h("b", null, d.move)),
          (f || d) && figures(f, d), (f || d) && rootTable(d?.moves.length ? d : (f ?? {}), position.players, seat, d?.move),
          d?.remark && h("p", { class: "hint" }, d.remark), d?.beliefs.length ? held(d) : null, d && counted(d));
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
    id = (await post("/api/searches", { place, seat, agents: specs, ...limits })).search;
    if (context.closed) return drop();
    runButton.textContent = "Run again";
    stopButton.disabled = false;
    /** @type {SearchAgent[]} */
    const seen = specs.map((agent) => ({ agent, cheats: false, state: "waiting" }));
    /** @type {number[]} */
    let dirty = [];
    const paint = atMostEvery(150, () => (dirty.forEach((k) => columns[k]?.show(seen[k])), (dirty = [])));
    const put = (/** @type {number} */ k, /** @type {Partial<SearchAgent>} */ part) => (Object.assign(seen[k], part), dirty.push(k), paint());
    const sync = () => guard(async () => {
      /** @type {Search} */
      const now = await get(`/api/searches/${id}`);
      now.agents.forEach((a, k) => {
        Object.assign(seen[k], a);
        columns[k]?.show(seen[k]);
      });
    });
    const made = seen.map(column);
    columns = made;
    fill(results, made.map((c) => c.el));
    results.classList.toggle("single", made.length === 1);
    seen.forEach((a, k) => made[k].show(a));
    const timer = window.setInterval(() => columns.forEach((c) => c.tick()), 1000);
    const close = live(`/api/searches/${id}/live`, {
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
  const close = () => (end(), drop());
  context.onClose(close);
  drawForms();
  return { settings, outcome, run, close, position, again: () => (columns.forEach((c) => c.again()), believed.again()) };
}

/** What an agent says it believes. @param {Decision} d */
function held(d) {
  return h("details", { class: "fold" }, h("summary", null, "What it believes"), d.beliefs.map((b) => h("div", null, h("p", { class: "hint" }, b.of),
    grid(["Held possible", "Probability"], b.values.map((v) => h("tr", null, h("td", { class: "wrap" }, v.value), h("td", null, bar(v.probability), percent(v.probability))))))));
}

/** What else an agent has counted. @param {Decision} d */
function counted(d) {
  const known = Object.entries(d.figures).filter(([, v]) => v !== null);
  return known.length ? h("details", { class: "fold" }, h("summary", null, "Other figures"),
    h("dl", { class: "facts" }, known.map(([k, v]) => [h("dt", null, k), h("dd", null, num(v))]))) : null;
}

/** @param {Context} context */
export async function look(context) {
  const place = readPlace(context.query);
  if (!place || context.query.ask) return ask(context);
  /** @type {Position} */
  const whole0 = await post("/api/position", { place, seat: whole(context.query.seat) }, { theme: theme() });
  const seat = whole(context.query.seat) ?? whole0.movers[0] ?? 0;
  const picture = pictureBox("look-picture");
  const game = whole0.shown.game;
  /** @type {Setup} */
  const setup = await get("/api/setup", { game });
  const panel = await inside(context, { place, seat, query: context.query, setup, beliefs: setup.about.facts?.hidden ?? true, open: true });
  picture.show(panel.position.svg);
  const query = (/** @type {Place} */ p, /** @type {number | undefined} */ s) => ({ ...context.query, ...placeQuery(p), seat: s === undefined ? undefined : String(s) });
  const others = Array.from({ length: whole0.players }, (_, p) => h("a", { class: "button", href: hash("look", query(place, p)),
    "aria-current": p === seat ? "true" : null }, `Player ${p}${whole0.movers.includes(p) ? " (to move)" : ""}`));
  const step = whole0.step;
  const steps = place.of !== "moves" && step !== undefined && h("span", { class: "buttons" },
    step > 0 && h("a", { class: "button", href: hash("look", query(atStep(place, step - 1), undefined)) }, "‹ Step back"),
    h("span", { class: "hint" }, `step ${step}`),
    !whole0.rewards && h("a", { class: "button", href: hash("look", query(atStep(place, step + 1), undefined)) }, "Step on ›"));
  context.onTheme(() => guard(async () => {
    picture.show((await post("/api/position", { place, seat }, { theme: theme() })).svg);
    panel.again();
  }));
  const idle = !whole0.movers.includes(seat);
  return h("div", { class: "look" },
    h("section", { class: "card" }, h("h1", null, "Look inside: ", game), h("div", { class: "buttons" }, others), steps,
      idle && h("p", { class: "note" }, whole0.movers.length ? "This player is not to move here: choose one who is to see a search." : "Nobody is to move here."), picture.el,
      place.of === "moves" && h("p", null, h("a", { href: hash("look", { ...context.query, ask: "1" }) }, "Change game or moves"))),
    h("section", { class: "card" }, h("h2", null, "Search"), panel.settings),
    h("section", { class: "card across" }, panel.outcome));
}

/** Asks for a game and moves. @param {Context} context */
async function ask(context) {
  const q = context.query;
  const all = await games();
  const game = specForm(all, q.game ?? "phantom-mnk", () => {}, { label: "Game", folded: true, test: "game-select" });
  const moves = h("textarea", { rows: 3, placeholder: "Moves so far, separated by spaces; nothing for the start", "aria-label": "Moves", value: q.moves ?? "", test: "moves" });
  const seed = h("input", { inputmode: "numeric", pattern: "\\d+", placeholder: "none: moves of chance are listed too", value: q.seed ?? "", test: "seed" });
  const go = () => void (location.hash = hash("look", { game: game.spec(), moves: moves.value.trim() || undefined, seed: seed.value || undefined }));
  return h("section", { class: "card narrow wide" }, h("h1", null, "Look inside a search"),
    h("p", { class: "hint" }, "Choose a position. The table, a finished game and a replay lead here too, with their own positions."),
    game.el, field("Moves", moves), field("Seed of chance", seed), h("p", { class: "buttons" }, button("Look inside", go, { class: "main", test: "look-go" }),
      h("a", { class: "button", href: address("#/replay") }, "From a record …")));
}

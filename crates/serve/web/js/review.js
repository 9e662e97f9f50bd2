/** Review: what every decision of a game has cost, judged by what its player knew. */

import { agents, forget, get, live, post } from "./api.js";
import { badge, bar, button, card, field, fill, fold, goTo, grid, guard, h, hint, keepPlace,
  num, seatName } from "./dom.js";
import { beliefsView } from "./beliefs.js";
import { rootTable } from "./look.js";
import { specForm } from "./params.js";
import { pictureBox } from "./picture.js";
import { atStep, hash, placeQuery, positionAt, readPlace, whole } from "./place.js";

/** How bad a loss is, by the range of rewards. @param {ReviewRow} row @param {number} range */
function grade(row, range) {
  if (row.lost === null) return "unknown";
  const part = row.lost / (range || 1);
  if (row.lost <= Math.max(row.margin ?? 0, range / 100)) return "fine";
  return part < 0.08 ? "slight" : part < 0.2 ? "middling" : "grave";
}

/** @param {Context} context */
export async function review(context) {
  const place = readPlace(context.query);
  if (!place || place.of === "moves") throw new Error("Choose a finished table or a replay to review.");
  const [start, every] = await Promise.all([positionAt(atStep(place, 0)), agents()]);
  /** @type {Setup} */
  const setup = await get("/api/setup", { game: start.shown.game });
  const [low, high] = setup.about.facts?.utility_bounds ?? [0, 1];
  /** @type {Map<string, ReviewRow>} */
  const rows = new Map();
  /** What agents of a table thought when they moved. @type {Thought[]} */
  const thoughts = place.of === "table" ? await get(`/api/tables/${place.table}/thoughts`) : [];
  let [id, close, spec, of] = ["", () => {}, setup.usual, 0];
  /** @type {ReviewRow | undefined} */
  let picked;

  const time = h("input", { type: "number", min: 10, value: 300, test: "review-time" });
  const form = specForm(every, spec, (next) => (spec = next), { label: "Judge", folded: true });
  const state = h("p", { class: "hint", role: "status" });
  const done = h("div", null, bar(0, "wide"));
  const list = h("div", { class: "lazy" });
  const totals = h("p", { class: "badges" });
  const detail = h("section", { class: "card", "aria-live": "polite" },
    hint("Choose a decision to see the position as its player saw it."));
  form.forbid(new Map(setup.agents.filter((a) => a.why).map((a) => [a.name, a.why ?? ""])));

  const all = () => [...rows.values()].sort((a, b) => a.step - b.step || a.seat - b.seat);
  function draw() {
    const now = all();
    const most = Math.max(...now.map((r) => r.lost ?? 0), 1e-9);
    const line = (/** @type {ReviewRow} */ r) => {
      const kind = grade(r, high - low);
      const props = { class: "pick", test: "review-row", tabindex: "0", "data-key": `${r.step}-${r.seat}`,
        "aria-selected": String(r === picked), onclick: () => guard(() => pick(r)), onkeydown: keys };
      return h("tr", props,
        h("td", { class: "n" }, r.step), h("td", null, seatName(r.seat)), h("td", null, h("b", null, r.move)),
        h("td", null, h("span", { class: `grade ${kind}` }, num(r.lost === null ? null : -r.lost)),
          bar((r.lost ?? 0) / most, `small ${kind}`)),
        h("td", null, r.best === r.move ? "–" : r.best),
        h("td", { class: "n" }, `${num(r.value)} / ${num(r.best_value)}`));
    };
    const head = ["Step", "Player", "Move", "Value lost", "Better", "Value / best"];
    keepPlace(list, () => fill(list, grid(head, now.map(line))));
    const sums = new Map();
    for (const r of now) sums.set(r.seat, (sums.get(r.seat) ?? 0) + Math.max(0, r.lost ?? 0));
    fill(totals, [...sums].sort().map(([s, sum]) => badge([seatName(s), ` lost ${num(sum, 2)} in all`])));
    fill(done, bar(of ? now.length / of : 0, "wide"));
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const row = /** @type {HTMLElement} */ (event.currentTarget);
    const { nextElementSibling: next, previousElementSibling: before } = row;
    const to = event.key === "ArrowDown" ? next : event.key === "ArrowUp" ? before : null;
    if (event.key === "Enter" || event.key === " ") row.click();
    else if (to instanceof HTMLElement) to.focus();
    else return;
    event.preventDefault();
  }

  /** @param {ReviewRow} row */
  async function pick(row) {
    picked = row;
    draw();
    const here = atStep(/** @type {Place} */ (place), row.step);
    const seen = await positionAt(here, row.seat);
    if (picked !== row) return;
    const picture = pictureBox("review-picture");
    picture.show(seen.svg);
    const believed = beliefsView(here, row.seat, () => spec);
    const then = thoughts.find((t) => t.step === row.step && t.seat === row.seat)?.decision;
    const margin = row.margin ? ` (± ${num(row.margin)})` : "";
    const words = row.lost === null ? "The judge cannot say what this move was worth."
      : row.lost > 0 ? `${row.best} was better by ${num(row.lost)}${margin}, by what player ${row.seat} knew.`
      : "Nothing better was found by what this player knew.";
    const look = hash("look", { ...placeQuery(here), seat: String(row.seat) });
    fill(detail,
      h("div", { class: "head" }, h("h2", null, `Step ${row.step}: `, seatName(row.seat),
        ` plays ${row.move}`),
        goTo("Look inside here", look, { test: "look-here" })),
      h("p", null, words), picture.el, believed.el,
      then && fold("What the agent thought when it moved", rootTable(then, seen.players, row.seat,
        then.move)));
    if (setup.about.facts?.hidden ?? true) await believed.load();
  }

  async function run() {
    stop();
    rows.clear();
    draw();
    id = (await post("/api/reviews", { place, agent: spec, time: whole(time.value) })).review;
    state.textContent = "Judging …";
    const put = (/** @type {ReviewRow[]} */ found) => {
      for (const r of found) rows.set(`${r.step}-${r.seat}`, r);
      draw();
    };
    const sync = () => guard(async () => {
      /** @type {Review} */
      const now = await get(`/api/reviews/${id}`);
      of = now.of;
      put(now.rows);
      if (now.error) state.textContent = now.error;
      else if (now.state === "done") state.textContent = `Judged: ${rows.size} of ${of} decisions.`;
    });
    close = live(`/api/reviews/${id}/live`, { row: (r) => put([r]), end: sync },
      (now) => now === "open" && sync());
  }
  const stop = () => {
    close();
    if (id) forget(`/api/reviews/${id}`);
    id = "";
  };
  context.onClose(stop);
  context.onTheme(() => picked && guard(() => pick(/** @type {ReviewRow} */ (picked))));
  guard(run);
  return h("div", { class: "review" },
    card(h("h1", null, "Review: ", start.shown.game),
      fold("Judge and time", form.el, h("div", { class: "fields" }, field("Time per decision (ms)", time)),
        h("p", { class: "buttons" }, button("Judge again", run, { class: "main", test: "review-run" }))),
      state, done, totals, list,
      h("p", { class: "buttons" }, goTo("Replay", hash("replay", placeQuery(atStep(place, 0)))))),
    detail);
}

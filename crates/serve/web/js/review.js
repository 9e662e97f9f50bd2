/** Review: what every decision of a game has cost, judged by what its player knew. */

import { agents, forget, get, live, post } from "./api.js";
import { bar, button, field, fill, grid, guard, h, num, seatName } from "./dom.js";
import { beliefsView } from "./beliefs.js";
import { rootTable } from "./look.js";
import { specForm } from "./params.js";
import { pictureBox } from "./picture.js";
import { atStep, hash, placeQuery, readPlace, whole } from "./place.js";
import { theme } from "./theme.js";

/** How bad a loss is, by the range of rewards. @param {ReviewRow} row @param {number} range */
function grade(row, range) {
  const part = row.lost / (range || 1);
  if (row.lost <= Math.max(row.margin ?? 0, range / 100)) return "fine";
  return part < 0.08 ? "slight" : part < 0.2 ? "middling" : "grave";
}

/** @param {Context} context */
export async function review(context) {
  const place = readPlace(context.query);
  if (!place || place.of === "moves") throw new Error("Choose a finished table or a replay to review.");
  /** @type {[Position, About[]]} */
  const [start, every] = await Promise.all([post("/api/position", { place: atStep(place, 0) }, { theme: theme() }), agents()]);
  /** @type {Setup} */
  const setup = await get("/api/setup", { game: start.shown.game });
  const [low, high] = setup.about.facts?.utility_bounds ?? [0, 1];
  /** @type {Map<number, ReviewRow[]>} */
  const rows = new Map();
  /** What agents of a table thought when they moved. @type {{step: number, seat: number, decision: Decision}[]} */
  const thoughts = place.of === "table" ? await get(`/api/tables/${place.table}/thoughts`).catch(() => []) : [];
  let [id, close, spec, of] = ["", () => {}, setup.usual, 0];
  /** @type {ReviewRow | undefined} */
  let picked;

  const time = h("input", { type: "number", min: 10, value: 300, test: "review-time" });
  const form = specForm(every, spec, (next) => (spec = next), { label: "Judge", folded: true });
  const state = h("p", { class: "hint", role: "status" });
  const done = h("div", null, bar(0, "wide"));
  const list = h("div", { class: "lazy" });
  const totals = h("p", { class: "badges" });
  const detail = h("section", { class: "card", "aria-live": "polite" }, h("p", { class: "hint" }, "Choose a decision to see the position as its player saw it."));
  form.forbid(new Map(setup.agents.filter((a) => a.why).map((a) => [a.name, a.why ?? ""])));

  const all = () => [...rows.values()].flat().sort((a, b) => a.step - b.step || a.seat - b.seat);
  function draw() {
    const now = all();
    const most = Math.max(...now.map((r) => r.lost), 1e-9);
    const lines = now.map((r) => h("tr", { class: "pick", test: "review-row", tabindex: "0", "data-key": `${r.step}-${r.seat}`,
      "aria-selected": String(r === picked), onclick: () => guard(() => pick(r)), onkeydown: keys },
      h("td", { class: "n" }, r.step), h("td", null, seatName(r.seat)), h("td", null, h("b", null, r.move)),
      h("td", null, h("span", { class: `grade ${grade(r, high - low)}` }, r.lost > 0 ? `−${num(r.lost)}` : "0"), bar(r.lost / most, `small ${grade(r, high - low)}`)),
      h("td", null, r.best === r.move ? "–" : r.best), h("td", { class: "n" }, `${num(r.value)} / ${num(r.best_value)}`)));
    const key = document.activeElement?.getAttribute("data-key");
    const top = list.querySelector(".scroll")?.scrollTop ?? 0;
    fill(list, grid(["Step", "Player", "Move", "Value lost", "Better", "Value / best"], lines));
    const box = list.querySelector(".scroll");
    if (box) box.scrollTop = top;
    if (key) /** @type {HTMLElement | null} */ (list.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
    const sums = new Map();
    for (const r of now) sums.set(r.seat, (sums.get(r.seat) ?? 0) + Math.max(0, r.lost));
    fill(totals, [...sums].sort().map(([s, sum]) => h("span", { class: "badge" }, seatName(s), ` lost ${num(sum, 2)} in all`)));
    fill(done, bar(of ? now.length / of : 0, "wide"));
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const row = /** @type {HTMLElement} */ (event.currentTarget);
    const to = event.key === "ArrowDown" ? row.nextElementSibling : event.key === "ArrowUp" ? row.previousElementSibling : null;
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
    /** @type {Position} */
    const seen = await post("/api/position", { place: here, seat: row.seat }, { theme: theme() });
    if (picked !== row) return;
    const picture = pictureBox("review-picture");
    picture.show(seen.svg);
    const believed = beliefsView(here, row.seat, () => spec);
    const then = thoughts.find((t) => t.step === row.step && t.seat === row.seat)?.decision;
    fill(detail, h("div", { class: "head" }, h("h2", null, `Step ${row.step}: `, seatName(row.seat), ` plays ${row.move}`),
      h("a", { class: "button", href: hash("look", { ...placeQuery(here), seat: String(row.seat) }), test: "look-here" }, "Look inside here")),
      h("p", null, row.lost > 0 ? `${row.best} was better by ${num(row.lost)}${row.margin ? ` (± ${num(row.margin)})` : ""}, judged by what player ${row.seat} knew.`
        : "Nothing better was found from what this player knew."), picture.el, believed.el,
      then && h("details", { class: "fold", test: "thought" }, h("summary", null, "What the agent thought when it moved"),
        rootTable(then, seen.players, row.seat, then.move)));
    if (setup.about.facts?.hidden ?? true) await believed.load();
  }

  async function run() {
    stop();
    rows.clear();
    draw();
    id = (await post("/api/reviews", { place, agent: spec, time: whole(time.value) })).review;
    state.textContent = "Judging …";
    const put = (/** @type {ReviewRow[]} */ found) => {
      for (const r of found) rows.set(r.step, [...(rows.get(r.step) ?? []).filter((o) => o.seat !== r.seat), r]);
      draw();
    };
    const sync = () => guard(async () => {
      /** @type {Review} */
      const now = await get(`/api/reviews/${id}`);
      of = now.of;
      put(now.rows);
    });
    close = live(`/api/reviews/${id}/live`, { row: (r) => put([r]), end: async () => {
      await sync();
      state.textContent = rows.size ? "Every decision is judged." : "There is nothing to judge in this game.";
    } }, (now) => now === "open" && sync());
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
    h("section", { class: "card" }, h("h1", null, "Review: ", start.shown.game),
      h("details", { class: "fold" }, h("summary", null, "Judge and time"), form.el, h("div", { class: "fields" }, field("Time per decision (ms)", time)),
        h("p", { class: "buttons" }, button("Judge again", run, { class: "main", test: "review-run" }))),
      state, done, totals, list,
      h("p", { class: "buttons" }, h("a", { class: "button", href: hash("replay", placeQuery(atStep(place, 0))) }, "Replay"))),
    detail);
}

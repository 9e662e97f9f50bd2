/** Replay: records and finished tables, step by step, seen by anybody. */

import { get, me, post } from "./api.js";
import { ago, button, fill, guard, h, num, seatName, select, toast } from "./dom.js";
import { pictureBox } from "./picture.js";
import { atStep, hash, placeQuery, readPlace, whole } from "./place.js";
import { theme } from "./theme.js";

/** @param {Context} context */
export async function replay(context) {
  const place = readPlace(context.query);
  return place && place.of !== "moves" ? watch(context, place) : choose();
}

/** @param {Replay} opened */
const show = (opened) => void (location.hash = hash("replay", { replay: opened.replay, number: "1", step: "0" }));

/** Choosing a record. */
async function choose() {
  const [{ owner }, tables] = await Promise.all([me(), /** @type {Promise<TableRow[]>} */ (get("/api/tables"))]);
  /** @type {{name: string, games?: number}[]} */
  const records = owner ? await get("/api/records").catch(() => []) : [];
  const finished = tables.filter((t) => t.over);
  const send = async (/** @type {File | undefined} */ file) => file && show(await post("/api/replays", await file.text()));
  const input = h("input", { type: "file", test: "upload", accept: ".jsonl,.json,.txt,.xml,.kif", onchange: () => guard(() => send(input.files?.[0])) });
  const drop = h("label", { class: "drop", test: "drop" }, h("b", null, "Drop a record here"), h("span", { class: "hint" }, "or choose a file: records of matches, engines, tables and GGP"), input);
  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (e) => (e.preventDefault(), drop.classList.add("over")));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (e) => {
    e.preventDefault();
    drop.classList.remove("over");
    guard(() => send(e.dataTransfer?.files[0]));
  });
  const open = (/** @type {string} */ name) => async () => show(await post(`/api/records/${encodeURIComponent(name)}/open`));
  return h("div", { class: "look" },
    h("section", { class: "card" }, h("h1", null, "Replay"), owner ? drop : h("p", { class: "hint" }, "Finished tables of yours are listed here.")),
    h("section", { class: "card" }, h("h2", null, "Finished tables"), finished.length ? h("ul", { class: "rows" }, finished.map((t) => h("li", null,
      h("a", { class: "grow", href: hash("replay", { table: t.table }) }, h("b", null, t.game), " ", h("span", { class: "hint" }, t.seats.join(" · "))),
      h("span", { class: "hint" }, ago(t.updated))))) : h("p", { class: "hint" }, "None yet: play a game to the end."),
      owner && [h("h2", null, "Records on this machine"), records.length ? h("ul", { class: "rows" }, records.map((r) => h("li", null,
        h("span", { class: "grow" }, h("b", null, r.name), " ", h("span", { class: "hint" }, r.games ? `${r.games} game${r.games > 1 ? "s" : ""}` : "")),
        button("Open", open(r.name), { test: `record-${r.name}` })))) : h("p", { class: "hint" }, "None: start the server with --records and a directory.")]));
}

/** Stepping through a game. @param {Context} context @param {Place} place */
async function watch(context, place) {
  const { owner } = await me();
  /** @type {Replay | undefined} */
  const file = place.of === "replay" ? await get(`/api/replays/${encodeURIComponent(place.replay)}`) : undefined;
  const one = file?.games.find((g) => place.of === "replay" && g.number === place.number);
  let [seat, asked] = [whole(context.query.seat), 0];
  const at = (/** @type {number | undefined} */ step) => post("/api/position", { place: atStep(place, step), seat }, { theme: theme() });
  /** @type {Position[]} */
  const [start, last] = await Promise.all([at(place.of === "moves" ? undefined : (place.step ?? 0)), at(undefined)]);
  const steps = last.step ?? 0;
  let step = start.step ?? 0;
  const picture = pictureBox("replay-picture", 1.5);
  const words = h("p", { class: "status", "aria-live": "polite", test: "replay-words" });
  const slider = h("input", { type: "range", min: 0, max: steps, value: step, test: "replay-slider", "aria-label": "Step", class: "grow", oninput: () => go(Number(slider.value)) });
  const label = h("span", { class: "hint", test: "replay-step" });
  const list = h("ol", { class: "steps", tabindex: "-1" });
  const links = h("p", { class: "buttons" });
  const seats = select([["", "Everything"], ...Array.from({ length: start.players }, (_, i) => /** @type {[string, string]} */ ([String(i), `As player ${i}`]))],
    { value: seat === undefined ? "" : String(seat), "aria-label": "Seen by", test: "replay-seat", onchange: () => ((seat = whole(seats.value)), go(step)) });

  const go = (/** @type {number} */ to) => guard(async () => {
    step = Math.max(0, Math.min(steps, to));
    slider.value = String(step);
    label.textContent = `${step} of ${steps}`;
    context.setQuery({ ...placeQuery(atStep(place, step)), seat: seat === undefined ? undefined : String(seat) });
    const mine = ++asked;
    /** @type {Position} */
    const now = await at(step);
    if (mine === asked) draw(now);
  });

  /** @param {Position} now */
  function draw(now) {
    picture.show(now.svg);
    words.textContent = now.told || (now.last.length ? now.last.join(", ") : "The start.");
    for (const b of list.querySelectorAll("button")) b.setAttribute("aria-pressed", String(b.dataset.step === String(step)));
    list.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });
    const here = placeQuery(atStep(place, step));
    const mover = now.movers.includes(seat ?? -1) ? seat : now.movers[0];
    fill(links, owner && [
      !now.rewards && h("a", { class: "button main", href: hash("new", { game: one?.game ?? now.shown.game, ...here }), test: "play-on" }, "Play on from here"),
      mover !== undefined && h("a", { class: "button", href: hash("look", { ...here, seat: String(mover) }), test: "look-here" }, "Look inside here"),
      h("a", { class: "button", href: hash("review", here), test: "review" }, "Review")],
      place.of === "table" && h("a", { class: "button", href: `#/table/${place.table}` }, "To the table"),
      now.rewards && h("span", { class: "badges" }, now.rewards.map((r, i) => h("span", { class: "badge" }, seatName(i), ` ${num(r)}`))));
  }

  const keys = (/** @type {KeyboardEvent} */ event) => {
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: steps }[event.key];
    if (to === undefined || /** @type {Element} */ (event.target).closest("input, select, textarea")) return;
    event.preventDefault();
    go(to);
  };
  document.addEventListener("keydown", keys);
  context.onClose(() => document.removeEventListener("keydown", keys));
  context.onTheme(() => void go(step));
  fill(list, one?.names.map((names, i) => h("li", null, h("button", { type: "button", class: "link", "data-step": i + 1, onclick: () => go(i + 1) }, names.join(", ")))));
  label.textContent = `${step} of ${steps}`;
  draw(start);
  const other = file && file.games.length > 1 && select(file.games.map((g) => [String(g.number), `Game ${g.number}: ${g.agents.join(" – ")}`]), { value: String(one?.number), "aria-label": "Game",
    test: "replay-game", onchange: () => void (location.hash = hash("replay", { replay: file.replay, number: other ? other.value : "1", step: "0" })) });
  if (file && !one) toast("This record has no such game.");
  return h("div", { class: "table" },
    h("div", { class: "table-board" }, h("section", { class: "card board-card" }, picture.el, words,
      h("div", { class: "head" }, button("‹", () => go(step - 1), { "aria-label": "Step back", test: "replay-back" }), slider,
        button("›", () => go(step + 1), { "aria-label": "Step on", test: "replay-next" }), label))),
    h("aside", { class: "table-side" }, h("section", { class: "card" }, h("h1", null, one?.game ?? start.shown.game), other,
      one && h("ul", { class: "seat-list" }, one.agents.map((a, i) => h("li", null, seatName(i), h("span", { class: "who", title: a }, a),
        one.cheating[i] && h("span", { class: "badge bad" }, "cheats"), one.rewards && h("b", null, num(one.rewards[i]))))),
      seats, links, h("p", { class: "hint" }, "Arrow keys step back and on.")),
      one && h("section", { class: "card" }, h("h2", null, "Steps"), list)));
}

/** Replay: records and finished tables, step by step, seen by anybody. */

import { get, me, post } from "./api.js";
import { ago, badge, button, card, cheating, fill, goTo, guard, h, hint, num, seatName, select,
  toast } from "./dom.js";
import { pictureBox } from "./picture.js";
import { atStep, hash, placeQuery, positionAt, readPlace, whole } from "./place.js";

/** @param {Context} context */
export async function replay(context) {
  const place = readPlace(context.query);
  return place && place.of !== "moves" ? watch(context, place) : choose();
}

/** @param {Replay} opened */
const show = (opened) =>
  void (location.hash = hash("replay", { replay: opened.replay, number: "1", step: "0" }));

/** Choosing a record. */
async function choose() {
  /** @type {[Me, TableRow[]]} */
  const [{ owner }, tables] = await Promise.all([me(), get("/api/tables")]);
  /** @type {{name: string, games?: number}[]} */
  const records = owner ? await get("/api/records").catch(() => []) : [];
  const finished = tables.filter((t) => t.over);
  const send = async (/** @type {File | undefined} */ file) =>
    file && show(await post("/api/replays", await file.text()));
  const input = h("input", { type: "file", test: "upload", accept: ".jsonl,.json,.txt,.xml,.kif",
    onchange: () => guard(() => send(input.files?.[0])) });
  const drop = h("label", { class: "drop", test: "drop" }, h("b", null, "Drop a record here"),
    h("span", { class: "hint" }, "or choose a file: records of matches, engines, tables and GGP"), input);
  const over = (/** @type {Event} */ e) => (e.preventDefault(), drop.classList.add("over"));
  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, over);
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (e) => {
    e.preventDefault();
    drop.classList.remove("over");
    guard(() => send(e.dataTransfer?.files[0]));
  });
  const open = (/** @type {string} */ name) => async () =>
    show(await post(`/api/records/${encodeURIComponent(name)}/open`));
  const small = (/** @type {string} */ words) => h("span", { class: "hint" }, words);
  const played = finished.map((t) => h("li", null,
    h("a", { class: "grow", href: hash("replay", { table: t.table }) }, h("b", null, t.game), " ",
      small(t.seats.join(" · "))),
    small(ago(t.updated))));
  const kept = records.map((r) => h("li", null,
    h("span", { class: "grow" }, h("b", null, r.name), " ", r.games && small(`games: ${r.games}`)),
    button("Open", open(r.name), { test: `record-${r.name}` })));
  const list = (/** @type {Child[]} */ items, /** @type {string} */ none) =>
    items.length ? h("ul", { class: "rows" }, items) : hint(none);
  return h("div", { class: "look" },
    card(h("h1", null, "Replay"), owner ? drop : hint("Finished tables of yours are listed here.")),
    card(h("h2", null, "Finished tables"), list(played, "None yet: play a game to the end."),
      owner && [h("h2", null, "Records on this machine"),
        list(kept, "None: start the server with --records and a directory.")]));
}

/** Stepping through a game. @param {Context} context @param {Place} place */
async function watch(context, place) {
  const { owner } = await me();
  const record = place.of === "replay" && `/api/replays/${encodeURIComponent(place.replay)}`;
  /** @type {Replay | undefined} */
  const file = record ? await get(record) : undefined;
  const one = file?.games.find((g) => place.of === "replay" && g.number === place.number);
  let [seat, asked] = [whole(context.query.seat), 0];
  const at = (/** @type {number | undefined} */ step) => positionAt(atStep(place, step), seat);
  const [start, last] = await Promise.all([at(whole(context.query.step) ?? 0), at(undefined)]);
  const steps = last.step ?? 0;
  let step = start.step ?? 0;
  const picture = pictureBox("replay-picture", 1.5);
  const words = h("p", { class: "status", "aria-live": "polite", test: "replay-words" });
  const slider = h("input", { type: "range", min: 0, max: steps, value: step, test: "replay-slider",
    "aria-label": "Step", class: "grow", oninput: () => go(Number(slider.value)) });
  const label = h("span", { class: "hint", test: "replay-step" });
  const list = h("ol", { class: "steps", tabindex: "-1" });
  const links = h("p", { class: "buttons" });
  /** @type {[string, string][]} */
  const everybody = Array.from({ length: start.players }, (_, i) => [String(i), `As player ${i}`]);
  const seats = select([["", "Everything"], ...everybody], { value: String(seat ?? ""),
    "aria-label": "Seen by", test: "replay-seat", onchange: () => ((seat = whole(seats.value)), go(step)) });

  const go = (/** @type {number} */ to) => guard(async () => {
    step = Math.max(0, Math.min(steps, to));
    slider.value = String(step);
    label.textContent = `${step} of ${steps}`;
    context.setQuery({ ...placeQuery(atStep(place, step)), seat: String(seat ?? "") });
    const mine = ++asked;
    const now = await at(step);
    if (mine === asked) draw(now);
  });

  /** @param {Position} now */
  function draw(now) {
    picture.show(now.svg);
    words.textContent = now.told || (now.last.length ? now.last.join(", ") : "The start.");
    list.querySelectorAll("button").forEach((b, i) => b.setAttribute("aria-pressed", String(i + 1 === step)));
    list.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });
    const here = placeQuery(atStep(place, step));
    const mover = now.movers.includes(seat ?? -1) ? seat : now.movers[0];
    const on = hash("new", { game: one?.game ?? now.shown.game, ...here });
    const look = hash("look", { ...here, seat: String(mover) });
    fill(links, owner && [
      !now.rewards && goTo("Play on from here", on, { class: "main", test: "play-on" }),
      mover !== undefined && goTo("Look inside here", look, { test: "look-here" }),
      goTo("Review", hash("review", here), { test: "review" })],
      place.of === "table" && goTo("To the table", `#/table/${place.table}`),
      now.rewards && h("span", { class: "badges" },
        now.rewards.map((r, i) => badge([seatName(i), ` ${num(r)}`]))));
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
  fill(list, one?.names.map((names, i) =>
    h("li", null, button(names.join(", "), () => go(i + 1), { class: "link", test: "replay-item" }))));
  label.textContent = `${step} of ${steps}`;
  draw(start);
  /** @type {[string, string][]} */
  const games = (file?.games ?? []).map((g) => [String(g.number),
    `Game ${g.number}: ${g.agents.join(" – ")}`]);
  const other = select(games, { value: String(one?.number), "aria-label": "Game", test: "replay-game",
    onchange: () => void (location.hash = hash("replay", { replay: file?.replay, number: other.value })) });
  if (file && !one) toast("This record has no such game.");
  return h("div", { class: "table" },
    h("div", { class: "table-board" }, h("section", { class: "card board-card" }, picture.el, words,
      h("div", { class: "head" },
        button("‹", () => go(step - 1), { "aria-label": "Step back", test: "replay-back" }), slider,
        button("›", () => go(step + 1), { "aria-label": "Step on", test: "replay-next" }), label))),
    h("aside", { class: "table-side" },
      card(h("h1", null, one?.game ?? start.shown.game), games.length > 1 && other,
        one && h("ul", { class: "seat-list" }, one.agents.map((a, i) => h("li", null, seatName(i),
          h("span", { class: "who", title: a }, a), one.cheating[i] && cheating(),
          one.rewards && h("b", null, num(one.rewards[i]))))),
        seats, links, hint("Arrow keys step back and on.")),
      one && card(h("h2", null, "Steps"), list)));
}

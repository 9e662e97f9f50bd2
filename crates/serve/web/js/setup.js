/** Setting up a game: form and address always say the same. */

import { agents, games, get } from "./api.js";
import { afterPause, button, card, copyButton, field, fill, h, midway, properties, seatName,
  select } from "./dom.js";
import { openTable } from "./lobby.js";
import { readSpec, specForm } from "./params.js";
import { readPlace, whole } from "./place.js";
import { pictureBox } from "./picture.js";
import { theme } from "./theme.js";

/** Reads `300+2`. @param {string | undefined} text */
function readClock(text) {
  const [, seconds, increment] = /^(\d+)(?:\+(\d+))?$/.exec(text ?? "") ?? [];
  return seconds ? { seconds: Number(seconds), increment: Number(increment ?? 0) } : undefined;
}

/** Whether a seat is not an agent's. @param {string} who */
const person = (who) => who === "person" || who === "link";

/** @param {Context} context */
export async function setup(context) {
  const [all, every] = await Promise.all([games(), agents()]);
  /** @type {Query} */
  const q = { ...context.query };
  q.game ||= all[0].name;
  const place = readPlace(q);
  const from = place && (place.of !== "moves" || place.moves) ? place : undefined;
  /** @type {Setup | undefined} */
  let known;
  /** @type {AbortController | undefined} */
  let asking;

  const seats = h("div", { class: "seats-form" });
  const error = h("p", { class: "error", role: "alert", test: "setup-error", hidden: true });
  const facts = h("p", { class: "badges" });
  const remark = h("p", { class: "hint" });
  const picture = pictureBox("setup-picture");
  const start = button("Start", begin, { class: "main large", test: "start", disabled: true });

  /** Writes the form into the address. */
  const changed = () => {
    for (let seat = known?.players ?? 99; q[`seat${seat}`]; seat++) delete q[`seat${seat}`];
    context.setQuery({ ...q });
  };
  const ask = afterPause(200, check);

  const game = specForm(all, q.game, (spec) => {
    q.game = spec;
    changed();
    start.disabled = true;
    ask();
  }, { label: "Game", test: "game-select" });

  async function check() {
    asking?.abort();
    asking = new AbortController();
    try {
      known = /** @type {Setup} */ (await get("/api/setup", { game: q.game }, asking.signal));
    } catch (problem) {
      if (/** @type {Error} */ (problem).name === "AbortError") return;
      known = undefined;
      error.textContent = /** @type {Error} */ (problem).message;
    }
    error.hidden = known !== undefined;
    start.disabled = !known;
    if (!known || context.closed) return;
    const f = known.about.facts;
    fill(facts, properties(f, known.players));
    fill(remark, known.about.remark);
    drawSeats();
    const drawing = { game: q.game, moves: midway(f), theme: theme() };
    picture.show(await get("/api/picture", drawing, asking.signal).catch(() => undefined));
  }

  /** Who sits in a seat by the address. @param {number} seat */
  const sitter = (seat) => q[`seat${seat}`] ?? (seat ? (known?.usual ?? "") : "person");
  let drawn = "";
  function drawSeats() {
    if (!known) return;
    const why = new Map(known.agents.filter((a) => a.why).map((a) => [a.name, a.why ?? ""]));
    const now = JSON.stringify([known.players, known.usual, [...why]]);
    if (now === drawn) return;
    drawn = now;
    const roles = known.about.roles?.length === known.players ? known.about.roles : undefined;
    fill(seats, Array.from({ length: known.players }, (_, seat) => seatRow(seat, why, roles?.[seat])));
  }

  /** @param {number} seat @param {Map<string, string>} why @param {string} [role] */
  function seatRow(seat, why, role) {
    const usual = known?.usual ?? every[0].name;
    const who = sitter(seat);
    const agent = specForm(every, person(who) ? usual : who, (spec) => {
      q[`seat${seat}`] = spec;
      changed();
    }, { label: `Agent of player ${seat}`, folded: true, test: `seat-agent-${seat}` });
    agent.forbid(why);
    const kind = select([["person", "Person, here"], ["link", "Person, by link"], ["agent", "Agent"]], {
      value: person(who) ? who : "agent", "aria-label": `Who plays seat ${seat}`, test: `seat-kind-${seat}`,
      onchange: () => {
        q[`seat${seat}`] = kind.value === "agent" ? agent.spec() : kind.value;
        agent.el.hidden = kind.value !== "agent";
        changed();
      },
    });
    agent.el.hidden = kind.value !== "agent";
    const unfit = why.get(readSpec(who).name);
    if (unfit) agent.el.append(h("p", { class: "error" }, unfit));
    return h("div", { class: "seat-row", test: `seat-row-${seat}` },
      h("div", { class: "seat-who" }, seatName(seat, role ? `${seat} · ${role}` : undefined), kind),
        agent.el);
  }

  /** The table that the form describes. @returns {NewTable} */
  function wanted() {
    const who = Array.from({ length: known?.players ?? 0 }, (_, i) => sitter(i));
    const seated = who.map((w) => (person(w) ? null : w));
    const sit = who.flatMap((w, i) => (w === "person" ? [i] : []));
    return { game: q.game ?? "", seats: seated, sit, open: q.open === "1" || undefined, seed: whole(q.seed),
      clock: readClock(q.clock), delay: whole(q.delay), from };
  }

  async function begin() {
    start.disabled = true;
    await openTable(wanted()).finally(() => (start.disabled = false));
  }

  /** An input whose text goes into the address. @param {string} key @param {Props} props */
  function input(key, props) {
    const tick = props.type === "checkbox";
    const el = h("input", { ...props, [tick ? "checked" : "value"]: tick ? q[key] === "1" : q[key] });
    el.addEventListener("input", () => {
      q[key] = tick ? (el.checked ? "1" : undefined) : el.value || undefined;
      changed();
    });
    return el;
  }

  await check();
  const digits = { inputmode: "numeric", pattern: "\\d+", autocomplete: "off" };
  const clock = input("clock", { placeholder: "none, or 300+2", pattern: "\\d+(\\+\\d+)?", test: "clock",
    autocomplete: "off" });
  return h("div", { class: "setup" },
    card(h("h1", null, "Set up a game"), game.el, facts, remark, error, picture.el),
    card(
      from && h("p", { class: "note" }, from.of === "moves" ? "Play goes on from the moves in the address."
        : `Play goes on from step ${from.step ?? "the last"} of a game played before.`),
      h("h2", null, "Seats"), seats,
      h("h2", null, "Rules of the table"),
      h("div", { class: "fields" },
        field("Clock", clock, "Seconds for each person, and seconds added for each move"),
        field("Seed", input("seed", { ...digits, placeholder: "drawn", test: "seed" }),
          "The seed of the deal; if none is given it is drawn, promised at the start and told at the end"),
        field("Pause of agents (ms)", input("delay", { ...digits, placeholder: "usual" })),
        h("label", { class: "chip" }, input("open", { type: "checkbox", test: "open" }),
          "Open: everything may be seen and looked into")),
      h("p", { class: "buttons" }, start, copyButton(() => location.href, { test: "copy-link" }))));
}

/** The table: play, watch, and what is told on the way. */

import { get, live, me, post } from "./api.js";
import { button, card, cheating, copyButton, fill, fold, goTo, guard, h, keepPlace, num, seatName,
  toast } from "./dom.js";
import { openTable } from "./lobby.js";
import { inside, rootTable } from "./look.js";
import { moveList } from "./moves.js";
import { board } from "./picture.js";
import { hash } from "./place.js";
import { theme } from "./theme.js";

/** Minutes and seconds. @param {number} ms */
function time(ms) {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {Context} context */
export async function table(context) {
  const id = context.path[1] ?? "";
  const url = `/api/tables/${encodeURIComponent(id)}`;
  /** @type {[TableView, Me]} */
  const [first, { owner }] = await Promise.all([get(url, { theme: theme() }), me()]);
  let [view, received, heard, busy] = [first, Date.now(), 0, false];
  /** The seat that is shown; null is the whole table. @type {number | null} */
  let seat = first.views[0]?.view.seat ?? null;
  /** The seat whose player has said to be in front of the screen. */
  let present = first.views.length > 1 ? -1 : (seat ?? -1);
  const game = first.game;
  /** @type {Setup | null} */
  const setup = first.views.length ? await get("/api/setup", { game }).catch(() => null) : null;
  const hidden = setup?.about.facts?.hidden ?? true;

  const own = () => view.views.find((v) => v.view.seat === seat);
  const act = (/** @type {string} */ what, /** @type {object} */ body) => guard(async () => {
    if (busy) return;
    busy = true;
    el.classList.add("busy");
    const before = heard;
    // What was heard meanwhile may be newer than the answer.
    await post(`${url}/${what}`, body, { theme: theme() }).then((next) => heard === before && update(next))
      .finally(() => ((busy = false), el.classList.remove("busy"), picture.again()));
  });
  const play = (/** @type {string} */ move) => {
    const mine = own();
    if (mine) act("move", { seat: mine.view.seat, move, revision: mine.view.revision });
  };

  // What stands on the page, made once and filled again and again.
  const picture = board(play);
  const moves = moveList(play, picture.point);
  const status = h("p", { class: "status", role: "status", test: "status" });
  const tabs = h("div", { class: "tabs", role: "group", "aria-label": "Whose view" });
  const seats = h("ul", { class: "seat-list" });
  const told = h("ul", { class: "told", "aria-live": "polite", test: "told", tabindex: "-1" });
  const result = h("section", { class: "result card", test: "result", hidden: true, tabindex: "-1",
    "aria-live": "polite" });
  const unsaved = h("p", { class: "error", role: "alert", hidden: true });
  const curtain = h("div", { class: "curtain", test: "curtain", hidden: true });
  const search = h("section", { class: "card", test: "live-search", hidden: true });
  const hintBox = h("section", { class: "card", test: "hint-panel", hidden: true, tabindex: "-1" });
  /** The hint that is open. @type {{close: () => void, again: () => void} | undefined} */
  let opened;
  let hinted = -1;

  const undo = button("Undo", () => act("undo", { seat }), { test: "undo" });
  const hint = button("Hint", openHint, { test: "hint" });
  const sure = h("span", { class: "confirm", hidden: true }, "Resign this game?",
    button("Yes, resign", () => ((sure.hidden = true), act("resign", { seat })),
      { class: "danger", test: "resign-yes" }),
    button("No", () => ((sure.hidden = true), resign.focus()), { test: "resign-no" }));
  const resign = button("Resign", () => {
    sure.hidden = false;
    sure.querySelector("button")?.focus();
  }, { test: "resign" });
  const inspect = goTo("Look inside", "#/look", { test: "look" });
  const pause = button("Pause", () => act("pace", { paused: !view.pace?.paused }), { test: "pause" });
  const step = button("Step", () => act("pace", { step: true }), { test: "step" });
  const speed = h("input", { type: "range", min: 0, max: 3000, step: 100, test: "speed",
    "aria-label": "Milliseconds between moves",
    onchange: () => act("pace", { delay: 3000 - Number(speed.value) }) });
  const pace = h("div", { class: "pace" }, pause, step, h("label", null, "Slow", speed, "Fast"));
  const actions = h("div", { class: "buttons actions" }, undo, hint, resign, inspect, sure);

  const choosing = card(h("h2", null, "Moves"), moves.el);
  const el = h("div", { class: "table" },
    h("div", { class: "table-board" }, h("div", { class: "card board-card" }, tabs, picture.el, curtain)),
    h("aside", { class: "table-side" }, result,
      card(h("h1", null, game), status, unsaved, seats, pace, actions),
      card(h("h2", null, "What happened"), told),
      choosing),
    h("div", { class: "table-below" }, search, hintBox));

  /** @param {TableView} next */
  function update(next) {
    if (context.closed || !next?.table) return;
    view = next;
    received = Date.now();
    const asked = view.views.filter((v) => v.view.to_move);
    if (view.views.length > 1 && seat !== null && asked.length && !asked.some((v) => v.view.seat === seat)) {
      seat = asked[0].view.seat;
    }
    if (seat !== null && !own()) seat = view.views[0]?.view.seat ?? null;
    draw();
  }

  function draw() {
    const mine = own();
    const covered = mine !== undefined && view.views.length > 1 && hidden && !view.all_seen
      && present !== seat && !view.over;
    curtain.hidden = !covered;
    picture.el.hidden = covered;
    if (covered && curtain.dataset.seat !== String(seat)) {
      curtain.dataset.seat = String(seat);
      fill(curtain, h("p", null, "Pass the screen to ", seatName(seat ?? 0), "."), button("I am here", () => {
        present = seat ?? -1;
        draw();
        picture.focus();
      }, { class: "main large", test: "curtain-open" }));
      curtain.querySelector("button")?.focus();
    }
    if (!covered) delete curtain.dataset.seat;
    const legal = (mine && !covered && mine.view.to_move && mine.view.legal) || [];
    const text = mine ? mine.svg : view.whole?.svg;
    if (text && !covered) picture.show(text, legal);
    moves.show(legal, covered ? "" : "Waiting for the others …");
    drawResult(mine);
    choosing.hidden = !mine || view.over || view.failed !== undefined;
    const news = mine ? mine.view.told : (view.whole?.told ?? view.whole?.moves)?.slice(-12);
    const words = (!covered && news?.length ? news : ["Nothing new."]).map((t) => h("li", null, t));
    if (told.textContent !== words.map((w) => w.textContent).join("")) fill(told, words);
    keepPlace(seats, () => fill(seats, view.seats.map(seatLine)));
    keepPlace(tabs, drawTabs);
    unsaved.hidden = !view.unsaved;
    unsaved.textContent = view.unsaved ?? "";
    drawStatus(mine);
    drawActions(mine);
  }

  /** @param {SeatAbout} about @param {number} i */
  function seatLine(about, i) {
    const { turn, clocks, thinking } = view.whole ?? {};
    const left = view.views.find((v) => v.view.seat === i)?.clock ?? clocks?.[i];
    const moving = view.views.some((v) => v.view.seat === i && v.view.to_move) || turn?.players?.includes(i);
    const link = about.kind === "person" && !about.yours && !about.taken && view.links?.[i];
    const who = about.kind === "agent" ? about.agent : about.yours ? "you" : about.taken ? "person"
      : "nobody yet";
    return h("li", { class: moving && !view.over ? "moving" : "" }, seatName(i),
      h("span", { class: "who", title: who }, who),
      about.cheats && cheating(),
      thinking === i && h("span", { class: "hint" }, "thinking …"),
      left !== undefined && h("span",
        { class: "clock", "data-left": left, "data-runs": moving && !view.over ? "1" : null }, time(left)),
      link && copyButton(() => new URL(link, location.href).href,
        { test: `seat-link-${i}`, "data-key": `link-${i}`, "data-link": link }));
  }

  function drawTabs() {
    const all = /** @type {(number | null)[]} */ (view.views.map((v) => v.view.seat));
    if (view.whole && all.length) all.push(null);
    tabs.hidden = all.length < 2;
    fill(tabs, all.map((s) => button(s === null ? "Everything" : `Player ${s}`, () => ((seat = s), draw()),
      { "aria-pressed": String(s === seat), "data-key": `tab-${s}`, test: `tab-${s ?? "whole"}` })));
  }

  /** @param {OwnView | undefined} mine */
  function drawStatus(mine) {
    const movers = view.whole?.turn.players ?? [];
    const yours = mine?.view.to_move && !view.over;
    const words = view.failed ? "The table has ended."
      : view.over ? "The game is over."
      : yours ? "Your turn"
      : view.pace?.paused ? "Paused"
      : movers.length ? `To move: ${movers.map((m) => `player ${m}`).join(", ")}`
      : "Waiting for the others …";
    if (status.textContent !== words) status.textContent = words;
    status.classList.toggle("yours", Boolean(yours));
    document.title = `${yours ? "● Your turn · " : ""}${game} · Fogtree`;
  }

  /** @param {OwnView | undefined} mine */
  function drawActions(mine) {
    const running = !view.over && !view.failed;
    undo.hidden = resign.hidden = !mine || !running;
    hint.hidden = !mine || !running || !owner;
    if (!running) sure.hidden = true;
    undo.disabled = !mine?.undo;
    hint.disabled = !mine?.view.to_move;
    inspect.hidden = !owner || !view.all_seen || view.over;
    const { step: now, turn } = view.whole ?? {};
    inspect.href = hash("look", { table: id, step: String(now ?? 0), seat: String(turn?.players?.[0] ?? 0) });
    pace.hidden = !view.pace || !running;
    if (view.pace) {
      pause.textContent = view.pace.paused ? "Go on" : "Pause";
      step.disabled = !view.pace.paused;
      if (document.activeElement !== speed) speed.value = String(3000 - view.pace.delay);
    }
    if (!mine?.view.to_move || mine.view.revision !== hinted) dropHint();
    if (!running) search.hidden = true;
  }

  /** @param {OwnView | undefined} mine */
  function drawResult(mine) {
    const over = mine?.view.over;
    const focused = document.activeElement ?? document.body;
    const lost = focused === document.body || choosing.contains(focused) || picture.el.contains(focused);
    const wanted = result.hidden && lost;
    result.hidden = !view.over && !view.failed;
    if (result.hidden || result.dataset.of === `${view.over}${seat}${view.whole?.step}`) return;
    result.dataset.of = `${view.over}${seat}${view.whole?.step}`;
    const rewards = over?.rewards ?? view.whole?.rewards;
    const best = Math.max(...(rewards ?? [0]));
    const won = seat !== null && rewards?.[seat] === best;
    const alone = rewards?.filter((r) => r === best).length === 1;
    const words = view.failed ? "The table has ended"
      : view.lost_on_time !== undefined ? `Player ${view.lost_on_time} has run out of time`
      : over?.resigned === seat && seat !== null ? "You have resigned"
      : over?.resigned !== undefined ? `Player ${over.resigned} has resigned`
      : seat === null || !rewards ? "The game is over"
      : rewards.every((r) => r === best) ? "A draw"
      : won ? (alone ? "You have won" : "You share the first place")
      : "You have lost";
    const most = Math.max(...(rewards ?? []).map(Math.abs), 1e-9);
    fill(result, h("h2", null, words), view.failed && h("p", { class: "error" }, view.failed),
      rewards && h("ul", { class: "rewards" }, rewards.map((r, i) => h("li", null, seatName(i),
        h("b", null, num(r)),
          h("progress", { value: Math.max(0, r / most), max: 1, "aria-hidden": "true" })))),
      h("p", { class: "buttons" },
        owner && goTo("Review", hash("review", { table: id }), { class: "main", test: "review" }),
        goTo("Replay", hash("replay", { table: id }), { test: "replay" }),
        view.all_seen && goTo("Record", `${url}/record`, { download: `${id}.jsonl`, test: "record" }),
        owner && button("Play again", again, { test: "again" })),
      over && fold("Seed and promise",
        h("dl", { class: "facts" }, h("dt", null, "Seed"), h("dd", null, String(over.seed)),
          over.salt && [h("dt", null, "Salt"), h("dd", null, over.salt)],
          mine?.view.commitment && [h("dt", null, "Promised hash"), h("dd", null, mine.view.commitment)])));
    if (wanted) result.focus({ preventScroll: true });
  }

  function again() {
    const sit = view.seats.flatMap((s, i) => (s.yours ? [i] : []));
    return openTable({ game, seats: view.seats.map((s) => s.agent ?? null), sit, open: view.open || undefined,
      clock: view.clock, delay: view.pace?.delay });
  }

  async function openHint() {
    const mine = own();
    if (!mine) return;
    dropHint();
    /** @type {Place} */
    const place = { of: "table", table: id };
    const panel = await inside(context, { place, seat: mine.view.seat, beliefs: hidden });
    [opened, hinted] = [panel, mine.view.revision];
    fill(hintBox, h("div", { class: "head" }, h("h2", null, "Hint: a search from your seat"),
      button("Close", () => (dropHint(), hint.focus()), { class: "quiet", test: "hint-close" })),
    panel.settings, panel.outcome);
    hintBox.hidden = false;
    hintBox.scrollIntoView({ block: "nearest", behavior: "smooth" });
    await panel.run();
  }

  function dropHint() {
    opened?.close();
    opened = undefined;
    hintBox.hidden = true;
  }

  /** @param {{seat: number, findings: Findings}} found */
  function searched({ seat: who, findings }) {
    search.hidden = view.over;
    const title = h("h2", null, "What ", seatName(who), " is thinking");
    fill(search, title, rootTable(findings, view.players, who));
  }

  function tick() {
    for (const clock of seats.querySelectorAll(".clock[data-runs]")) {
      const left = Number(clock.getAttribute("data-left")) - (Date.now() - received);
      clock.textContent = time(left);
      clock.classList.toggle("low", left < 20000);
    }
  }

  const bar = document.getElementById("lost");
  let close = () => {};
  const gone = () => {
    close();
    if (!context.closed) toast("This table is no longer there.");
  };
  function listen() {
    close();
    const hear = (/** @type {TableView} */ next) => (heard++, update(next));
    close = live(`${url}/live?theme=${theme()}`, { table: hear, search: searched, gone }, (state) => {
      bar?.toggleAttribute("hidden", state !== "lost");
      if (state === "gone") gone();
    });
  }
  const keys = (/** @type {KeyboardEvent} */ event) => {
    moves.key(event);
    if (event.key === "Escape") picture.clear();
  };
  document.addEventListener("keydown", keys);
  const timer = window.setInterval(tick, 250);
  context.onTheme(() => (listen(), opened?.again()));
  context.onClose(() => {
    close();
    dropHint();
    clearInterval(timer);
    document.removeEventListener("keydown", keys);
  });
  update(first);
  listen();
  return el;
}

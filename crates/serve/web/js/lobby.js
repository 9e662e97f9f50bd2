/** The start page: all games, and the tables that were not finished. */

import { address, games, get, me, post, remove } from "./api.js";
import { ago, badge, button, fill, fold, goTo, h, midway, properties, select } from "./dom.js";
import { hash } from "./place.js";
import { theme } from "./theme.js";

/** What games can be filtered by. @type {[string, string, (facts: Facts) => boolean][]} */
const KINDS = [
  ["hidden", "Hidden information", (f) => f.hidden],
  ["chance", "Chance", (f) => f.chance !== "never"],
  ["simultaneous", "Simultaneous", (f) => f.simultaneous],
];

/** Makes a table and goes there. @param {NewTable} wanted */
export async function openTable(wanted) {
  location.hash = `#/table/${(await post("/api/tables", wanted)).table}`;
}

/** Starts a game at once: a person in the first seat, the usual agent elsewhere. @param {string} game */
async function playNow(game) {
  /** @type {Setup} */
  const { players, usual } = await get("/api/setup", { game });
  await openTable({ game, seats: Array.from({ length: players }, (_, i) => (i ? usual : null)), sit: [0] });
}

/** @param {GameAbout} game @param {boolean} owner */
function gameCard(game, owner) {
  const source = address("/api/picture", { game: game.name, moves: midway(game.facts), theme: theme() });
  const picture = game.facts && h("img", { src: source, alt: "", loading: "lazy", decoding: "async" });
  const set = hash("new", { game: game.name });
  picture && picture.addEventListener("error", () => picture.remove());
  return h("li", { class: "game card", test: `game-card-${game.name}` },
    h("a", { class: "game-picture", href: set, tabindex: "-1", "aria-hidden": "true" }, picture),
    h("h3", null, game.name),
    h("p", null, game.summary),
    h("p", { class: "badges" }, game.facts ? properties(game.facts) : badge("needs parameters")),
    owner && h("p", { class: "buttons" },
      game.facts && button("Play now", () => playNow(game.name),
        { class: "main", test: "play-now", "aria-label": `Play ${game.name} now` }),
      goTo("Set up …", set, { test: "set-up" })));
}

/** @param {TableRow} row @param {boolean} owner @param {() => void} changed */
function tableRow(row, owner, changed) {
  const words = row.over ? "finished" : row.yours.length ? "yours" : "agents";
  return h("li", { test: `table-row-${row.table}` },
    h("a", { href: `#/table/${row.table}`, class: "grow" }, h("strong", null, row.game), " ",
      h("span", { class: "hint" }, row.seats.join(" · "))),
    badge(words), h("span", { class: "hint" }, ago(row.updated)),
    goTo(row.over ? "See" : "Resume", `#/table/${row.table}`),
    owner && button("Delete", async () => {
      await remove(`/api/tables/${row.table}`);
      changed();
    }, { class: "quiet", "aria-label": `Delete the table of ${row.game}` }));
}

/** @param {Context} context */
export async function lobby(context) {
  const [all, { owner, version }] = await Promise.all([games(), me()]);
  const list = h("ul", { class: "games" });
  const none = h("p", { class: "hint", hidden: true }, "No game fits. Try fewer words or filters.");
  const mine = h("section", { class: "card", hidden: true, "aria-label": "Your tables", test: "tables" });

  const find = h("input", { type: "search", placeholder: "Search games", "aria-label": "Search games",
    test: "lobby-search", value: context.query.find, autocomplete: "off" });
  const counts = [...new Set(all.map((g) => g.facts?.players ?? 0))].filter(Boolean).sort((a, b) => a - b);
  /** @type {[string, string][]} */
  const numbers = counts.map((n) => [`${n}`, `${n} players`]);
  const players = select([["", "Any number"], ...numbers],
    { "aria-label": "Players", value: context.query.players ?? "", test: "filter-players" });
  const flags = KINDS.map(([name, words, has]) => ({ name, words, has,
    box: h("input", { type: "checkbox", checked: context.query[name] === "1", test: `filter-${name}` }) }));

  const sorted = [...all].sort((a, b) => Number(b.facts?.hidden ?? false) - Number(a.facts?.hidden ?? false));
  const text = (/** @type {GameAbout} */ g) =>
    [g.name, g.summary, ...g.presets.flatMap((p) => [p.name, p.about])].join(" ").toLowerCase();
  const cards = sorted.map((game) => ({ game, el: gameCard(game, owner), words: text(game) }));
  fill(list, cards.map((c) => c.el));
  function draw() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = flags.filter((f) => f.box.checked);
    for (const { game: { facts }, el, words: own } of cards) {
      const counted = !players.value || `${facts?.players}` === players.value;
      const right = wanted.every((w) => facts && w.has(facts));
      el.hidden = !(counted && right && words.every((w) => own.includes(w)));
    }
    none.hidden = cards.some((c) => !c.el.hidden);
    const set = Object.fromEntries(flags.map((f) => [f.name, f.box.checked ? "1" : undefined]));
    context.setQuery({ find: find.value || undefined, players: players.value || undefined, ...set });
  }
  for (const input of [find, players, ...flags.map((f) => f.box)]) input.addEventListener("input", draw);

  async function tables() {
    /** @type {TableRow[]} */
    const rows = await get("/api/tables");
    rows.sort((a, b) => Number(a.over) - Number(b.over) || b.updated - a.updated);
    const unfinished = rows.filter((r) => !r.over).length;
    mine.hidden = !rows.length;
    const shown = Math.max(unfinished, 3);
    const line = (/** @type {TableRow} */ r) => tableRow(r, owner, tables);
    fill(mine, h("h2", null, unfinished ? `Your tables (${unfinished} unfinished)` : "Your tables"),
      h("ul", { class: "rows" }, rows.slice(0, shown).map(line)),
      rows.length > shown && fold(`${rows.length - shown} more`,
        h("ul", { class: "rows" }, rows.slice(shown).map(line))));
  }
  const invited = h("span", { role: "status" });
  await tables();
  draw();
  return h("div", { class: "lobby" },
    h("section", { class: "hero" }, h("h1", null, "Play in the fog"),
      h("p", null, "Games of hidden information: play searches, watch them, and see what they believed.")),
    mine,
    owner && h("search", { class: "filters" }, find,
      flags.map((f) => h("label", { class: "chip" }, f.box, f.words)), players),
    owner ? [list, none] : h("p", { class: "card" }, "You are a guest here: your tables are listed above."),
    h("footer", { class: "hint buttons" }, `Fogtree ${version}`,
      owner && button("Let in another browser", async () => {
        const { link } = await post("/api/invite");
        fill(invited, "Open this link there; it works once: ",
          h("code", null, new URL(link, location.href).href));
      }, { class: "quiet", test: "invite" }), invited));
}

/** The start page: all games, and the tables that were not finished. */

import { address, games, get, me, post, remove } from "./api.js";
import { ago, button, fill, h, select } from "./dom.js";
import { hash } from "./place.js";
import { theme } from "./theme.js";

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

/** @param {GameAbout} game */
function badges({ facts }) {
  if (!facts) return [h("span", { class: "badge" }, "needs parameters")];
  const words = [`${facts.players} player${facts.players === 1 ? "" : "s"}`, facts.hidden && "hidden information",
    facts.chance !== "never" && "chance", facts.simultaneous && "simultaneous"];
  return words.filter(Boolean).map((w) => h("span", { class: "badge" }, w));
}

/** @param {GameAbout} game @param {boolean} owner */
function card(game, owner) {
  const moves = Math.min(8, Math.ceil((game.facts?.max_length ?? 0) / 3));
  const source = address("/api/picture", { game: game.name, moves, theme: theme() });
  const picture = game.facts && h("img", { src: source, alt: "", loading: "lazy", decoding: "async" });
  picture && picture.addEventListener("error", () => picture.remove());
  return h("li", { class: "game card", test: `game-card-${game.name}` },
    h("a", { class: "game-picture", href: hash("new", { game: game.name }), tabindex: "-1", "aria-hidden": "true" }, picture),
    h("h3", null, game.name),
    h("p", null, game.summary),
    h("p", { class: "badges" }, badges(game)),
    owner && h("p", { class: "buttons" },
      game.facts && button("Play now", () => playNow(game.name),
        { class: "main", test: "play-now", "aria-label": `Play ${game.name} now` }),
      h("a", { class: "button", href: hash("new", { game: game.name }), test: "set-up" }, "Set up …")));
}

/** @param {TableRow} row @param {boolean} owner @param {() => void} changed */
function tableRow(row, owner, changed) {
  const words = row.over ? "finished" : row.yours.length ? "yours" : "agents";
  return h("li", { test: `table-row-${row.table}` },
    h("a", { href: `#/table/${row.table}`, class: "grow" }, h("strong", null, row.game), " ",
      h("span", { class: "hint" }, row.seats.join(" · "))),
    h("span", { class: "badge" }, words), h("span", { class: "hint" }, ago(row.updated)),
    h("a", { class: "button", href: `#/table/${row.table}` }, row.over ? "See" : "Resume"),
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

  const find = h("input", { type: "search", placeholder: "Search games", "aria-label": "Search games", test: "lobby-search",
    value: context.query.find, autocomplete: "off" });
  const counts = [...new Set(all.map((g) => g.facts?.players ?? 0))].filter(Boolean).sort((a, b) => a - b);
  /** @type {[string, string][]} */
  const options = [["", "Any number"], ...counts.map((n) => /** @type {[string, string]} */ ([`${n}`, `${n} players`]))];
  const players = select(options, { "aria-label": "Players", value: context.query.players ?? "", test: "filter-players" });
  const flags = ["hidden", "chance", "simultaneous"].map((name) => ({ name,
    box: h("input", { type: "checkbox", checked: context.query[name] === "1", test: `filter-${name}` }) }));

  const sorted = [...all].sort((a, b) => Number(b.facts?.hidden ?? false) - Number(a.facts?.hidden ?? false));
  const cards = sorted.map((game) => ({ game, el: card(game, owner), words:
    [game.name, game.summary, ...game.presets.flatMap((p) => [p.name, p.about])].join(" ").toLowerCase() }));
  fill(list, cards.map((c) => c.el));
  function draw() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = { hidden: (/** @type {Facts} */ f) => f.hidden, chance: (/** @type {Facts} */ f) => f.chance !== "never",
      simultaneous: (/** @type {Facts} */ f) => f.simultaneous };
    const wanted = flags.filter((f) => f.box.checked).map((f) => has[/** @type {keyof has} */ (f.name)]);
    for (const { game, el, words: own } of cards) {
      const facts = game.facts;
      const right = facts ? wanted.every((w) => w(facts)) && (!players.value || `${facts.players}` === players.value)
        : !wanted.length && !players.value;
      el.hidden = !(right && words.every((w) => own.includes(w)));
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
      rows.length > shown && h("details", { class: "fold" }, h("summary", null, `${rows.length - shown} more`),
        h("ul", { class: "rows" }, rows.slice(shown).map(line))));
  }
  const invited = h("span", { role: "status" });
  await tables();
  draw();
  return h("div", { class: "lobby" },
    h("section", { class: "hero" }, h("h1", null, "Play in the fog"),
      h("p", null, "Games with hidden information and chance: play against searches, watch them, and see what they believed.")),
    mine,
    owner && h("search", { class: "filters" }, find, flags.map((f) => h("label", { class: "chip" }, f.box,
      { hidden: "Hidden information", chance: "Chance", simultaneous: "Simultaneous" }[f.name])), players),
    owner ? [list, none] : h("p", { class: "card" }, "You are a guest here: your tables are listed above."),
    h("footer", { class: "hint buttons" }, `Fogtree ${version}`,
      owner && button("Let in another browser", async () => {
        const { link } = await post("/api/invite");
        fill(invited, "Open this link there; it works once: ", h("code", null, new URL(link, location.href).href));
      }, { class: "quiet", test: "invite" }), invited));
}

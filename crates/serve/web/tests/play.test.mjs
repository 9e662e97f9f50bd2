/** Games are played to their end by mouse, each at a table that was set up on the page. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bless, el, numbers, offers, playOut, setUp, shot, studio, tableOf, touch } from "./support.mjs";

let here;
before(async () => (here = await studio()));
after(() => here.close());

const FAST = "flat-mc(iterations=20)";

/** Games, who else plays, and whether moves are made by touching the picture. */
const GAMES = [
  ["phantom-mnk", [FAST], "touched"],
  ["leduc-poker", [FAST], "listed"],
  ["hearts(to=5)", ["random", FAST, "random"], "touched"],
  ["resistance", ["random", "random", "random", FAST], "any"],
  ["lotr-confrontation(turns=25)", ["random"], "touched"],
  ["scotland-yard(rounds=6)", ["random"], "any"],
  ["tubstap", ["random"], "touched"],
];

for (const [game, agents, how] of GAMES) {
  const name = game.replace(/\(.*/, "");
  test(`${game} is played to its end by mouse`, async () => {
    await here.visit(`play-${name}`, async (page) => {
      await el(page, "start").click();
      await page.waitForURL(/#\/table\//);
      await offers(page);
      await shot(page, `play-${name}`);
      const count = await playOut(page, { onMove: (n) => n === 5 && shot(page, `play-${name}-middle`) });
      if (how !== "any") assert.ok(count[how] > 0, `moves were made like this: ${JSON.stringify(count)}`);
      await shot(page, `play-${name}-over`);
      assert.match(await el(page, "result").innerText(), /won|lost|first place|draw|over/);
      const record = await here.ask("GET", `/api/tables/${tableOf(page)}/record`);
      assert.match(record, new RegExp(name), "the record names the game");
    }, { at: setUp(game, agents, { delay: 0 }) });
  });
}

test("a game in its middle, for the documentation", async () => {
  const wanted = { game: "lotr-confrontation", seats: [null, "mo-ismcts(iterations=300)"], seed: 5 };
  const { table } = await here.ask("POST", "/api/tables", wanted);
  await here.visit("studio-play", async (page) => {
    const below = numbers(3);
    for (let n = 0; n < 16; n++) {
      const { over, spots } = await offers(page);
      assert.ok(!over, "the game goes on");
      if (n === 15) break;
      if (spots.length) await touch(page, spots[below(spots.length)]);
      else await el(page, "move-item").first().click();
    }
    await bless(page, "studio-play");
  }, { at: `/#/table/${table}` });
});

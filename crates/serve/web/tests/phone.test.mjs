/** At a width of 390 pixels: nothing sticks out, and games can be played. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { el, offers, PHONE, playOut, setUp, shot, studio } from "./support.mjs";

let here;
before(async () => (here = await studio()));
after(() => here.close());

const phone = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth);
const ready = (page) => page.locator("main h1, main .board svg").first().waitFor();

for (const colorScheme of ["light", "dark"]) {
  test(`no page is wider than the screen (${colorScheme})`, async () => {
    const table = async (game, agents, clock) =>
      `table/${(await here.ask("POST", "/api/tables", { game, seats: [null, ...agents], clock })).table}`;
    const long = "mo-ismcts(iterations=50,c=0.5,select=ucb1-tuned,enhance=mast,final=mean)";
    const routes = {
      lotr: await table("lotr-confrontation", ["random"]),
      hearts: await table("hearts", ["random", "random", "random"]),
      named: await table("phantom-mnk(m=4,n=4,k=4,failed=announced)", [long], { seconds: 300, increment: 2 }),
      start: "",
      "set-up": "new?game=lotr-confrontation",
      ask: "look",
      look: "look?game=leduc-poker&seed=1",
      solve: "solve",
      exploit: "solve?tab=exploit",
      replay: "replay",
      experiments: "experiments",
      none: "nonsense",
    };
    for (const [name, route] of Object.entries(routes)) {
      await here.visit(`phone-${name}-${colorScheme}`, async (page) => {
        await ready(page);
        await page.waitForTimeout(150);
        await shot(page, `phone-${name}-${colorScheme}`);
        await page.locator("main details").evaluateAll((all) => all.forEach((fold) => (fold.open = true)));
        assert.ok((await wide(page)) <= PHONE.width, `#/${route} is ${await wide(page)} wide`);
      }, { at: `/#/${route}`, ...phone, colorScheme });
    }
  });
}

test("a game is played at that width", async () => {
  await here.visit("phone-play", async (page) => {
    await el(page, "start").click();
    await page.waitForURL(/#\/table\//);
    await offers(page);
    const most = { width: 0 };
    await playOut(page, { onMove: async () => (most.width = Math.max(most.width, await wide(page))) });
    assert.ok(most.width <= PHONE.width, `the table was ${most.width} wide`);
    await shot(page, "phone-play-over", { fullPage: true });
  }, { at: setUp("hearts(to=5)", ["random", "random", "random"], { delay: 0 }), ...phone });
});

test("a search is looked into at that width", async () => {
  await here.visit("phone-inside", async (page) => {
    await el(page, "time").fill("500");
    await el(page, "run").click();
    await el(page, "chosen").waitFor();
    await el(page, "tree").locator(".tree-picture svg").waitFor();
    await el(page, "draw-worlds").click();
    await el(page, "worlds").waitFor();
    await shot(page, "phone-inside", { fullPage: true });
    assert.ok((await wide(page)) <= PHONE.width, `${await wide(page)} wide`);
  }, { at: "/#/look?game=phantom-mnk&moves=b2&seat=1", ...phone });
});

/** At the table: undo, hint, resign, clocks, watching agents, and a connection that is lost. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { el, marks, offers, setUp, shot, studio, touch, until } from "./support.mjs";

let here;
before(async () => (here = await studio()));
after(() => here.close());

const table = async (wanted) => `/#/table/${(await here.ask("POST", "/api/tables", wanted)).table}`;

test("a move is taken back", async () => {
  await here.visit("undo", async (page) => {
    await offers(page);
    assert.ok(await el(page, "undo").isDisabled());
    await touch(page, "board/b2");
    await until(() => el(page, "undo").isEnabled());
    await offers(page);
    assert.deepEqual((await marks(page)).filter((m) => m.includes("cross")), ["b2: cross"]);
    assert.ok((await el(page, "told").innerText()).trim().length > 0);
    await el(page, "undo").click();
    await until(() => el(page, "undo").isDisabled());
    assert.deepEqual(await marks(page), []);
    await touch(page, "board/a1");
    await offers(page);
  }, { at: await table({ game: "phantom-mnk", seats: [null, "random"], seed: 1 }) });
});

test("a hint shows a search from the own seat, and no more than the seat knows", async () => {
  await here.visit("hint", async (page) => {
    await offers(page);
    await touch(page, "board/b2");
    await offers(page);
    await el(page, "hint").click();
    const panel = el(page, "hint-panel");
    await panel.locator('[data-test="root-table"] tbody tr').first().waitFor();
    await panel.locator('[data-test="chosen"]').waitFor();
    await panel.locator('[data-test="convergence"] svg').waitFor();
    await shot(page, "hint", { fullPage: true });
    const best = (await panel.locator('[data-test="chosen"] b').innerText()).trim();
    assert.ok((await offers(page)).moves.includes(best), `${best} is a legal move`);
    assert.equal(await panel.locator('[data-test="truth"]').count(), 0);
    await el(page, "hint-close").click();
    assert.ok(await panel.isHidden());
  }, { at: await table({ game: "phantom-mnk", seats: [null, "random"], seed: 1 }) });
});

test("one who resigns has lost, after being asked", async () => {
  await here.visit("resign", async (page) => {
    await offers(page);
    await el(page, "resign").click();
    await el(page, "resign-no").click();
    assert.ok(await el(page, "result").isHidden());
    await el(page, "resign").click();
    await el(page, "resign-yes").click();
    await el(page, "result").waitFor();
    assert.match(await el(page, "result").innerText(), /You have resigned/);
    await shot(page, "resigned");
  }, { at: await table({ game: "leduc-poker", seats: [null, "random"] }) });
});

test("clocks run down, and time is lost", async () => {
  const clock = { seconds: 4, increment: 0 };
  await here.visit("clock", async (page) => {
    const seconds = async () => {
      const [, m, s] = /(\d+):(\d+)/.exec(await page.locator(".clock").first().innerText());
      return Number(m) * 60 + Number(s);
    };
    await page.locator(".clock").first().waitFor();
    const first = await seconds();
    assert.ok(first <= 4, String(first));
    await until(async () => (await seconds()) < first);
    await el(page, "result").waitFor();
    assert.match(await el(page, "result").innerText(), /run out of time/);
  }, { at: await table({ game: "phantom-mnk", seats: [null, "random"], clock }) });
});

test("two agents are watched: pause, step, speed, the search while it runs", async () => {
  await here.visit("watch", async (page) => {
    await el(page, "start").click();
    await page.waitForURL(/#\/table\//);
    await el(page, "live-search").locator('[data-test="root-table"] tbody tr').first().waitFor();
    await el(page, "pause").click();
    await page.getByText("Paused").first().waitFor();
    const id = /table\/(\w+)/.exec(page.url())[1];
    const whole = async () => (await here.ask("GET", `/api/tables/${id}`)).whole;
    const steps = async () => (await whole()).step;
    // Whoever was thinking still makes its move.
    await until(async () => (await whole()).thinking === undefined);
    const paused = await steps();
    await page.waitForTimeout(700);
    assert.equal(await steps(), paused, "nothing moves in a pause");
    await shot(page, "watch");
    await el(page, "step").click();
    await until(async () => (await steps()) === paused + 1);
    await page.waitForTimeout(700);
    assert.equal(await steps(), paused + 1, "one step is one step");
    await el(page, "speed").fill("3000");
    await until(async () => (await here.ask("GET", `/api/tables/${id}`)).pace.delay === 0);
    await el(page, "pause").click();
    await el(page, "result").waitFor();
    await shot(page, "watch-over");
  }, { at: setUp("phantom-mnk", ["mo-ismcts(time=150ms)"], { seat0: "mo-ismcts(time=150ms)", delay: 400 }) });
});

test("two people at one screen pass it on", async () => {
  await here.visit("hotseat", async (page) => {
    await el(page, "curtain-open").waitFor();
    assert.ok(await el(page, "board").isHidden());
    await shot(page, "curtain");
    await el(page, "curtain-open").click();
    await touch(page, "board/a1");
    await el(page, "curtain").getByText("Player 1").waitFor();
    assert.ok(await el(page, "board").isHidden());
    assert.ok(!(await page.locator("main").innerText()).includes("a1"), "nothing is told behind the curtain");
    await el(page, "curtain-open").click();
    assert.deepEqual(await marks(page), []);
  }, { at: await table({ game: "phantom-mnk", seats: [null, null], sit: [0, 1] }) });
});

test("a page whose server was killed comes back where it was", async () => {
  const at = await table({ game: "phantom-mnk", seats: [null, "random"], seed: 5 });
  await here.visit("lost", async (page) => {
    await offers(page);
    await touch(page, "board/b2");
    await offers(page);
    const before = await marks(page);
    await here.kill();
    await page.locator("#lost").waitFor();
    await shot(page, "lost");
    await page.waitForTimeout(1000);
    await here.revive();
    await page.locator("#lost").waitFor({ state: "hidden" });
    assert.deepEqual(await marks(page), before);
    const { spots } = await offers(page);
    await touch(page, spots[0]);
    await until(async () => (await marks(page)).length > before.length);
  }, { at, allow: [/Failed to load resource|ERR_/] });
});

/** Getting in, the start page, setting up, the keyboard, the themes. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { el, offers, shot, studio, tableOf, until } from "./support.mjs";

let here;
before(async () => (here = await studio()));
after(() => here.close());

test("a browser without a key is told how to get in", async () => {
  await here.visit("no-key", async (page) => {
    await el(page, "no-key").waitFor();
    assert.match(await page.locator("main").innerText(), /fogtree serve/);
    await shot(page, "no-key");
    assert.equal(await page.locator(".game").count(), 0);
  }, { at: "/", key: false, allow: [/401/] });
});

test("the link that the server prints lets in one browser, which plays after two clicks", async () => {
  await here.visit("two-clicks", async (page) => {
    await page.goto(here.link);
    await el(page, "game-card-phantom-mnk").waitFor();
    assert.ok(!page.url().includes("key"), "the key does not stay in the address");
    const drawn = (images) => images.filter((i) => i.complete && i.naturalWidth).length;
    await until(async () => (await page.locator(".game-picture img").evaluateAll(drawn)) > 3);
    await shot(page, "start");
    await el(page, "game-card-kuhn-poker").getByRole("button", { name: "Play" }).click();
    const { moves } = await offers(page);
    await page.locator(`[data-test="move-item"]`).first().click();
    assert.ok(moves.length > 1);
    await offers(page);
  }, { key: false });
  await here.visit("used-key", async (page) => {
    await page.goto(here.link);
    await el(page, "no-key").or(page.getByText("key")).first().waitFor();
    assert.equal(await page.locator(".game").count(), 0, "a key lets in nobody else");
  }, { key: false, allow: [/40[013]/] });
});

test("games are found by words and properties", async () => {
  await here.visit("find", async (page) => {
    const shown = () => page.locator(".game:visible h3").allInnerTexts();
    await page.locator(".game").first().waitFor();
    const all = await shown();
    assert.ok(all.length > 20, String(all));
    await el(page, "lobby-search").fill("secret");
    const some = await shown();
    assert.ok(some.includes("hearts") && some.length < all.length, String(some));
    await el(page, "lobby-search").fill("");
    await el(page, "filter-simultaneous").check();
    assert.ok((await shown()).includes("goofspiel") && !(await shown()).includes("mnk"));
    await page.reload();
    await el(page, "filter-simultaneous").waitFor();
    assert.ok(await el(page, "filter-simultaneous").isChecked(), "the address keeps the filter");
  }, { at: "/" });
});

test("a link of the set-up page restores the set-up", async () => {
  const link = await here.visit("set-up", async (page) => {
    await el(page, "seat-row-1").waitFor();
    await page.locator('[data-test="game-select"]').selectOption("phantom-mnk");
    await el(page, "seat-row-1").waitFor();
    await page.locator('[data-test="params"] > summary').first().click();
    await page.locator('main input[data-key="m"]').fill("4");
    await el(page, "seat-kind-0").selectOption("agent");
    await el(page, "seat-kind-1").selectOption("person");
    await el(page, "seat-agent-0").selectOption("pimc");
    await el(page, "clock").fill("90+2");
    await el(page, "seed").fill("7");
    await page.waitForFunction(() => !document.querySelector('[data-test="start"]').disabled);
    await shot(page, "set-up");
    return page.url();
  }, { at: "/#/new?game=hearts" });
  await here.visit("set-up-again", async (page) => {
    await el(page, "seat-row-1").waitFor();
    assert.equal(await page.locator('main input[data-key="m"]').inputValue(), "4");
    assert.equal(await el(page, "seat-agent-0").inputValue(), "pimc");
    assert.equal(await el(page, "seat-kind-1").inputValue(), "person");
    await el(page, "start").click();
    await page.waitForURL(/#\/table\//);
    const table = await here.ask("GET", `/api/tables/${tableOf(page)}`);
    assert.equal(table.game, "phantom-mnk(m=4)");
    assert.deepEqual(table.seats.map((s) => s.agent ?? s.kind), ["pimc", "person"]);
    assert.deepEqual(table.clock, { seconds: 90, increment: 2 });
  }, { at: link.slice(here.origin.length) });
});

test("a set-up that cannot be is refused with a sentence", async () => {
  await here.visit("set-up-bad", async (page) => {
    await el(page, "setup-error").waitFor();
    assert.match(await el(page, "setup-error").innerText(), /\w+ \w+/);
    assert.ok(await el(page, "start").isDisabled());
  }, { at: "/#/new?game=phantom-mnk(m=0)", allow: [/400/] });
});

test("a whole game is played by keyboard alone, from the start page on", async () => {
  await here.visit("keyboard", async (page) => {
    await page.addInitScript(() => {
      window.pointed = 0;
      const count = () => (window.pointed += 1);
      for (const kind of ["pointerdown", "mousedown", "touchstart"]) addEventListener(kind, count, true);
    });
    await page.goto(`${here.origin}/`);
    await el(page, "lobby-search").waitFor();
    const active = (query) => page.evaluate((q) => document.activeElement?.matches(q) ?? false, query);
    const tabTo = async (query, most = 40) => {
      for (let n = 0; n < most && !(await active(query)); n++) await page.keyboard.press("Tab");
      assert.ok(await active(query), `the key Tab leads to ${query}`);
    };
    await tabTo('[data-test="lobby-search"]');
    await page.keyboard.type("phantom-mnk");
    await tabTo('[data-test="set-up"]');
    await page.keyboard.press("Enter");
    await el(page, "start").waitFor();
    await tabTo('[data-test="start"]', 60);
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/table\//);
    const arrows = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
    let moves = 0;
    for (; !(await offers(page)).over && moves < 20; moves++) {
      // From the second move on the board still has the focus.
      await tabTo('[data-test="board"] g.spot.next', moves ? 1 : 40);
      await page.keyboard.press(arrows[moves % 4]);
      await shot(page, "keyboard");
      assert.ok(await active('[data-test="board"] g.spot.next'), "arrows stay on spots that can be touched");
      await page.keyboard.press(moves % 2 ? "Enter" : " ");
    }
    assert.ok(moves >= 3);
    assert.ok(await el(page, "result").isVisible());
    assert.ok(await active('[data-test="result"]'), "the end has the focus");
    await tabTo('[data-test="again"]');
    const finished = tableOf(page);
    await page.keyboard.press("Enter");
    await until(async () => tableOf(page) !== finished && !(await el(page, "result").isVisible()));
    await offers(page);
    // The list by keyboard: a number goes to a move, Enter makes it.
    await page.keyboard.press("3");
    assert.ok(await active('[data-test="move-item"]'));
    await page.keyboard.press("Enter");
    await offers(page);
    assert.equal(await page.evaluate(() => window.pointed), 0);
  });
});

test("the theme follows the system until it is chosen, and stays", async () => {
  const wanted = { game: "mini-stratego", seats: [null, "random"], seed: 3 };
  const { table } = await here.ask("POST", "/api/tables", wanted);
  await here.visit("theme", async (page) => {
    const colour = (element) => getComputedStyle(element).backgroundColor;
    const paper = () => page.locator(".card").first().evaluate(colour);
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await offers(page);
    assert.equal(await theme(), "dark");
    const dark = await paper();
    const board = () => page.locator('[data-test="board"] svg > rect').first().getAttribute("fill");
    const before = await board();
    await shot(page, "table-dark");
    await el(page, "theme").click();
    assert.equal(await theme(), "light");
    await until(async () => (await board()) !== before);
    assert.notEqual(await paper(), dark);
    await page.reload();
    await offers(page);
    assert.equal(await theme(), "light");
  }, { at: `/#/table/${table}`, colorScheme: "dark" });
});

test("everything that can be used has a name, on every page", async () => {
  const wanted = { game: "phantom-mnk", seats: [null, null], sit: [0] };
  const { table } = await here.ask("POST", "/api/tables", wanted);
  const routes = ["", "new?game=hearts", `table/${table}`, "look", "look?game=phantom-mnk&moves=a1", "solve",
    "solve?tab=exploit", "replay", "experiments", "nonsense"];
  for (const route of routes) {
    await here.visit(`names-${route.split(/[?/]/)[0]}`, async (page) => {
      await page.locator("main h1, main .board svg").first().waitFor();
      const bare = await page.evaluate(() => {
        const kinds = "button, a[href], input, select, textarea, [role=button], iframe";
        const used = document.querySelectorAll(kinds);
        const named = (e) => {
          const label = e.getAttribute("aria-label") ?? e.getAttribute("title") ?? "";
          const parts = e.matches("input, select, textarea") ? [...(e.labels ?? [])] : [e];
          return (label + parts.map((p) => p.textContent).join("")).trim();
        };
        return [...used].filter((e) => !e.closest("[hidden], [aria-hidden=true]") && !named(e))
          .map((e) => e.outerHTML.slice(0, 120));
      });
      assert.deepEqual(bare, [], `without a name at #/${route}`);
      assert.match(await page.title(), /Fogtree/);
      const ids = await page.locator("[id]").evaluateAll((all) => all.map((e) => e.id));
      assert.equal(new Set(ids).size, ids.length, "ids are used once");
      assert.equal(await page.locator("main h1").count(), 1, `one heading at #/${route}`);
    }, { at: `/#/${route}` });
  }
});

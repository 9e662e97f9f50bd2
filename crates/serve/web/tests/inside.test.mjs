/** Looking inside: searches, trees, beliefs, comparison, review, solving, replay, experiments. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bless, el, fogtree, marks, offers, playOut, setUp, shot, studio, until } from "./support.mjs";

const files = mkdtempSync(join(tmpdir(), "fogtree-files-"));
let here;
before(async () => {
  fogtree("match", "phantom-mnk", "random", "random", "--games", "2", "--record", join(files, "games.jsonl"));
  writeFileSync(join(files, "tiny.toml"), `title = "A tiny experiment"
seed = 1
[[cells]]
game = "leduc-poker"
seats = ["flat-mc(iterations=20)", "random"]
games = 20
[[curves]]
game = "kuhn-poker"
agents = ["is-mcts(selection=rm)"]
iterations = 1000
runs = 2
`);
  fogtree("experiment", "run", join(files, "tiny.toml"), "--out", join(files, "stores", "tiny"));
  here = await studio({ args: ["--records", files, "--experiments", join(files, "stores")] });
});
after(async () => {
  await here.close();
  rmSync(files, { recursive: true, force: true });
});

const rows = (page, name) => el(page, name).locator("tbody tr");

test("a search is looked into: table, convergence, line, tree, beliefs", async () => {
  await here.visit("inside", async (page) => {
    await el(page, "look-picture").locator("svg").waitFor();
    await el(page, "time").fill("1500");
    await el(page, "run").click();
    await rows(page, "root-table").first().waitFor();
    const visits = () => el(page, "figures").locator("b").first().innerText();
    const early = await visits();
    await until(async () => (await visits()) !== early);
    await el(page, "chosen").waitFor();
    const chosen = (await el(page, "chosen").locator("b").innerText()).trim();
    assert.equal((await page.locator('[data-test="root-table"] tr.best b').innerText()).trim(), chosen);
    assert.equal(await rows(page, "root-table").count(), 9, "a row for each move");
    await el(page, "convergence").locator("svg").waitFor();
    assert.ok((await el(page, "convergence").locator("path, polyline").count()) > 1);

    // The line, played out.
    await el(page, "line-step").first().waitFor();
    await el(page, "line-step").last().click();
    assert.equal(await el(page, "line-step").last().getAttribute("aria-pressed"), "true");

    // The tree goes down and up again, by table and by picture.
    const tree = el(page, "tree");
    await tree.locator(".tree-picture svg").waitFor();
    const depth = () => tree.locator(".trail b, .trail button").count();
    assert.equal(await depth(), 1);
    await el(page, "tree-child").first().click();
    await until(async () => (await depth()) === 2);
    await el(page, "tree-child").first().click();
    await until(async () => (await depth()) === 3);
    assert.ok((await tree.locator("pre").textContent()).trim().length > 0, "the information set as text");
    await shot(page, "inside-tree", { fullPage: true });
    await tree.locator(".trail button").first().click();
    await until(async () => (await depth()) === 1);

    await el(page, "draw-worlds").click();
    await el(page, "worlds").waitFor();
    assert.match(await el(page, "beliefs").innerText(), /worlds that agree/);
    const world = () => el(page, "beliefs").locator("figure").nth(1).innerText();
    const first = await world();
    await el(page, "worlds").fill("2");
    assert.notEqual(await world(), first);
    await shot(page, "inside", { fullPage: true });
  }, { at: "/#/look?game=phantom-mnk&moves=b2&seat=1" });
});

test("a search is looked into, for the documentation", async () => {
  const at = "/#/look?game=phantom-mnk&moves=b2%20b2%20a1%20c1&time=2000";
  await here.visit("studio-inside", async (page) => {
    await el(page, "run").click();
    await el(page, "chosen").waitFor();
    await el(page, "tree").locator(".tree-picture svg").waitFor();
    await el(page, "convergence").locator("svg").waitFor();
    await page.getByText("The line it expects").click();
    await page.locator(".across").evaluate((e) => scrollTo(0, e.getBoundingClientRect().top + scrollY - 80));
    await bless(page, "studio-inside");
  }, { at, viewport: { width: 1280, height: 1240 } });
});

test("two agents are compared at one position", async () => {
  await here.visit("compare", async (page) => {
    await el(page, "add-agent").click();
    await el(page, "agent-1").selectOption("pimc");
    await el(page, "time").fill("800");
    await el(page, "run").click();
    await until(async () => (await el(page, "chosen").count()) === 2);
    const columns = await el(page, "compare-column").locator("h3").allInnerTexts();
    assert.deepEqual(columns.map((c) => c.trim()), ["mo-ismcts", "pimc"]);
    await shot(page, "compare", { fullPage: true });
    assert.match(page.url(), /agent1=pimc/, "the address keeps the agents");
  }, { at: "/#/look?game=phantom-mnk&moves=b2&seat=1" });
});

test("a finished game is reviewed", async () => {
  await here.visit("review", async (page) => {
    await el(page, "start").click();
    await page.waitForURL(/#\/table\//);
    await playOut(page);
    await el(page, "review").click();
    await page.waitForURL(/#\/review/);
    await page.getByText(/Judged: (\d+) of \1 decisions/).waitFor();
    const judged = page.locator("tr.pick");
    const table = /table=(\w+)/.exec(page.url())[1];
    const whole = (await here.ask("GET", `/api/tables/${table}`)).whole;
    const [count, steps] = [await judged.count(), whole.moves.length];
    // There is no chance in this game, but maybe only one cell left at its end.
    assert.ok(count === steps || count === steps - 1, `${count} of ${steps} steps are judged`);
    await judged.nth(2).click();
    await el(page, "review-picture").locator("svg").waitFor();
    await el(page, "truth").locator("svg").waitFor();
    await shot(page, "review", { fullPage: true });
    await page.locator('[data-test="look-here"]').first().click();
    await page.waitForURL(/#\/look/);
    await el(page, "look-picture").locator("svg").waitFor();
  }, { at: setUp("phantom-mnk", ["flat-mc(iterations=20)"]) });
});

test("kuhn-poker is solved, with its curve and its strategy", async () => {
  await here.visit("solve", async (page) => {
    await el(page, "iterations").fill("2000");
    await el(page, "solve-start").click();
    await el(page, "solve-state").getByText("done").waitFor();
    await el(page, "curve").locator("svg").waitFor();
    await rows(page, "strategy").first().waitFor();
    assert.equal(await rows(page, "strategy").count(), 12, "Kuhn poker has 12 information sets");
    const words = await el(page, "solution").innerText();
    const value = Number(/player 0\s+(-?[\d.]+)/i.exec(words)?.[1]);
    assert.ok(Math.abs(value + 1 / 18) < 0.005, `the value is -1/18, not ${value}: ${words}`);
    await shot(page, "solve", { fullPage: true });
    await el(page, "strategy-find").fill("Your card: K");
    await until(async () => (await rows(page, "strategy").count()) === 4);
  }, { at: "/#/solve?game=kuhn-poker" });
});

test("an agent is exploited", async () => {
  await here.visit("exploit", async (page) => {
    await el(page, "solve-start").click();
    await el(page, "solve-state").getByText("done").waitFor();
    const words = await el(page, "solution").innerText();
    const found = Number(/Exploitability\s+(-?[\d.]+)/.exec(words)?.[1]);
    // Against random play, best responses earn 1/2 as first and 5/12 as second player.
    assert.ok(Math.abs(found - 11 / 24) < 0.05, words);
    await shot(page, "exploit");
  }, { at: "/#/solve?tab=exploit&game=kuhn-poker&agent=random" });
});

test("a record is uploaded, stepped through and played on", async () => {
  await here.visit("replay", async (page) => {
    await el(page, "upload").setInputFiles(join(files, "games.jsonl"));
    await page.waitForURL(/replay=/);
    await el(page, "replay-picture").locator("svg").waitFor();
    const seen = () => marks(page, "replay-picture");
    assert.deepEqual(await seen(), []);
    await el(page, "replay-slider").fill("2");
    await until(async () => (await seen()).some((title) => title.includes("cross")));
    assert.match(await el(page, "replay-step").innerText(), /^2 of \d+/);
    await shot(page, "replay");
    const crosses = (await seen()).filter((title) => title.includes("cross"));
    await el(page, "play-on").click();
    await el(page, "start").waitFor();
    await el(page, "start").click();
    await page.waitForURL(/#\/table\//);
    await offers(page);
    for (const title of crosses) assert.ok((await marks(page)).includes(title), `${title} is still there`);
  }, { at: "/#/replay" });
});

test("a record of the server's folder is opened", async () => {
  await here.visit("records", async (page) => {
    await el(page, "record-games.jsonl").click();
    await page.waitForURL(/replay=/);
    await el(page, "replay-picture").locator("svg").waitFor();
  }, { at: "/#/replay" });
});

test("experiments are listed, with tables, charts and report", async () => {
  await here.visit("experiments", async (page) => {
    await el(page, "experiment-row").first().waitFor();
    await shot(page, "experiments");
    await page.getByRole("link", { name: /A tiny experiment/ }).click();
    await el(page, "experiment").locator("table").first().waitFor();
    assert.match(await el(page, "experiment").innerText(), /flat-mc/);
    await el(page, "chart").first().locator("svg").waitFor();
    await shot(page, "experiment", { fullPage: true });
    await el(page, "open-report").click();
    await page.frameLocator('[data-test="report"]').locator("h1").first().waitFor();
    await page.waitForTimeout(300);
    await shot(page, "experiment-report");
  }, { at: "/#/experiments" });
});

/**
 * What the tests of the page share: a server of their own, browsers, screenshots, and hands that play.
 *
 * FOGTREE names the program (target/debug/fogtree if not set), CHROMIUM the browser (/usr/bin/chromium).
 */

import assert from "node:assert/strict";
import { spawn, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const ROOT = resolve(import.meta.dirname, "../../../..");
const SCREENS = join(ROOT, "target", "screens");
const PROGRAM = resolve(process.env.FOGTREE ?? join(ROOT, "target", "debug", "fogtree"));
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** How long something may take: builds without optimisation on a busy machine are slow. */
export const PATIENCE = 30_000;

/** Runs the program to its end. */
export const fogtree = (...args) => execFileSync(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"] });

/** Starts the server in a data folder. */
async function serve(data, port, args) {
  const child = spawn(PROGRAM, ["serve", "--json", "--port", String(port), "--data", data, ...args],
    { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stderr.on("data", (text) => (err += text));
  const ended = new Promise((done) => child.once("exit", done));
  const told = await new Promise((done, fail) => {
    child.stdout.on("data", (text) => {
      out += text;
      if (out.includes("\n")) done(JSON.parse(out.slice(0, out.indexOf("\n"))));
    });
    child.once("error", fail);
    ended.then(() => fail(new Error(`the server has ended: ${err}`)));
  });
  return { ...told, kill: async () => (child.kill("SIGKILL"), await ended) };
}

/** A server with a browser, for the tests of one file. */
export async function studio({ args = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "fogtree-studio-"));
  const data = join(folder, "data");
  const browser = await chromium.launch({ executablePath: BROWSER });
  let server = await serve(data, 0, args);
  const { origin, port } = new URL(server.link);
  const token = readFileSync(server.token, "utf8").trim();
  mkdirSync(SCREENS, { recursive: true });

  const self = {
    origin,
    folder,
    /** The link that the server has printed. */
    link: server.link,
    kill: () => server.kill(),
    /** Starts it again at the same port with the same data. */
    revive: async () => void (server = await serve(data, port, args)),
    close: async () => {
      await browser.close();
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },

    /** Asks the server itself, as its owner. */
    async ask(method, path, body) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
      if (answer.headers.get("content-type") !== "application/json") return text;
      // Seeds are too large for numbers.
      return JSON.parse(text.replace(/"seed":(\d+)/g, '"seed":"$1"'));
    },

    /**
     * A page of a browser of its own, for as long as `use` takes. It fails on errors in the console, on the
     * page, and in notices, but for those in `allow`. `key` is false for a browser that was never let in.
     */
    async visit(name, use, { at, key = true, allow = [], ...options } = {}) {
      const usual = { viewport: DESKTOP, colorScheme: "light", reducedMotion: "reduce" };
      const context = await browser.newContext({ ...usual, ...options });
      context.setDefaultTimeout(PATIENCE);
      const cookie = { name: `fogtree-${port}`, value: token, url: origin, httpOnly: true };
      if (key) await context.addCookies([{ ...cookie, sameSite: "Strict" }]);
      const page = await context.newPage();
      const errors = [];
      const note = (text) => allow.some((a) => a.test(text)) || errors.push(text);
      page.on("pageerror", (error) => note(`page: ${error.stack ?? error}`));
      page.on("console", (m) => {
        if (["error", "warning"].includes(m.type())) note(`console: ${m.text()} (${m.location().url})`);
      });
      page.on("response", (r) => r.status() >= 500 && note(`answer: ${r.status()} of ${r.url()}`));
      try {
        if (at !== undefined) await page.goto(origin + at);
        const result = await use(page);
        for (const text of await page.locator(".toast.bad").allInnerTexts()) note(`notice: ${text}`);
        assert.deepEqual(errors, [], `${name}: the page reports errors`);
        return result;
      } catch (error) {
        await page.screenshot({ path: join(SCREENS, `FAILED-${name}.png`) }).catch(() => undefined);
        if (errors.length) error.message += `\nthe page reports: ${errors.join("\n")}`;
        throw error;
      } finally {
        await context.close();
      }
    },
  };
  return self;
}

/** The element with this test name. */
export const el = (page, name) => page.locator(`[data-test="${name}"]`);

/** The titles of the marks in a picture of phantom-mnk, as in `b2: cross`. */
export async function marks(page, box = "board") {
  const titles = await el(page, box).locator("title").allTextContents();
  return titles.filter((title) => /cross|ring/.test(title));
}

/** Waits until something is so. */
export async function until(check) {
  for (const end = Date.now() + PATIENCE; !(await check()); ) {
    assert.ok(Date.now() < end, `in vain: ${check}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** Keeps a picture of the page. */
export async function shot(page, name, options = {}) {
  // The head of the page stays at the top of the window: the whole page is taken from there.
  if (options.fullPage) await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(SCREENS, `${name}.png`), ...options });
}

/** Keeps a picture for the documentation, if that is wanted. */
export async function bless(page, name, options = {}) {
  await shot(page, name, options);
  if (process.env.FOGTREE_BLESS !== "1") return;
  const folder = join(ROOT, "docs", "pictures");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(SCREENS, `${name}.png`), join(folder, `${name}.png`));
}

/** The table that a page shows. */
export const tableOf = (page) => /#\/table\/(\w+)/.exec(page.url())?.[1];

/** Numbers that are the same in each run. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What can be done at a table: over, or what may be touched. Waits until there is something. */
export async function offers(page) {
  const found = await page.waitForFunction(() => {
    const all = (query) => [...document.querySelectorAll(query)];
    if (!document.querySelector(".table") || document.querySelector(".table.busy")) return false;
    const result = document.querySelector('[data-test="result"]');
    if (result && !result.hidden) return { over: true, spots: [], choices: [], moves: [] };
    const spots = all('[data-test="board"] g.spot.next').map((g) => g.getAttribute("data-spot"));
    const choices = all('[data-test="choices"] button:not(.quiet)').map((b) => b.textContent);
    const moves = all('[data-test="move-item"]').map((b) => b.dataset.key);
    return spots.length || choices.length || moves.length ? { over: false, spots, choices, moves } : false;
  }, undefined, { timeout: PATIENCE });
  return found.jsonValue();
}

/** Clicks on a spot of the board where it can be seen; fails if nothing of it can be hit. */
export async function touch(page, spot) {
  const at = await page.evaluate((name) => {
    const g = document.querySelector(`[data-test="board"] g.spot[data-spot="${CSS.escape(name)}"]`);
    if (!g) return null;
    const box = () => g.getBoundingClientRect();
    if (box().top < 60 || box().bottom > innerHeight) g.scrollIntoView({ block: "center", inline: "center" });
    const { x, y, width, height } = box();
    const parts = [0.5, 0.3, 0.7, 0.15, 0.85, 0.05, 0.95];
    for (const v of parts) {
      for (const u of parts) {
        const [a, b] = [x + u * width, y + v * height];
        if (document.elementFromPoint(a, b)?.closest("g.spot") === g) return [a, b];
      }
    }
    return null;
  }, spot);
  assert.ok(at, `nothing of the spot ${spot} can be clicked`);
  await page.mouse.click(at[0], at[1]);
}

/**
 * Plays a game to its end by mouse: on the board where moves have spots, from the list where they have none.
 * Answers how often each way was taken.
 */
export async function playOut(page, { seed = 1, most = 600, onMove } = {}) {
  const below = numbers(seed);
  const pick = (list) => list[below(list.length)];
  const count = { touched: 0, chosen: 0, listed: 0 };
  for (let n = 0; n < most; n++) {
    const { over, spots, choices, moves } = await offers(page);
    if (over) return count;
    await onMove?.(n);
    if (spots.length) {
      await touch(page, pick(spots));
      count.touched += 1;
    } else if (choices.length) {
      await el(page, "choices").getByRole("button", { name: pick(choices), exact: true }).click();
      count.chosen += 1;
    } else {
      const move = pick(moves);
      await page.locator(`[data-test="move-item"][data-key="${move.replaceAll('"', '\\"')}"]`).click();
      count.listed += 1;
    }
  }
  assert.fail(`the game is not over after ${most} touches`);
}

/** An address of the page where a game is set up: a person, and agents in the other seats. */
export function setUp(game, agents, more = {}) {
  const query = { game, ...Object.fromEntries(agents.map((a, i) => [`seat${i + 1}`, a])), ...more };
  return `/#/new?${Object.entries(query).map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&")}`;
}

/** Two browsers at one table: all that one is sent is searched for what only the other knows. */

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { after, before, test } from "node:test";
import { el, offers, setUp, shot, studio, tableOf, touch, until } from "./support.mjs";

let here;
before(async () => (here = await studio()));
after(() => here.close());

/** A proxy that keeps every byte of every answer. */
async function tap() {
  const answers = [];
  const server = createServer((asked, answer) => {
    const { hostname, port, pathname, search } = new URL(asked.url);
    const heard = { path: pathname, parts: [] };
    answers.push(heard);
    const { method, headers } = asked;
    const onward = request({ hostname, port, path: pathname + search, method, headers }, (got) => {
      heard.parts.push(Buffer.from(`${got.statusCode} ${got.rawHeaders.join("\n")}\n\n`));
      answer.writeHead(got.statusCode, got.rawHeaders);
      got.on("data", (part) => (heard.parts.push(part), answer.write(part)));
      got.on("end", () => answer.end());
      got.on("error", () => answer.destroy());
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    proxy: { server: `http://127.0.0.1:${server.address().port}`, bypass: "<-loopback>" },
    close: () => (server.closeAllConnections(), server.close()),
    /** Everything heard while the game ran: answers, and events of streams one by one. */
    heard: () => answers.map(({ path, parts }) => `${path}\n${Buffer.concat(parts)}`)
      .flatMap((text) => text.split("\n\n")).filter((text) => !text.includes('"all_seen":true')),
  };
}

/** Two people play at a table, each in a browser of their own. Answers what each heard before the end. */
async function together(name, game, play) {
  const taps = [await tap(), await tap()];
  try {
    return await here.visit(`${name}-first`, async (first) => {
      await el(first, "start").click();
      await el(first, "seat-link-1").waitFor();
      const link = await el(first, "seat-link-1").getAttribute("data-link");
      return here.visit(`${name}-second`, async (second) => {
        await second.goto(new URL(link, here.origin).href);
        await second.waitForURL(/#\/table\//);
        await play(first, second);
        for (const page of [first, second]) await el(page, "result").waitFor();
        await shot(first, `${name}-over`);
        const heard = taps.map((t) => t.heard());
        const truth = await here.ask("GET", `/api/tables/${tableOf(first)}`);
        return { heard, moves: truth.whole.moves, seed: truth.views[0].view.over.seed };
      }, { key: false, proxy: taps[1].proxy });
    }, { at: setUp(game, ["link"]), proxy: taps[0].proxy });
  } finally {
    for (const t of taps) t.close();
  }
}

/** Fails if a text does not occur in what was heard. */
function once(heard, pattern, words) {
  assert.ok(heard.some((text) => pattern.test(text)), `${words}: ${pattern}`);
}

/** Fails if a text occurs in what was heard. */
function never(heard, pattern, words) {
  const found = heard.find((text) => pattern.test(text));
  assert.equal(found && found.slice(0, 2000), undefined, `${words}: ${pattern}`);
}

test("at leduc-poker nobody is sent the other's card", async () => {
  const { heard, moves, seed } = await together("leduc", "leduc-poker", async (...pages) => {
    for (let n = 0; n < 4; n++) {
      const page = pages[n % 2];
      await offers(page);
      if (n === 2) await shot(page, "leduc-two");
      await page.locator('[data-test="move-item"][data-key="check"]').click();
    }
  });
  const NAMES = { J: "jack", Q: "queen", K: "king" };
  const [first, second] = moves;
  const card = (name) => new RegExp(`\\b(${name}|${NAMES[name[0]]} ${name[1]})\\b`, "i");
  once(heard[0], card(first), "the own card was sent");
  once(heard[1], card(second), "the own card was sent");
  never(heard[0], card(second), "the first was sent the second's card");
  never(heard[1], card(first), "the second was sent the first's card");
  assert.match(seed, /^\d{4,}$/);
  for (const all of heard) never(all, new RegExp(`\\b${seed}\\b`), "the seed was sent before the end");
});

test("at phantom-mnk nobody is sent marks that they have not run into", async () => {
  const { heard } = await together("phantom", "phantom-mnk", async (first, second) => {
    const play = async (page, cell) => {
      await offers(page);
      await touch(page, `board/${cell}`);
      await until(async () => (await page.locator(".table.busy").count()) === 0);
    };
    await play(first, "a1");
    await play(second, "a1");
    await play(second, "b2");
    await play(first, "b1");
    await play(second, "c3");
    await shot(second, "phantom-two");
    await play(first, "c1");
  });
  const mark = (cell, look) => new RegExp(`${cell}: ${look}|"place":"${cell}"[^}]*"look":"${look}"`);
  once(heard[1], mark("a1", "cross"), "a try that failed shows the mark");
  once(heard[0], mark("b1", "cross"), "an own mark was sent");
  once(heard[1], mark("b2", "ring"), "an own mark was sent");
  for (const cell of ["b1", "c1"]) never(heard[1], mark(cell, "cross"), "a mark of the first was sent");
  for (const cell of ["a1", "b2", "c3"]) never(heard[0], mark(cell, "ring"), "a mark of the second was sent");
});

import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ownerHere } from "../../../engine/files.ts";
import { type JournalSubject, makeNoJournal, openJournal } from "../../../extras/batch/journal.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";

const digest = (name: string): Integrity => `sha256-${name}`;
const [KEY, INPUT] = [digest("program"), digest("input")];
let project: string;
let file: string;
let asked: string[];

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "codemode-journal-"));
  file = join(project, "batch.journal");
  asked = [];
  onTestFinished(() => rm(project, { recursive: true, force: true }));
});

const SUBJECT = { program: KEY, script: "a.ts", inputs: "in.jsonl" };
const open = (subject: Partial<JournalSubject> = {}, mayContinue = false) =>
  openJournal(file, {
    ...{ ...SUBJECT, project, ...subject },
    mayContinue: async (found) => {
      asked.push(found);
      return mayContinue;
    },
  });
const done = (line: number, result = line) => ({ line, ok: true, result }) as const;

/** A journal that some results were written into. */
async function writeResults(...lines: number[]): Promise<string> {
  const journal = await open();
  for (const line of lines) await journal.add(done(line), INPUT);
  await journal.close();
  return journal.batch;
}

test("a batch that goes on has its id and its results, for exactly the inputs that gave them", async () => {
  const batch = await writeResults(1, 2, 3);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([journal.batch, asked]).toEqual([batch, []]);
  expect(await journal.find(2, INPUT)).toEqual(done(2));
  expect(await journal.find(2, digest("another input"))).toBeUndefined();
  expect(await journal.find(4, INPUT)).toBeUndefined();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a mark that an editor has put before a journal takes no result away", async () => {
  const batch = await writeResults(1);
  await writeFile(file, `\uFEFF${await readFile(file, "utf8")}`);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([journal.batch, await journal.find(1, INPUT)]).toEqual([batch, done(1)]);
});

test("an input that has failed is to be had again, and its last result counts", async () => {
  const first = await open();
  await first.add({ line: 1, ok: false, diagnostics: [] }, INPUT);
  await first.add(done(2, 1), INPUT);
  await first.add(done(2, 2), INPUT);
  await first.close();
  const journal = await open();
  onTestFinished(() => journal.close());
  expect(await journal.find(1, INPUT)).toBeUndefined();
  expect(await journal.find(2, INPUT)).toEqual(done(2, 2));
});

test("a line that a crash has cut stays a line of its own, so that the next one is whole and nothing is taken away", async () => {
  await writeResults(1);
  const cut = '{"input":"sha256-input","result":{"line":2,';
  await appendFile(file, cut);
  const before = await readFile(file, "utf8");
  const going = await open();
  await going.add(done(3), INPUT);
  await going.close();
  expect(await readFile(file, "utf8")).toBe(`${before}\n${JSON.stringify({ input: INPUT, result: done(3) })}\n`);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([await journal.find(1, INPUT), await journal.find(2, INPUT), await journal.find(3, INPUT)]).toEqual([
    ...[done(1), undefined, done(3)],
  ]);
});

test.each([
  [{ program: digest("another program") }, /another version of the script/],
  [{ script: "b.ts" }, /another script \("a\.ts"\)/],
  [{ inputs: "other.jsonl" }, /other inputs \("in\.jsonl"\)/],
])("results of %j are kept where that is wanted, and never written over", async (subject, words) => {
  const batch = await writeResults(1);
  const before = await readFile(file, "utf8");
  await expect(open(subject)).rejects.toMatchObject({
    ...{ code: "JOURNAL_DIFFERS", exitCode: 2, message: expect.stringMatching(words) },
    hint: expect.stringContaining("--continue"),
  });
  expect(asked).toEqual([expect.stringMatching(/batch\.journal has the results of 1 inputs, of .*\.$/)]);
  expect(await readFile(file, "utf8")).toBe(before);
  const journal = await open(subject, true);
  // Its runs are another piece of work, and have keys of their own.
  expect(journal.batch).not.toBe(batch);
  expect(await journal.find(1, INPUT)).toEqual(done(1));
  await journal.add(done(2), INPUT);
  await journal.close();
  expect((await readFile(file, "utf8")).startsWith(before)).toBe(true);
  const again = await open(subject);
  onTestFinished(() => again.close());
  expect(again.batch).toBe(journal.batch);
  expect([await again.find(1, INPUT), await again.find(2, INPUT)]).toEqual([done(1), done(2)]);
});

test("a journal of another program without a result begins again, unasked", async () => {
  const first = await open();
  await first.add({ line: 1, ok: false, diagnostics: [] }, INPUT);
  await first.close();
  const journal = await open({ program: digest("another program") });
  onTestFinished(() => journal.close());
  expect([asked, journal.batch === first.batch]).toEqual([[], false]);
});

test.each(["a year of notes\n", '{"a":1}\n{"a":2}\n', "export default 1;\n", '{"mcpServers":{}}', "\u0000\u0001"])(
  "a file of the user (%j) is no journal: nothing is written to it, and it is not removed",
  async (text) => {
    await appendFile(file, text);
    await expect(open({}, true)).rejects.toMatchObject({ code: "OUTPUT_NOT_OURS", exitCode: 2 });
    expect(await readFile(file, "utf8")).toBe(text);
  },
);

test("a second process is refused with the id of the first, and what a dead one has left is taken over", async () => {
  const first = await open();
  await expect(open()).rejects.toMatchObject({
    ...{ code: "JOURNAL_IN_USE", message: expect.stringContaining(`Process ${process.pid} on `) },
  });
  await first.add(done(1), INPUT);
  await first.close();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await writeFile(`${file}.lock`, JSON.stringify({ ...ownerHere(), pid, id: "x" }));
  const next = await open();
  expect(await next.find(1, INPUT)).toEqual(done(1));
  await next.close();
  await expect(stat(`${file}.lock`)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a lock that names no process yet is one that is being written", async () => {
  await writeFile(`${file}.lock`, "");
  const opening = open();
  await delay(30);
  await writeFile(`${file}.lock`, JSON.stringify({ ...ownerHere(), id: "x" }));
  await expect(opening).rejects.toMatchObject({ code: "JOURNAL_IN_USE" });
});

const ID = "01234567-89ab-cdef-0123-456789abcdef";

/** The first line of a journal, of version 4 unless given. */
const header = (parts: object) =>
  JSON.stringify({ journalVersion: 4, program: KEY, script: "a.ts", inputs: "in.jsonl", batch: ID, ...parts });
const RESULT_1 = '{"input":"sha256-input","result":{"line":1,"ok":true,"result":1}}';

test("a journal that another process has written goes on under the same id", async () => {
  await appendFile(file, `${header({})}\n${RESULT_1}\n`);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([journal.batch, await journal.find(1, INPUT)]).toEqual([ID, done(1)]);
});

test.each([
  ...[{ journalVersion: 3 }, { journalVersion: "4" }, { program: "sha256-another" }, { script: "b.ts" }],
  ...["../../x", `../${ID}`, `${ID}/x`, [ID], 36].map((batch) => ({ batch })),
])("a header with %j gives no batch its id", async (parts) => {
  await appendFile(file, `${header(parts)}\n${RESULT_1}\n`);
  await expect(open()).rejects.toMatchObject({ code: "JOURNAL_DIFFERS" });
  const journal = await open({}, true);
  onTestFinished(() => journal.close());
  expect(journal.batch).toMatch(/^[0-9a-f-]{36}$/);
  expect(journal.batch).not.toBe(ID);
});

test("a long result and a line far on are found, and lines that no batch has are none", async () => {
  const first = await open();
  const long = "x".repeat(100_000);
  await first.add({ line: 5000, ok: true, result: long }, INPUT);
  await first.close();
  for (const line of [0, -1, 1.5, 2 ** 31, 2 ** 50, "1"]) {
    await appendFile(file, `${JSON.stringify({ input: INPUT, result: { line, ok: true, result: 0 } })}\n`);
  }
  const journal = await open();
  expect(await journal.find(5000, INPUT)).toEqual({ line: 5000, ok: true, result: long });
  expect(await journal.find(0, INPUT)).toBeUndefined();
  await journal.close();
  await journal.remove();
  await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
});

test("results are found in a journal that is read in several parts, also those of a line that begins the next part", async () => {
  const first = await open();
  const lines = [1, 2, 1023, 1024, 2048, 5000];
  // More than is read at once, with characters of several bytes.
  const long = "é".repeat(300_000);
  await Promise.all(lines.map((line) => first.add({ line, ok: true, result: `${line} ${long}` }, INPUT)));
  await first.close();
  const journal = await open();
  onTestFinished(() => journal.close());
  for (const line of lines) {
    expect(await journal.find(line, INPUT)).toEqual({ line, ok: true, result: `${line} ${long}` });
  }
  expect(await journal.find(1025, INPUT)).toBeUndefined();
});

test("lines that are no results are passed over", async () => {
  await writeResults(1);
  await appendFile(file, ["null", "[]", "{}", "7", '{"result":1}', '{"result":{}}', ""].join("\n"));
  const going = await open();
  await going.add(done(2), INPUT);
  await going.close();
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([await journal.find(1, INPUT), await journal.find(2, INPUT)]).toEqual([done(1), done(2)]);
});

test("a result that cannot be written says which file, and a journal that is gone can be removed", async () => {
  const journal = await open();
  await journal.close();
  const failing = { code: "RUN_NOT_KEPT", message: expect.stringContaining(`Cannot access ${file}: EBADF`) };
  await expect(journal.add(done(1), INPUT)).rejects.toMatchObject(failing);
  await journal.remove();
  await expect(journal.remove()).resolves.toBeUndefined();
});

test("a batch that leaves no trace finds nothing", async () => {
  const journal = makeNoJournal();
  await journal.add(done(1), INPUT);
  expect(await journal.find(1, INPUT)).toBeUndefined();
  await journal.close();
  await journal.remove();
});

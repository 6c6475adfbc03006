import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeNoJournal, openJournal } from "../../../extras/batch/journal.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";

const digest = (name: string): Integrity => `sha256-${name}`;
const [KEY, INPUT] = [digest("program"), digest("input")];
let project: string;
let file: string;
let foreign: number;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "codemode-journal-"));
  file = join(project, "batch.journal");
  foreign = 0;
  onTestFinished(() => rm(project, { recursive: true, force: true }));
});

const open = (key = KEY) => openJournal(file, { key, project, onForeign: () => void (foreign += 1) });
const done = (line: number, result = line) => ({ line, ok: true, result }) as const;

/** A journal that some results were written into. */
async function writeResults(...lines: number[]): Promise<string> {
  const journal = await open();
  for (const line of lines) await journal.add(INPUT, done(line));
  await journal.close();
  return journal.batch;
}

test("a batch that goes on has its id and its results, for exactly the inputs that gave them", async () => {
  const batch = await writeResults(1, 2, 3);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([journal.batch, foreign]).toEqual([batch, 0]);
  expect(await journal.find(2, INPUT)).toEqual(done(2));
  expect(await journal.find(2, digest("another input"))).toBeUndefined();
  expect(await journal.find(4, INPUT)).toBeUndefined();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("an input that has failed is to be had again, and its last result counts", async () => {
  const first = await open();
  await first.add(INPUT, { line: 1, ok: false, diagnostics: [] });
  await first.add(INPUT, done(2, 1));
  await first.add(INPUT, done(2, 2));
  await first.close();
  const journal = await open();
  onTestFinished(() => journal.close());
  expect(await journal.find(1, INPUT)).toBeUndefined();
  expect(await journal.find(2, INPUT)).toEqual(done(2, 2));
});

test("a line that a crash has cut is cut off, so that the next one is whole", async () => {
  await writeResults(1);
  const whole = await readFile(file, "utf8");
  await appendFile(file, '{"input":"sha256-input","result":{"line":2,');
  const going = await open();
  await going.add(INPUT, done(3));
  await going.close();
  expect(await readFile(file, "utf8")).toBe(`${whole}${JSON.stringify({ input: INPUT, result: done(3) })}\n`);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([await journal.find(1, INPUT), await journal.find(2, INPUT), await journal.find(3, INPUT)]).toEqual([
    ...[done(1), undefined, done(3)],
  ]);
});

test("results of another program are not taken: a new batch begins, and that is said", async () => {
  const batch = await writeResults(1);
  const journal = await open(digest("another program"));
  onTestFinished(() => journal.close());
  expect(foreign).toBe(1);
  expect(journal.batch).not.toBe(batch);
  expect(await journal.find(1, INPUT)).toBeUndefined();
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(2);
});

const ID = "01234567-89ab-cdef-0123-456789abcdef";

test.each([
  ...["", "nonsense", "null", "[]", '{"journalVersion":1}', `{"key":"sha256-program","batch":"${ID}"}`],
  `{"journalVersion":1,"key":"sha256-program","batch":"${ID}"}`,
  `{"journalVersion":2,"key":"sha256-another","batch":"${ID}"}`,
  ...[`"../../x"`, `"../${ID}"`, `"${ID}/x"`, `["${ID}"]`, "36"].map(
    (batch) => `{"journalVersion":2,"key":"sha256-program","batch":${batch}}`,
  ),
])("the header %j gives no batch its id", async (header) => {
  await appendFile(file, `${header}\n{"input":"sha256-input","result":{"line":1,"ok":true,"result":1}}\n`);
  const journal = await open();
  onTestFinished(() => journal.close());
  expect(journal.batch).toMatch(/^[0-9a-f-]{36}$/);
  expect(journal.batch).not.toBe(ID);
  expect(await journal.find(1, INPUT)).toBeUndefined();
});

test("a long result and a line far on are found, and lines that no batch has are none", async () => {
  const first = await open();
  const long = "x".repeat(100_000);
  await first.add(INPUT, { line: 5000, ok: true, result: long });
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

test("what a batch has written after the journal of another program is found when it goes on", async () => {
  await writeResults(1, 2, 3);
  const first = await open(digest("another program"));
  await first.add(INPUT, done(2, 7));
  await first.close();
  const journal = await open(digest("another program"));
  onTestFinished(() => journal.close());
  expect([await journal.find(1, INPUT), await journal.find(2, INPUT), foreign]).toEqual([undefined, done(2, 7), 1]);
});

test("results are found in a journal that is read in several parts, also those of a line that begins the next part", async () => {
  const first = await open();
  const lines = [1, 2, 1023, 1024, 2048, 5000];
  // More than is read at once, with characters of several bytes.
  const long = "é".repeat(300_000);
  await Promise.all(lines.map((line) => first.add(INPUT, { line, ok: true, result: `${line} ${long}` })));
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
  await going.add(INPUT, done(2));
  await going.close();
  const journal = await open();
  onTestFinished(() => journal.close());
  expect([await journal.find(1, INPUT), await journal.find(2, INPUT)]).toEqual([done(1), done(2)]);
});

test("a result that cannot be written says which file, and a journal that is gone can be removed", async () => {
  const journal = await open();
  await journal.close();
  const failing = { code: "RUN_NOT_KEPT", message: expect.stringContaining(`Cannot access ${file}: EBADF`) };
  await expect(journal.add(INPUT, done(1))).rejects.toMatchObject(failing);
  await journal.remove();
  await expect(journal.remove()).resolves.toBeUndefined();
});

test("a batch that leaves no trace finds nothing", async () => {
  const journal = makeNoJournal();
  await journal.add(INPUT, done(1));
  expect(await journal.find(1, INPUT)).toBeUndefined();
  await journal.close();
  await journal.remove();
});

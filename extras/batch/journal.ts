import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Integrity } from "../../schemas/lock/integrity.ts";
import { runNotKept } from "../../schemas/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { writeAtomically } from "../../engine/project/files.ts";
import { assertOutput } from "../../engine/project/output-file.ts";
import { holdFileLock } from "../../runtime/files/file-lock.ts";
import { journalDiffers, journalInUse } from "./batch-errors.ts";
import type { BatchResult } from "./batch-result.ts";

/** What is known of a batch that was begun before. */
export interface Journal {
  /** Names the batch in the keys of its runs: a random id, the same until the batch is complete. */
  batch: string;
  /** The result for exactly this input at this line; undefined where it is still to be had, or had failed. */
  find(line: number, input: Integrity): Promise<BatchResult | undefined>;
  /** Of these lines, the ones that have a result, with any input. */
  finishedOf(lines: readonly number[]): Promise<number[]>;
  /** Written before the next input of the same worker begins: a crash loses what was in flight and nothing else. */
  add(input: Integrity, result: BatchResult): Promise<void>;
  close(): Promise<void>;
  /** The batch is complete. */
  remove(): Promise<void>;
}

/** Of a batch that leaves no trace. */
export function makeNoJournal(): Journal {
  return {
    batch: randomUUID(),
    find: async () => undefined,
    finishedOf: async () => [],
    add: async () => {},
    close: async () => {},
    remove: async () => {},
  };
}

const JOURNAL_VERSION = 4;

/** A line that begins a batch in a journal: the first one, and one for each later program that has gone on with its results. */
interface JournalHeader {
  journalVersion: typeof JOURNAL_VERSION;
  /** As `programOf`. Limits are no part of it: they do not change what was done. */
  program: Integrity;
  /** The name of the script, and of the inputs. */
  script: string;
  inputs: string;
  batch: string;
}

interface JournalEntry {
  input: string;
  result: BatchResult;
}

/** Whose journal it is. */
export interface JournalSubject extends Pick<JournalHeader, "program" | "script" | "inputs"> {
  /** How version 2 named the program, with its limits, and version 3: by all bytes of its bundle. */
  former: { 2: Integrity; 3: Integrity };
  /** The folder out of which no link may lead. */
  project: string;
  /** Whether the results of another program or of other inputs are to be kept, for lines whose input is the same. */
  mayContinue: (found: FoundJournal) => Promise<boolean>;
}

/** The journal of another program, or of other inputs. */
export interface FoundJournal {
  file: string;
  /** How it differs, in words. */
  differs: string;
  /** How many inputs it has the results of. */
  finished: number;
}

/**
 * Opens the journal of a batch: lines that are only ever appended, of which memory holds no more than the place of each result (8 bytes for each
 * input). The file holds results, so that its owner alone may read it. One process has it at a time.
 * @throws CodemodeError `OUTPUT_NOT_OURS` where the file is no journal, `JOURNAL_IN_USE`, `JOURNAL_DIFFERS`
 */
export async function openJournal(file: string, subject: JournalSubject): Promise<Journal> {
  const { project } = subject;
  await assertOutput(file, "journal", project);
  const lock = await holdFileLock(file);
  if ("owner" in lock) throw journalInUse(file, lock.owner.pid, lock.owner.host);
  try {
    return await openLocked(file, subject, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** What a journal has, without the right to go on with it: its process may be at work. */
interface ReadJournal {
  /** How many inputs it has a result of, and how many of them failed. */
  done: number;
  failed: number;
}

/**
 * Reads the results of a journal, in the order of the inputs; of each input the last one.
 * @returns undefined where there is no such file
 * @throws CodemodeError `OUTPUT_NOT_OURS` where it is no journal
 */
export async function readResults(
  file: string,
  project: string,
  onResult: (result: BatchResult) => void,
): Promise<ReadJournal | undefined> {
  await assertOutput(file, "journal", project);
  const { header, places } = await indexEntries(file);
  if (header === undefined) return undefined;
  const handle = await open(file, "r");
  const readLine = makeLineReader(handle);
  const found = { done: 0, failed: 0 };
  try {
    for (let line = 1; line < places.end(); line += 1) {
      const place = places.get(line);
      const entry = place === undefined ? undefined : parseEntry(await readLine(place));
      if (entry === undefined) continue;
      found.done += 1;
      if (!entry.result.ok) found.failed += 1;
      onResult(entry.result);
    }
  } finally {
    await handle.close();
  }
  return found;
}

async function openLocked(file: string, subject: JournalSubject, release: () => Promise<void>): Promise<Journal> {
  const { header, places, finished, isTorn } = await indexEntries(file);
  const { batch, isNew, isKept } = await chooseBatch(file, subject, header, finished);
  const { program, script, inputs, project } = subject;
  const own: JournalHeader = { journalVersion: JOURNAL_VERSION, program, script, inputs, batch };
  if (isNew && !isKept) await writeAtomically(file, `${JSON.stringify(own)}\n`, { project, mode: 0o600 });
  const handle = await open(file, "a+");
  // What a crash has cut stays a line of its own: nothing that another process has written is taken away.
  const before = `${isTorn && isKept ? "\n" : ""}${isNew && isKept ? `${JSON.stringify(own)}\n` : ""}`;
  if (before !== "") await handle.appendFile(before);
  let writing = Promise.resolve();
  const readLine = makeLineReader(handle);
  const read = async (line: number): Promise<JournalEntry | undefined> => {
    const place = isKept ? places.get(line) : undefined;
    return place === undefined ? undefined : parseEntry(await readLine(place));
  };
  return {
    batch,
    async find(line, input) {
      const entry = await read(line);
      return entry?.input === input && entry.result.ok ? entry.result : undefined;
    },
    async finishedOf(lines) {
      const entries = await Promise.all(lines.map(read));
      return entries.flatMap((entry) => (entry?.result.ok === true ? [entry.result.line] : []));
    },
    add(input, result) {
      const entry: JournalEntry = { input, result };
      // One write at a time, each of a whole line.
      writing = writing
        .then(() => handle.appendFile(`${JSON.stringify(entry)}\n`))
        .catch((error: NodeJS.ErrnoException) => {
          throw runNotKept(`Cannot access ${file}: ${error.code ?? String(error)}`);
        });
      return writing;
    },
    async close() {
      try {
        await writing;
      } finally {
        await handle.close();
        await release();
      }
    },
    remove: () => rm(file, { force: true }),
  };
}

/** Which batch goes on, or begins. Results of another program are kept only where that is wanted; they are never written over unasked. */
async function chooseBatch(
  file: string,
  subject: JournalSubject,
  header: JsonObject | undefined,
  finished: number,
): Promise<{ batch: string; isNew: boolean; isKept: boolean }> {
  const differs = header === undefined ? undefined : findDifference(header, subject);
  const batch = header?.["batch"];
  if (header !== undefined && differs === undefined)
    return { batch: batch as string, isNew: header["journalVersion"] !== JOURNAL_VERSION, isKept: true };
  if (differs === undefined || finished === 0) return { batch: randomUUID(), isNew: true, isKept: false };
  const found = { file, differs, finished };
  if (!(await subject.mayContinue(found))) throw journalDiffers(file, differs, finished);
  // Another program is another piece of work: its runs have keys of their own.
  return { batch: randomUUID(), isNew: true, isKept: true };
}

/** How a journal does not belong to this batch. An edited file must not put anything else than an id into the keys of runs. */
function findDifference(header: JsonObject, { program, former, script, inputs }: JournalSubject): string | undefined {
  const { journalVersion: version, batch } = header;
  if (version === 2) {
    if (header["key"] !== former[2]) return "another version of the script or of codemode, or other limits";
  } else {
    if (version !== 3 && version !== JOURNAL_VERSION) return "another version of codemode";
    if (header["script"] !== script) return `another script (${JSON.stringify(header["script"])})`;
    if (header["inputs"] !== inputs) return `other inputs (${JSON.stringify(header["inputs"])})`;
    if (version === 3 && header["program"] !== former[3]) return "another version of the script or of codemode";
    if (version !== 3 && header["program"] !== program) return "another version of the script";
  }
  return typeof batch === "string" && /^[0-9a-f-]{36}$/.test(batch) ? undefined : "another batch";
}

const LINE_END = 0x0a;

/** What is in a journal: the last header, where the last entry of each line of the inputs begins, how many inputs succeeded, and whether its end is cut. */
interface JournalIndex {
  header: JsonObject | undefined;
  places: Places;
  finished: number;
  isTorn: boolean;
}

async function indexEntries(file: string): Promise<JournalIndex> {
  const places = makePlaces();
  let header: JsonObject | undefined;
  let finished = 0;
  let end = 0;
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let next = bytes.indexOf(LINE_END); next >= 0; next = bytes.indexOf(LINE_END, from)) {
        const line = parseObject(bytes.toString("utf8", from, next));
        if (line !== undefined && "journalVersion" in line) header = line;
        else if (line !== undefined && isEntry(line)) {
          places.set(line.result.line, end);
          if (line.result.ok) finished += 1;
        }
        end += next + 1 - from;
        from = next + 1;
      }
      rest = bytes.subarray(from);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { header, places, finished, isTorn: rest.length > 0 };
}

/** Numbers by line: as a Map they would take ten times the memory. */
type Places = ReturnType<typeof makePlaces>;

function makePlaces() {
  let places = new Float64Array(1024);
  return {
    /** Greater than each line. */
    end: (): number => places.length,
    get: (line: number): number | undefined => places[line] || undefined,
    set(line: number, place: number): void {
      if (line >= places.length) {
        const grown = new Float64Array(Math.max(line + 1, places.length * 2));
        grown.set(places);
        places = grown;
      }
      places[line] = place;
    },
  };
}

const READ_BYTES = 64 * 1024;

/** Reads the line at a place. Lines are asked for in the order of the inputs, which is about theirs in the file: many are read at once. */
function makeLineReader(handle: FileHandle): (place: number) => Promise<string> {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);
  const find = (place: number): string | undefined => {
    if (place < start || place >= start + bytes.length) return undefined;
    const end = bytes.indexOf(LINE_END, place - start);
    return end < 0 ? undefined : bytes.toString("utf8", place - start, end);
  };
  return async (place) => {
    let found = find(place);
    let isMore = true;
    for (let size = READ_BYTES; found === undefined && isMore; size *= 4) {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size), position: place });
      isMore = bytesRead === size;
      [start, bytes] = [place, buffer.subarray(0, bytesRead)];
      found = find(place);
    }
    // Nothing ends a line that a crash has cut.
    return found ?? "";
  };
}

function parseEntry(line: string): JournalEntry | undefined {
  const entry = parseObject(line);
  return entry !== undefined && isEntry(entry) ? entry : undefined;
}

function isEntry(entry: object): entry is JournalEntry {
  const { result } = entry as { result?: JsonValue };
  return isJsonObject(result) && isLine(result["line"]);
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The index has a place for each line up to the greatest: an edited file must not make it enormous. */
const MAX_LINES = 2 ** 31;

function isLine(line: JsonValue | undefined): boolean {
  return Number.isInteger(line) && Number(line) > 0 && Number(line) < MAX_LINES;
}

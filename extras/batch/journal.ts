import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Integrity } from "../../schemas/lock/integrity.ts";
import { runNotKept } from "../../schemas/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from "../../schemas/json/json.ts";
import { withoutMark } from "../../schemas/text/without-mark.ts";
import { writeAtomically } from "../../engine/project/files.ts";
import { assertOutput } from "../../engine/project/output-file.ts";
import { unlessMissing } from "../../runtime/files/expected-errors.ts";
import { holdFileLock } from "../../runtime/files/file-lock.ts";
import { journalDiffers, journalInUse } from "./batch-errors.ts";
import type { BatchResult } from "./batch-result.ts";
import { splitLines } from "./read-inputs.ts";

/** What is known of a batch of one process that was begun before. */
export interface Journal {
  /** Names the batch in the keys of its runs: the same until the batch is complete. */
  readonly batch: string;
  /** Of these lines, the ones that have succeeded, with any input. */
  finishedOf(lines: readonly number[]): Promise<number[]>;
  /** Written before the next input of the same worker begins: a crash loses what was in flight and nothing else. */
  add(result: BatchResult, input: Integrity): Promise<void>;
  close(): Promise<void>;
  /** The result for exactly this input at this line; undefined where it is still to be had, or had failed. */
  find(line: number, input: Integrity): Promise<BatchResult | undefined>;
  /** The batch is complete. */
  remove(): Promise<void>;
}

/** Of a batch that leaves no trace. */
export function makeNoJournal(): Journal {
  const nothing = async (): Promise<undefined> => undefined;
  return {
    ...{ batch: randomUUID(), find: nothing, add: nothing, close: nothing, remove: nothing },
    finishedOf: async () => [],
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
  /** The folder out of which no link may lead. */
  project: string;
  /** Whether the results of another program or of other inputs, as said in words, are to be kept, for lines whose input is the same. */
  mayContinue: (found: string) => Promise<boolean>;
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

/**
 * Reads the results of a journal, in the order of the inputs; of each input the last one. Its process may be at work.
 * @throws CodemodeError `OUTPUT_NOT_OURS` where it is no journal
 */
export async function* readResults(file: string, project: string): AsyncGenerator<BatchResult> {
  await assertOutput(file, "journal", project);
  const { places } = await indexEntries(file);
  const handle = await open(file, "r");
  const read = makeReader(handle, places);
  try {
    for (let line = 1; line < places.length; line += 1) {
      const entry = await read(line);
      if (entry !== undefined) yield entry.result;
    }
  } finally {
    await handle.close();
  }
}

async function openLocked(file: string, subject: JournalSubject, release: () => Promise<void>): Promise<Journal> {
  const { header, places, finished, end } = await indexEntries(file);
  const { batch, isNew, isKept } = await chooseBatch(file, subject, header, finished);
  const { program, script, inputs, project } = subject;
  const own: JournalHeader = { journalVersion: JOURNAL_VERSION, program, script, inputs, batch };
  if (isNew && !isKept) await writeAtomically(file, `${JSON.stringify(own)}\n`, { project, mode: 0o600 });
  const handle = await open(file, "a+");
  // What a crash has cut stays a line of its own: nothing that another process has written is taken away.
  if (isKept && (await handle.stat()).size < end) await handle.appendFile("\n");
  if (isKept && isNew) await handle.appendFile(`${JSON.stringify(own)}\n`);
  let writing = Promise.resolve();
  const read = makeReader(handle, isKept ? places : []);
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
    async add(result, input) {
      const entry: JournalEntry = { input, result };
      // One write at a time, each of a whole line.
      writing = writing
        .then(() => handle.appendFile(`${JSON.stringify(entry)}\n`))
        .catch((error: NodeJS.ErrnoException) => {
          throw runNotKept(`Cannot access ${file}: ${error.code ?? String(error)}`);
        });
      await writing;
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
  if (header !== undefined && differs === undefined) return { batch: batch as string, isNew: false, isKept: true };
  if (differs === undefined || finished === 0) return { batch: randomUUID(), isNew: true, isKept: false };
  const found = `${file} has the results of ${finished} inputs, of ${differs}.`;
  if (!(await subject.mayContinue(found))) throw journalDiffers(found);
  // Another program is another piece of work: its runs have keys of their own.
  return { batch: randomUUID(), isNew: true, isKept: true };
}

/** How a journal does not belong to this batch. An edited file must not put anything else than an id into the keys of runs. */
function findDifference(header: JsonObject, { program, script, inputs }: JournalSubject): string | undefined {
  const { journalVersion, batch } = header;
  if (journalVersion !== JOURNAL_VERSION) return "another version of codemode";
  if (header["script"] !== script) return `another script (${JSON.stringify(header["script"])})`;
  if (header["inputs"] !== inputs) return `other inputs (${JSON.stringify(header["inputs"])})`;
  if (header["program"] !== program) return "another version of the script";
  return typeof batch === "string" && /^[0-9a-f-]{36}$/.test(batch) ? undefined : "another batch";
}

const LINE_END = 0x0a;

/** What is in a journal. */
interface JournalIndex {
  /** The last one. */
  header: JsonObject | undefined;
  /** Where the last entry of each line of the inputs begins. */
  places: number[];
  /** How many inputs succeeded. */
  finished: number;
  /** Where the last line ends; beyond the file, where a crash has cut it. */
  end: number;
}

async function indexEntries(file: string): Promise<JournalIndex> {
  const index: JournalIndex = { header: undefined, places: [], finished: 0, end: 0 };
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: 1024 * 1024 });
  try {
    for await (const lines of splitLines(chunks, Infinity)) {
      for (const bytes of lines) {
        const line = parseJsonObject(withoutMark(bytes.toString("utf8")));
        if (line !== undefined && "journalVersion" in line) index.header = line;
        else if (line !== undefined && isEntry(line)) {
          index.places[line.result.line] = index.end;
          if (line.result.ok) index.finished += 1;
        }
        index.end += bytes.length + 1;
      }
    }
  } catch (error) {
    unlessMissing(error as NodeJS.ErrnoException);
  }
  return index;
}

const READ_BYTES = 64 * 1024;

/** Reads the entry of a line of the inputs. Entries are asked for in the order of the inputs, which is about theirs in the file: many are read at once. */
function makeReader(
  handle: FileHandle,
  places: readonly number[],
): (line: number) => Promise<JournalEntry | undefined> {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);
  const find = (place: number): string | undefined => {
    if (place < start || place >= start + bytes.length) return undefined;
    const end = bytes.indexOf(LINE_END, place - start);
    return end < 0 ? undefined : bytes.toString("utf8", place - start, end);
  };
  return async (line) => {
    const place = places[line];
    if (place === undefined) return undefined;
    let found = find(place);
    let isMore = true;
    for (let size = READ_BYTES; found === undefined && isMore; size *= 4) {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size), position: place });
      isMore = bytesRead === size;
      [start, bytes] = [place, buffer.subarray(0, bytesRead)];
      found = find(place);
    }
    // Nothing ends a line that a crash has cut.
    const entry = parseJsonObject(found ?? "");
    return entry !== undefined && isEntry(entry) ? entry : undefined;
  };
}

/** The index has a place for each line up to the greatest: an edited file must not make it enormous. */
const MAX_LINES = 2 ** 31;

function isEntry(entry: object): entry is JournalEntry {
  const { result } = entry as { result?: JsonValue };
  const line = isJsonObject(result) ? result["line"] : undefined;
  return typeof line === "number" && Number.isInteger(line) && line > 0 && line < MAX_LINES;
}

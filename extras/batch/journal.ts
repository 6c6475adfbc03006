import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Integrity } from "../../schemas/lock/integrity.ts";
import { runNotKept } from "../../schemas/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";
import { assertWritable, writeAtomically } from "../../engine/project/files.ts";
import type { BatchResult } from "./batch-result.ts";

/** What is known of a batch that was begun before. */
export interface Journal {
  /** Names the batch in the keys of its runs: a random id, the same until the batch is complete. */
  batch: string;
  /** The result for exactly this input at this line; undefined where it is still to be had, or had failed. */
  find(line: number, input: Integrity): Promise<BatchResult | undefined>;
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
    add: async () => {},
    close: async () => {},
    remove: async () => {},
  };
}

const JOURNAL_VERSION = 2;

/** The first line of a journal. */
interface JournalHeader {
  journalVersion: typeof JOURNAL_VERSION;
  key: Integrity;
  batch: string;
}

interface JournalEntry {
  input: string;
  result: BatchResult;
}

/** Whose journal it is. */
export interface JournalSubject {
  /** Names the program that runs: results of another one are not taken. */
  key: Integrity;
  /** The folder out of which no link may lead. */
  project: string;
  /** Called where the file is the journal of another program. */
  onForeign: () => void;
}

/**
 * Opens the journal of a batch: lines that are only ever appended, of which memory holds no more than the place of each result (8 bytes for each
 * input). The file holds results, so that its owner alone may read it.
 */
export async function openJournal(file: string, { key, project, onForeign }: JournalSubject): Promise<Journal> {
  await assertWritable(file, project);
  const { header, places, end } = await indexEntries(file);
  const known = findBatch(header, key);
  const isSame = known !== undefined;
  const batch = known ?? randomUUID();
  if (!isSame) {
    if (header !== "") onForeign();
    const own: JournalHeader = { journalVersion: JOURNAL_VERSION, key, batch };
    await writeAtomically(file, `${JSON.stringify(own)}\n`, { project, mode: 0o600 });
  }
  const handle = await open(file, "a+");
  // A crash may have cut the last line.
  if (isSame) await handle.truncate(end);
  let writing = Promise.resolve();
  return {
    batch,
    async find(line, input) {
      const place = isSame ? places.get(line) : undefined;
      const entry = place === undefined ? undefined : parseEntry(await readLine(handle, place));
      return entry?.input === input && entry.result.ok ? entry.result : undefined;
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
      await writing;
      await handle.close();
    },
    remove: () => rm(file, { force: true }),
  };
}

const LINE_END = 0x0a;

/** Where the last entry of each line of the inputs begins, and where the last whole entry ends. */
async function indexEntries(file: string): Promise<{ header: string; places: Places; end: number }> {
  const places = makePlaces();
  let header: string | undefined;
  let end = 0;
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let from = 0;
      for (let next = bytes.indexOf(LINE_END); next >= 0; next = bytes.indexOf(LINE_END, from)) {
        const text = bytes.toString("utf8", from, next);
        header ??= text;
        // The header is none.
        const entry = parseEntry(text);
        if (entry !== undefined) places.set(entry.result.line, end);
        end += next + 1 - from;
        from = next + 1;
      }
      rest = bytes.subarray(from);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { header: header ?? "", places, end };
}

/** Numbers by line: as a Map they would take ten times the memory. */
type Places = ReturnType<typeof makePlaces>;

function makePlaces() {
  let places = new Float64Array(1024);
  return {
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

const FIRST_READ_BYTES = 4096;

async function readLine(handle: FileHandle, place: number): Promise<string> {
  for (let size = FIRST_READ_BYTES; ; size *= 4) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size), position: place });
    const end = buffer.subarray(0, bytesRead).indexOf(LINE_END);
    if (end >= 0 || bytesRead < size) return buffer.toString("utf8", 0, Math.max(end, 0));
  }
}

/** The batch of a journal of this program; an edited file must not put anything else into the keys of runs. */
function findBatch(line: string, key: Integrity): string | undefined {
  const header = parseObject(line);
  if (header?.["journalVersion"] !== JOURNAL_VERSION || header["key"] !== key) return undefined;
  const { batch } = header;
  return typeof batch === "string" && /^[0-9a-f-]{36}$/.test(batch) ? batch : undefined;
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

import { type FileHandle, open, rm } from "node:fs/promises";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";
import { runNotKept } from "../../../schemas/errors.ts";
import { isJsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import { readTextIfPresent, writeAtomically } from "../../project/files.ts";

/** What came of one input. */
export type BatchResult =
  { line: number; ok: true; result: JsonValue } | { line: number; ok: false; diagnostics: readonly Diagnostic[] };

/** What is known of a batch that was begun before. */
export interface Journal {
  /** The result for exactly this input at this line; undefined where it is still to be had, or had failed. */
  find(line: number, input: Integrity): BatchResult | undefined;
  /** Written before the next input of the same worker begins: a crash loses what was in flight and nothing else. */
  add(input: Integrity, result: BatchResult): Promise<void>;
  close(): Promise<void>;
  /** The batch is complete. */
  remove(): Promise<void>;
}

/** Of a batch that leaves no trace. */
export const NO_JOURNAL: Journal = {
  find: () => undefined,
  add: async () => {},
  close: async () => {},
  remove: async () => {},
};

const JOURNAL_VERSION = 1;

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
 * Opens the journal of a batch. The file holds results, so that its owner alone may read it.
 */
export async function openJournal(file: string, { key, project, onForeign }: JournalSubject): Promise<Journal> {
  const [header = "", ...lines] = completeLines((await readTextIfPresent(file)) ?? "");
  const expected = JSON.stringify({ journalVersion: JOURNAL_VERSION, key });
  const isSame = header === expected;
  if (!isSame && header !== "") onForeign();
  const kept = isSame ? lines.flatMap(parseEntry).filter(({ result }) => result.ok) : [];
  const known = new Map(kept.map((entry) => [`${entry.result.line} ${entry.input}`, entry.result]));
  const handle = await rewrite(file, [expected, ...kept.map((entry) => JSON.stringify(entry))], project);
  let writing = Promise.resolve();
  return {
    find: (line, input) => known.get(`${line} ${input}`),
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

/** A crash may have cut the last line: it counts only with its end. */
function completeLines(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

function parseEntry(line: string): JournalEntry[] {
  try {
    const entry = JSON.parse(line) as JsonValue;
    return isJsonObject(entry) && isJsonObject(entry["result"]) ? [entry as unknown as JournalEntry] : [];
  } catch {
    return [];
  }
}

/** Rewrites the kept lines atomically, so that a crash loses nothing. */
async function rewrite(file: string, lines: readonly string[], project: string): Promise<FileHandle> {
  await writeAtomically(file, lines.map((line) => `${line}\n`).join(""), { project, mode: 0o600 });
  return open(file, "a");
}

import { randomUUID } from "node:crypto";
import { clock, every } from "../../../engine/clock.ts";
import { storeInvalid } from "../../../schemas/config/serve-errors.ts";
import { batchDiffers, batchUnknown } from "../batch-errors.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { digestText } from "../../../runtime/host/digest-text.ts";
import type { Integrity } from "../../../schemas/lock/integrity.ts";
import type { BatchResult } from "../batch-result.ts";
import type { BatchInput } from "../read-inputs.ts";
import { makeTextSealer, type Sealer, sealFor } from "../../../engine/store-plan.ts";
import { writeTogether } from "../../../engine/write-together.ts";
import { whileAway } from "../../../engine/while-away.ts";
import { type JournalDatabase, openJournalDatabase } from "./open-database.ts";

/** A batch in a database, whose inputs many processes claim. */
export type SharedJournal = Awaited<ReturnType<typeof openSharedJournal>>;

/** Which batch a process takes part in. */
export interface SharedBatch {
  url: string;
  /** As `projectOf`: another one has batches of its own, also of the same program. */
  project: string;
  name: string;
  /** Names the program that runs, as `programOf`, with its limits. */
  key: Integrity;
  /** What encrypts inputs and results. */
  sealer?: Sealer | undefined;
  /** Whether this process brings the inputs: otherwise the batch has to exist. */
  isEntering: boolean;
}

const BATCH_CHARACTERS = 24;
const ENTERED_TOGETHER = 1000;
const READ_TOGETHER = 200;
const HEARTBEAT_MS = 5_000;
/** A process that was not heard of for so long is dead. */
const LEASE = "20 seconds";
/** With the id of a batch: held by the process that enters its inputs. */
const ENTER_LOCK = 7_262_633;

interface BatchRow {
  id: number;
  key: string;
  made: string;
  total: number | null;
  digest: string | null;
}

const SELECT_BATCH = `SELECT id, key, extract(epoch FROM created)::text AS made, total, digest FROM codemode_batches
  WHERE key = $1`;
const INSERT_BATCH = "INSERT INTO codemode_batches (key, name) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
const ENTER = `INSERT INTO codemode_inputs (batch, line, input)
  SELECT $1, line, input FROM unnest($2::int[], $3::text[]) AS new (line, input) ON CONFLICT DO NOTHING`;
const BEAT = `INSERT INTO codemode_workers (id, batch, seen) VALUES ($1, $2, now())
  ON CONFLICT (id) DO UPDATE SET seen = now()`;
const RELEASE = `UPDATE codemode_inputs SET state = 'waiting', worker = NULL
  WHERE batch = $1 AND worker = $2 AND state = 'claimed' AND NOT line = ANY ($3::int[])`;
const TAKE_OVER = `UPDATE codemode_inputs AS taken SET state = 'waiting', worker = NULL
  WHERE batch = $1 AND state = 'claimed' AND NOT EXISTS (
    SELECT FROM codemode_workers WHERE id = taken.worker AND seen > now() - interval '${LEASE}')`;
const FORGET = `DELETE FROM codemode_workers WHERE batch = $1 AND seen < now() - 10 * interval '${LEASE}'`;
// As an array the lines are chosen once: a planner that knows nothing of the table yet could choose them once for each row.
const CLAIM = `UPDATE codemode_inputs SET state = 'claimed', worker = $2
  WHERE batch = $1 AND line = ANY (ARRAY(
    SELECT line FROM codemode_inputs WHERE batch = $1 AND state = 'waiting'
    ORDER BY line LIMIT $3 FOR UPDATE SKIP LOCKED))
  RETURNING line, input`;
const KEEP = `UPDATE codemode_inputs AS kept SET state = new.state, result = new.result, worker = NULL
  FROM unnest($3::int[], $4::text[], $5::text[]) AS new (line, state, result)
  WHERE kept.batch = $1 AND kept.line = new.line
    AND (kept.worker = $2 OR kept.state = new.state AND kept.result = new.result)
  RETURNING kept.line`;
const FIND_DONE = "SELECT line FROM codemode_inputs WHERE batch = $1 AND line = ANY ($2::int[]) AND state = 'done'";
const IS_FINISHED = `SELECT total IS NOT NULL AND NOT EXISTS (
    SELECT FROM codemode_inputs WHERE batch = $1 AND state = 'waiting') AND NOT EXISTS (
    SELECT FROM codemode_inputs WHERE batch = $1 AND state = 'claimed') AS finished
  FROM codemode_batches WHERE id = $1`;
const COUNT_STATES = `SELECT count(*) FILTER (WHERE state IN ('done', 'failed'))::int AS done,
    count(*) FILTER (WHERE state = 'failed')::int AS failed
  FROM codemode_inputs WHERE batch = $1`;
const READ_RESULTS = `SELECT line, result FROM codemode_inputs
  WHERE batch = $1 AND line > $2 AND state IN ('done', 'failed') ORDER BY line LIMIT ${READ_TOGETHER}`;

/**
 * Opens a batch of a database, and makes it where this process brings its inputs.
 * @throws CodemodeError `BATCH_UNKNOWN` where there is none, and as `openJournalDatabase`
 */
export async function openSharedJournal(shared: SharedBatch) {
  const database = await openJournalDatabase(shared.url);
  const { query, withSession } = database;
  const worker = randomUUID();
  const row = await openBatch(database, shared);
  const batch = row.id;
  const texts = makeKeptTexts(shared, batch);
  /** Claimed here and not finished. */
  const held = new Set<number>();
  /** While the batch runs the database may be restarted. */
  const queryAgain: typeof query = (sql, values) => whileAway(() => query(sql, values));
  const heartbeat = makeHeartbeat(() => query(BEAT, [worker, batch]));
  // Said twice, where the answer of the first time is lost, it is the same.
  const add = writeTogether(async (results: readonly BatchResult[]) => {
    const lines = results.map(({ line }) => line);
    const states = results.map(({ ok }) => (ok ? "done" : "failed"));
    const toKept = (result: BatchResult): string => texts.toKept(JSON.stringify(result), "result", result.line);
    const kept = await queryAgain<{ line: number }>(KEEP, [batch, worker, lines, states, results.map(toKept)]);
    for (const line of lines) held.delete(line);
    return new Set(kept.map(({ line }) => line));
  });
  let lookedAt = -Infinity;

  const isFinished = async (): Promise<boolean> =>
    (await queryAgain<{ finished: boolean }>(IS_FINISHED, [batch]))[0]?.finished === true;
  return {
    batch: nameBatch(row),
    /** Enters the inputs, unless that is done or another process does it. Inputs that failed in a finished batch wait again. */
    enter: (inputs: AsyncIterable<BatchInput>, digest: string | undefined): Promise<void> =>
      withSession((ask) => enterBatch({ ask, database, shared, batch, texts, isFinished }, inputs, digest)),
    /** Claims up to so many inputs that wait, or whose process is dead. */
    async claim(count: number): Promise<{ line: number; input: JsonValue }[]> {
      await heartbeat.begun();
      if (clock.now() - lookedAt > HEARTBEAT_MS) {
        lookedAt = clock.now();
        await queryAgain(TAKE_OVER, [batch]);
        await queryAgain(FORGET, [batch]);
      }
      const rows = await whileAway(async (tries) => {
        // The claim before may have been made, and its answer lost: no process would run its inputs.
        if (tries > 0) await query(RELEASE, [batch, worker, [...held]]);
        return query<{ line: number; input: string }>(CLAIM, [batch, worker, count]);
      });
      for (const { line } of rows) held.add(line);
      return rows
        .map(({ line, input }) => ({ line, input: JSON.parse(texts.fromKept(input, "input", line)) as JsonValue }))
        .toSorted((left, right) => left.line - right.line);
    },
    /** Writes a result; false where another process has taken the input over. */
    add: async (result: BatchResult): Promise<boolean> => (await add(result)).has(result.line),
    /** Of these lines, the ones that have a result. */
    async finishedOf(lines: readonly number[]): Promise<number[]> {
      if (lines.length === 0) return [];
      return (await query<{ line: number }>(FIND_DONE, [batch, lines])).map(({ line }) => line);
    },
    /** Whether no input waits and none is claimed. */
    isFinished,
    /** How far the batch is, all processes together. The total is undefined until all inputs are entered. */
    async state() {
      const [counts] = await query<{ done: number; failed: number }>(COUNT_STATES, [batch]);
      const { total } = await readBatch(database, shared);
      return { total: total ?? undefined, done: 0, failed: 0, ...counts };
    },
    /** The text of each result, in the order of the inputs. */
    results: () => readResults(database, batch, texts),
    /** Gives its claims back. */
    async close(): Promise<void> {
      const lastBeat = heartbeat.end();
      if (lastBeat !== undefined) {
        // One that comes late would make it live again.
        await Promise.allSettled([lastBeat, query(RELEASE, [batch, worker, []])]);
        await query("DELETE FROM codemode_workers WHERE id = $1", [worker]).catch(() => undefined);
      }
      await database.close();
    },
  };
}

/** Says now and again that this process lives, from its first claim on. */
function makeHeartbeat(beat: () => Promise<unknown>) {
  let first: Promise<unknown> | undefined;
  let last: Promise<void> = Promise.resolve();
  const stop = every(HEARTBEAT_MS, () => {
    // A claim that fails says so; a heartbeat need not.
    if (first !== undefined) last = Promise.allSettled([last, beat()]).then(() => undefined);
    return last;
  });
  return {
    begun: (): Promise<unknown> => (first ??= whileAway(beat)),
    /** Resolves when no beat is under way; undefined where there was none. */
    end(): Promise<void> | undefined {
      stop();
      return first && last;
    },
  };
}

/** A batch that is deleted and entered again is another one, which the time of its row tells. */
function nameBatch({ id, key, made }: BatchRow): string {
  return digestText(`${key} ${id} ${made}`)
    .slice("sha256-".length)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, BATCH_CHARACTERS);
}

/** What a sealed text begins with: no JSON does. */
const MARK = "sealed:";

type Column = "input" | "result";

type KeptTexts = ReturnType<typeof makeKeptTexts>;

/** How inputs and results of a batch are kept: encrypted where the project has a `serve.storeKey`, each to be read at its place alone. */
function makeKeptTexts({ sealer, project }: SharedBatch, batch: number) {
  const { isSealed, seal, open } = makeTextSealer(sealer && sealFor(project, sealer));
  const mark = isSealed ? MARK : "";
  const nameOf = (column: Column, line: number): string => `batch/${batch}/${column}/${line}`;
  return {
    toKept: (text: string, column: Column, line: number): string => mark + seal(nameOf(column, line), text),
    /** @throws CodemodeError `STORE_INVALID` where the text was not kept with this key, or was moved or changed */
    fromKept(kept: string, column: Column, line: number): string {
      if (!isSealed && kept.startsWith(MARK))
        throw storeInvalid("storeKey", "is needed: the inputs of this batch are encrypted");
      // An attacker who can write to the database, and has no key, can put a text there that is not sealed.
      const opened = kept.startsWith(mark) ? open(nameOf(column, line), kept.slice(mark.length)) : undefined;
      if (opened === undefined)
        throw storeInvalid(
          "storeKey",
          `does not open the ${column} of line ${line}: it was kept with another key, or without one`,
        );
      return opened;
    },
  };
}

async function* readResults({ query }: JournalDatabase, batch: number, texts: KeptTexts): AsyncGenerator<string> {
  for (let last = 0, isOver = false; !isOver;) {
    const rows = await query<{ line: number; result: string }>(READ_RESULTS, [batch, last]);
    for (const { line, result } of rows) yield texts.fromKept(result, "result", line);
    last = rows.at(-1)?.line ?? last;
    isOver = rows.length < READ_TOGETHER;
  }
}

/** The key of a batch of the project. */
function keyOf({ project, name, key }: SharedBatch): string {
  return `${project} ${name} ${key}`;
}

/** Finds a batch, or makes it; closes the database where that fails. */
async function openBatch(database: JournalDatabase, shared: SharedBatch): Promise<BatchRow> {
  const { name, isEntering } = shared;
  try {
    await database.makeTables("codemode_inputs", SETUP_LOCK, TABLES);
    if (isEntering) await database.query(INSERT_BATCH, [keyOf(shared), name]);
    return await readBatch(database, shared);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function readBatch({ query, place }: JournalDatabase, shared: SharedBatch): Promise<BatchRow> {
  const [row] = await query<BatchRow>(SELECT_BATCH, [keyOf(shared)]);
  if (row === undefined) throw batchUnknown(shared.name, place);
  return row;
}

interface Entering {
  ask: JournalDatabase["query"];
  database: JournalDatabase;
  shared: SharedBatch;
  batch: number;
  texts: KeptTexts;
  isFinished(): Promise<boolean>;
}

/** Enters the inputs of a batch, in one process at a time; of one that is entered and finished, the failed ones wait again. */
async function enterBatch(
  { ask, database, shared, batch, texts, isFinished }: Entering,
  inputs: AsyncIterable<BatchInput>,
  digest: string | undefined,
): Promise<void> {
  const [lock] = await ask<{ held: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS held", [ENTER_LOCK, batch]);
  if (lock?.held !== true) return;
  const known = await readBatch(database, shared);
  const isOther = known.digest !== null && known.digest !== (digest ?? known.digest);
  if (isOther || (known.total !== null && digest === undefined)) throw batchDiffers(shared.name, database.place);
  if (known.total === null) {
    await ask("UPDATE codemode_batches SET digest = $2 WHERE id = $1", [batch, digest ?? null]);
    // What is there already, a process has entered that was killed at it.
    const total = await enterAll(inputs, async (some) => {
      const kept = some.map(({ line, text }) => texts.toKept(text, "input", line));
      await ask(ENTER, [batch, some.map(({ line }) => line), kept]);
    });
    await ask("ANALYZE codemode_inputs");
    await ask("UPDATE codemode_batches SET total = $2 WHERE id = $1", [batch, total]);
  } else if (await isFinished())
    await ask("UPDATE codemode_inputs SET state = 'waiting' WHERE batch = $1 AND state = 'failed'", [batch]);
}

/** Enters inputs, many at a time; gives their number. */
async function enterAll(
  inputs: AsyncIterable<BatchInput>,
  enter: (some: readonly BatchInput[]) => Promise<void>,
): Promise<number> {
  let some: BatchInput[] = [];
  let total = 0;
  for await (const input of inputs) {
    some.push(input);
    total += 1;
    if (some.length < ENTERED_TOGETHER) continue;
    await enter(some);
    some = [];
  }
  await enter(some);
  return total;
}

/** Any number that other programs do not lock. */
const SETUP_LOCK = 7_262_633_663;

/**
 * An input is `waiting`, `claimed` by a worker, `done` or `failed`. A claim counts while its worker has been `seen` lately, so that a heartbeat is one row and not as
 * many as there are claims. The small indexes hold only what is not finished.
 */
const TABLES = `
  CREATE TABLE codemode_batches (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE,
    name text NOT NULL,
    digest text,
    total int,
    created timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE codemode_workers (
    id uuid PRIMARY KEY,
    batch int NOT NULL REFERENCES codemode_batches ON DELETE CASCADE,
    seen timestamptz NOT NULL
  );
  CREATE TABLE codemode_inputs (
    batch int NOT NULL REFERENCES codemode_batches ON DELETE CASCADE,
    line int NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    worker uuid,
    input text NOT NULL,
    result text,
    PRIMARY KEY (batch, line)
  );
  CREATE INDEX codemode_inputs_waiting ON codemode_inputs (batch, line) WHERE state = 'waiting';
  CREATE INDEX codemode_inputs_claimed ON codemode_inputs (batch, worker) WHERE state = 'claimed';
  CREATE INDEX codemode_inputs_failed ON codemode_inputs (batch) WHERE state = 'failed';
`;

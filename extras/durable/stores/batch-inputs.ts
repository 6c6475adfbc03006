import type { BatchInputs, FinishedInput, SharedBatch } from "../../../engine/run/batch-inputs.ts";
import { makeRunId, RUN_ID } from "../../../engine/run-id.ts";
import { sealFor, type StorePlan } from "../../../engine/store-plan.ts";
import { whileAway } from "../../../engine/while-away.ts";
import { writeTogether } from "../../../engine/write-together.ts";
import { storeInvalid } from "../../../schemas/config/serve-errors.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { batchDiffers, batchUnknown } from "../durable-errors.ts";
import { hasLease, type JoinedDatabase } from "./join-database.ts";
import { REMOVABLE } from "./postgres-store.ts";

const ENTERED_TOGETHER = 1000;
/** Characters of inputs that are entered in one statement, or a little more. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
const READ_TOGETHER = 200;
/** In the place of the digest of inputs that can be read once. */
const READ_ONCE = "standard input";
/** For statements that carry inputs and results, and for ones that carry many. */
const [LONG, LONGEST] = [{ timeoutMs: 20_000 }, { timeoutMs: 120_000 }];

const INSERT_BATCH = `insert into codemode_batches (id, project, name, program) values ($4, $1, $2, $3)
on conflict (project, name, program) do nothing`;
const SELECT_BATCH = "select id, total, digest from codemode_batches where project = $1 and name = $2 and program = $3";
/** One process at a time enters inputs; the first one says which. */
const BEGIN_ENTERING = `update codemode_batches set owner = $2, digest = coalesce(digest, $3)
where id = $1 and (owner is null or owner = $2 or not ${hasLease("codemode_batches.owner")}) returning id, total, digest`;
const END_ENTERING =
  "update codemode_batches set owner = null, total = coalesce($3, total) where id = $1 and owner = $2";
const ENTER = `insert into codemode_inputs (batch, line, input)
select $1, line, input from unnest($2::int[], $3::bytea[]) as new (line, input) on conflict do nothing`;

/**
 * The owners without a lease come from an array: it is read once, so that an input which another process claims meanwhile is not taken from it. The owner
 * itself is among the free ones: the answer to an earlier claim may have been lost. What it holds ($4) is not.
 */
const IS_FREE = `(owner is null or owner = $2 or owner = any (array(
  select owner from codemode_inputs where batch = $1 and state = 'claimed' and not ${hasLease("codemode_inputs.owner")})))`;
/** As an array the lines are chosen once: a planner that knows nothing of the table yet could choose them once for each row. */
const CLAIM = `update codemode_inputs set state = 'claimed', owner = $2
where batch = $1 and line = any (array(
  select line from codemode_inputs where batch = $1 and state in ('waiting', 'claimed') and line <> all ($4::int[]) and ${IS_FREE}
  order by line limit $3 for update skip locked))
returning line, input`;
/** Only with the fencing token of its claim, which stays in the row: a second try, where the answer to the first was lost, finds its own. */
const FINISH = `with new as (select * from unnest($3::int[], $4::text[], $5::text[], $6::bytea[], $7::text[]) as new (line, owner, state, result, run)),
kept as (update codemode_inputs as kept set state = new.state, result = new.result from new
  where kept.batch = $2 and kept.line = new.line and kept.owner = new.owner returning kept.line, new.run),
gone as (delete from codemode_runs using kept where codemode_runs.id = kept.run and ${REMOVABLE})
select line from kept`;
const RETRY = "update codemode_inputs set state = 'waiting', owner = null where batch = $1 and state = 'failed'";
const IS_FINISHED = `select total is not null and not exists (
  select from codemode_inputs where batch = $1 and state in ('waiting', 'claimed')) as finished
from codemode_batches where id = $1`;
const COUNT_STATES = `select count(*) filter (where state in ('done', 'failed'))::int as done,
  count(*) filter (where state = 'failed')::int as failed, (select total from codemode_batches where id = $1) as total
from codemode_inputs where batch = $1`;
const READ_RESULTS = `select line, result from codemode_inputs
where batch = $1 and line > $2 and state in ('done', 'failed') order by line limit ${READ_TOGETHER}`;

interface BatchRow {
  id: string;
  total: number | null;
  digest: string | null;
}

/** A batch whose inputs are entered. */
interface Entering {
  id: string;
  shared: SharedBatch;
  database: JoinedDatabase;
  plan: StorePlan;
  sealing: ReturnType<typeof makeSealing>;
  isFinished: BatchInputs["isFinished"];
}

/**
 * Opens a batch of a store, and makes it where this process brings its inputs. Inputs and results are encrypted.
 * @throws CodemodeError `BATCH_UNKNOWN` where there is none, `STORE_UNREACHABLE`
 */
export async function openBatchInputs(
  database: JoinedDatabase,
  plan: StorePlan,
  shared: SharedBatch,
): Promise<BatchInputs> {
  const { query, owner: joinOwners, close } = database;
  if (shared.isEntering) await query(INSERT_BATCH, [...keyOf(plan, shared), makeRunId()]);
  const { id } = await readBatch(database, plan, shared);
  const sealing = makeSealing(plan, shared, id);
  /** Claimed here and not finished, with the fencing token of each. */
  const held = new Map<number, string>();
  const finish = writeTogether(async (finished: readonly FinishedInput[]) => {
    const lines = finished.map(({ line }) => line);
    const rows = [
      ...[lines, lines.map((line) => held.get(line) ?? "")],
      finished.map(({ hasFailed }) => (hasFailed ? "failed" : "done")),
      finished.map(({ line, result }) => sealing.seal("result", line, result)),
      finished.map(({ runId = "" }) => runId),
    ];
    const kept = await whileAway(() => query<{ line: number }>(FINISH, [plan.project ?? "", id, ...rows], LONG));
    for (const line of lines) held.delete(line);
    return new Set(kept.map(({ line }) => line));
  });
  const isFinished = async (): Promise<boolean> => {
    const [row] = await whileAway(() => query<{ finished: boolean }>(IS_FINISHED, [id]));
    return row?.finished === true;
  };
  return {
    batch: id,
    enterInputs: (inputs, digest) => enterBatch({ id, shared, database, plan, sealing, isFinished }, inputs, digest),
    claimInputs: (most) =>
      whileAway(async () => {
        const owner = await joinOwners();
        const values = [id, owner.id, most, [...held.keys()]];
        const rows = await query<{ line: number; input: Buffer }>(CLAIM, values, LONG);
        const claimed = rows.map(({ line, input }) => {
          return { line, input: JSON.parse(sealing.open("input", line, input)) as JsonValue };
        });
        for (const { line } of claimed) held.set(line, owner.id);
        return claimed.toSorted((left, right) => left.line - right.line);
      }),
    finishInput: async (finished) => (await finish(finished)).has(finished.line),
    isFinished,
    async stateOf() {
      const sql = () => query<{ total: number | null; done: number; failed: number }>(COUNT_STATES, [id], LONG);
      const [{ total, ...counts } = { total: null, done: 0, failed: 0 }] = await whileAway(sql);
      return { total: total ?? undefined, ...counts };
    },
    async *results() {
      for (let last = 0, isOver = false; !isOver;) {
        const rows = await query<{ line: number; result: Buffer }>(READ_RESULTS, [id, last], LONG);
        for (const { line, result } of rows) yield sealing.open("result", line, result);
        last = rows.at(-1)?.line ?? last;
        isOver = rows.length < READ_TOGETHER;
      }
    },
    close,
  };
}

const keyOf = ({ project = "" }: StorePlan, { name, program }: SharedBatch): string[] => [project, name, program];

async function readBatch({ query }: JoinedDatabase, plan: StorePlan, shared: SharedBatch): Promise<BatchRow> {
  const [row] = await query<BatchRow>(SELECT_BATCH, keyOf(plan, shared));
  if (row === undefined) throw batchUnknown(shared.name, plan.place);
  // It is not sealed, and becomes part of the keys of runs.
  if (!RUN_ID.test(row.id)) throw storeInvalid("store", "has a batch that was changed by another program");
  return row;
}

/** Encrypts inputs and results: each can be opened at its line of its batch alone, with the name and the program that the batch was made with. */
function makeSealing({ sealer, project = "" }: StorePlan, { name, program }: SharedBatch, batch: string) {
  const { seal, open } = sealFor(project, sealer);
  const placeOf = (column: string, line: number): string =>
    JSON.stringify(["batch", batch, name, program, column, line]);
  return {
    seal: (column: "input" | "result", line: number, text: string): Buffer =>
      seal(placeOf(column, line), Buffer.from(text)),
    /** @throws CodemodeError `STORE_INVALID` where it was kept with another key, moved or changed */
    open(column: "input" | "result", line: number, kept: Buffer): string {
      const opened = open(placeOf(column, line), kept);
      if (opened === undefined)
        throw storeInvalid(
          "storeKey",
          `does not open the ${column} of line ${line}: it was changed, or kept with another key`,
        );
      return opened.toString();
    },
  };
}

/** Enters the inputs of a batch, in one process at a time; of one that is entered and finished, the failed ones wait again. */
async function enterBatch(
  { id, shared, database, plan, sealing, isFinished }: Entering,
  ...[inputs, digest = READ_ONCE]: Parameters<BatchInputs["enterInputs"]>
): Promise<void> {
  const { query } = database;
  const owner = await database.owner();
  const [taken] = await query<BatchRow>(BEGIN_ENTERING, [id, owner.id, digest]);
  let total: number | null = null;
  try {
    const known = taken ?? (await readBatch(database, plan, shared));
    // What is read once cannot be compared with what is there, or comes from another process.
    const isLate = digest === READ_ONCE && (taken === undefined || known.total !== null);
    if (known.digest !== digest || isLate) throw batchDiffers(shared.name, plan.place);
    if (taken === undefined) return;
    if (taken.total !== null) {
      if (await isFinished()) await query(RETRY, [id], LONG);
      return;
    }
    // What is there already, a process has entered that was killed at it.
    total = await enterAll(inputs, async (some) => {
      const sealed = some.map(({ line, text }) => sealing.seal("input", line, text));
      await query(ENTER, [id, some.map(({ line }) => line), sealed], LONGEST);
    });
    await query("analyze codemode_inputs", [], LONGEST);
  } finally {
    await query(END_ENTERING, [id, owner.id, total]);
  }
}

/** Enters inputs, many at a time; gives their number. */
async function enterAll<Input extends { text: string }>(
  inputs: AsyncIterable<Input>,
  enter: (some: readonly Input[]) => Promise<void>,
): Promise<number> {
  let [some, characters, total]: [Input[], number, number] = [[], 0, 0];
  for await (const input of inputs) {
    some.push(input);
    total += 1;
    characters += input.text.length;
    if (some.length < ENTERED_TOGETHER && characters < MOST_CHARACTERS) continue;
    await enter(some);
    [some, characters] = [[], 0];
  }
  await enter(some);
  return total;
}

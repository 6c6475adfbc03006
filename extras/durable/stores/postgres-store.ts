import type { Database } from "../../../engine/open-database.ts";
import { RUN_ID } from "../../../engine/run-id.ts";
import { whileAway } from "../../../engine/while-away.ts";
import { type Sealer, sealFor, type StorePlan } from "../../../engine/store-plan.ts";
import { durableRunDamaged, unlessDamaged } from "../durable-errors.ts";
import {
  type DurableRun,
  type DurableStore,
  type FreeRun,
  LEASE_MS,
  type OwnedRun,
  type RunHead,
  RunTaken,
  type StoredRun,
} from "../kept-runs.ts";
import { waitOf } from "../steps.ts";
import { makeOwnedRun } from "../run-store.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { joinDatabase, type DatabaseOwner, hasLease } from "./join-database.ts";
import { makeMessageRows } from "./message-rows.ts";
import { parseHead, parseRun } from "../steps.ts";

/** Runs of other projects are not there. */
const IS_OURS = "codemode_runs.project = $1";
const IS_OWNED = hasLease("codemode_runs.owner");
/** Of a run that has ended, and that no process has: a process with a lease for it may go on with it. */
export const REMOVABLE = `${IS_OURS} and rest = 'over' and not ${IS_OWNED}`;
/** The row of a run is locked by it, and by each addition: what the process before adds comes before the claim, or is refused. */
const CLAIM = `update codemode_runs set owner = $3, token = token + 1, rest = null where id = $2 and ${IS_OURS} and not ${IS_OWNED}
returning token, run, is_cancelled`;
const FORGET_HEAD = "update codemode_runs set head = null where id = $1 and token = $2";
const UNCLAIM = "update codemode_runs set owner = null where id = $1 and owner = $2";
const CREATE = `with made as (
  insert into codemode_runs (id, run, owner, token, project) values ($1, $2, $3, 1, $4) on conflict (id) do nothing returning id),
begun as (insert into codemode_run_steps (run, number, step) select id, number, step
  from made, unnest($5::bigint[], $6::bytea[]) as added (number, step))
select 1 from made`;
const UNBEGIN = `delete from codemode_runs where id = $1 and owner = $2 and token = 1
and (select count(*) from codemode_run_steps where run = codemode_runs.id) <= $3`;
/** It does not wait for the disk unless it is flushed: a commit that waits comes after all before it. A row is added to the one before, or not at all. */
const APPEND = `with owned as (select is_cancelled, case when $5 then '' else set_config('synchronous_commit', 'off', true) end as mode
from codemode_runs where id = $1 and token = $2 and owner = $6 for share)
insert into codemode_run_steps (run, number, step) select $1, number, step
from unnest($3::bigint[], $4::bytea[]) as added (number, step) where exists (select from owned)
and (($3::bigint[])[1] = 1 or exists (select from codemode_run_steps where run = $1 and number = ($3::bigint[])[1] - 1))
returning (select is_cancelled from owned), (select mode from owned)`;
const COUNT_STEPS = `select (select count(*)::int from codemode_run_steps where run = codemode_runs.id) as count
from codemode_runs where id = $1 and token = $2 and owner = $3`;

/**
 * Opens the durable runs of a PostgreSQL database, which any number of processes share. All that is kept of a run is encrypted, but its id.
 * @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed, `STORE_UNREACHABLE` where the database cannot be used
 */
export async function openPostgresStore(plan: StorePlan, leaseMs: number = LEASE_MS): Promise<DurableStore> {
  const { sealer, project = "" } = plan;
  const sealing = makeSealing(sealFor(project, sealer));
  const { query, owner: joinOwners, close } = await joinDatabase(plan, leaseMs);
  const here = new Set<string>();
  const own = (
    run: DurableRun,
    row: Omit<ClaimedRow, "run">,
    steps: readonly Step[],
    owner: DatabaseOwner,
  ): OwnedRun => {
    const owned = makeOwned({ query, sealing, run, row, steps, owner });
    here.add(run.id);
    const release: OwnedRun["release"] = (rest) => {
      here.delete(run.id);
      return owned.release(rest);
    };
    return { ...owned, release };
  };

  /** What was done may have been done, and its answer lost: its process would have a run that nothing goes on with. */
  const undo = (owner: DatabaseOwner, sql: string, id: string, error: unknown, ...more: readonly number[]): never => {
    const tryAgain = async () => !here.has(id) && query(sql, [id, owner.id, ...more]);
    void whileAway(tryAgain, waitingOf(owner)).catch(() => undefined);
    throw error;
  };

  return {
    scope: project,
    async create(run, steps = []) {
      const owner = await joinOwners();
      const text = sealing.seal(`run/${run.id}`, JSON.stringify(run));
      const values = [run.id, text, owner.id, project, ...sealing.sealSteps(run.id, 0, steps)];
      const made = await query(CREATE, values).catch((error: unknown) =>
        undo(owner, UNBEGIN, run.id, error, steps.length),
      );
      return made.length === 0 ? "held" : own(run, { token: "1", is_cancelled: false }, steps, owner);
    },
    async claim(id) {
      const owner = await joinOwners();
      const fail = (error: unknown): never => undo(owner, UNCLAIM, id, error);
      const [row] = await query<ClaimedRow>(CLAIM, [project, id, owner.id]).catch(fail);
      if (row === undefined) {
        const sql = `select from codemode_runs where id = $2 and ${IS_OURS}`;
        return (await query(sql, [project, id])).length > 0 ? "held" : undefined;
      }
      try {
        const run = parseRun(id, sealing.open(id, `run/${id}`, row.run)) as DurableRun;
        return own(run, row, await readSteps(query, id, sealing), owner);
      } catch (error) {
        return fail(error);
      }
    },
    read: (id) => readStored(query, project, sealing, id),
    ...makeLookups(query, project, sealing),
    isSealed: true,
    ...makeMessageRows({ query, project, isOurs: IS_OURS, sealing }),
    close,
  };
}

/** A run with its steps. Lists go by its head, which is removed where it is damaged; without the key of the store it says nothing to them, and stays. */
async function readStored(
  query: Database["query"],
  project: string,
  sealing: Sealing,
  id: string,
): Promise<StoredRun | undefined> {
  if (!RUN_ID.test(id)) return undefined;
  const sql = `select id, run, token, ${HEAD}, ${IS_OWNED} as is_owned, extract(epoch from now() - begun_at) * 1000 as age from codemode_runs where id = $2 and ${IS_OURS}`;
  const [row] = await query<ReadRow>(sql, [project, id]);
  if (row === undefined) return undefined;
  try {
    return {
      run: parseRun(id, sealing.open(id, `run/${id}`, row.run)) as DurableRun,
      steps: await readSteps(query, id, sealing),
      ...{ isOwned: row.is_owned, ageMs: Number(row.age) },
    };
  } catch (error) {
    unlessDamaged(error);
    if (sealing.toHead(row) !== undefined) await query(FORGET_HEAD, [id, row.token]).catch(() => undefined);
    throw error;
  }
}

async function readSteps(query: Database["query"], id: string, { open }: Sealing): Promise<Step[]> {
  const sql = "select number, step from codemode_run_steps where run = $1 order by number";
  const rows = await query<{ number: string; step: Buffer }>(sql, [id]);
  return rows.map(({ number, step }, at) => {
    if (Number(number) !== at + 1) throw durableRunDamaged(id, `its step ${at + 1} is missing`);
    return JSON.parse(open(id, `step/${id}/${number}`, step)) as Step;
  });
}

/** What is known of the runs of a project without their steps, and done to them from outside. */
function makeLookups(query: Database["query"], project: string, { toHead }: Sealing) {
  return {
    async isOwned(id: string) {
      const sql = `select from codemode_runs where id = $2 and ${IS_OURS} and ${IS_OWNED}`;
      return (await query(sql, [project, id])).length > 0;
    },
    async stampOf(id: string) {
      if (!RUN_ID.test(id)) return undefined;
      const sql = `select concat_ws(' ', token, rest, ${IS_OWNED},
(select max(number) from codemode_run_steps where run = codemode_runs.id)) as stamp
from codemode_runs where id = $2 and ${IS_OURS}`;
      return (await query<{ stamp: string }>(sql, [project, id]))[0]?.stamp;
    },
    async list() {
      const sql = `select id, token, ${HEAD} from codemode_runs where ${IS_OURS} order by begun_at, id`;
      const rows = await query<HeadRow>(sql, [project]);
      return rows.filter(isRun).map((row) => ({ id: row.id, head: toHead(row) }));
    },
    async head(id: string) {
      const sql = `select id, token, ${HEAD} from codemode_runs where id = $2 and ${IS_OURS}`;
      const [row] = await query<HeadRow>(sql, [project, id]);
      return row && toHead(row);
    },
    listFree: makeFreeLooks(query, project, toHead),
    async cancel(id: string) {
      await query(`update codemode_runs set is_cancelled = true where id = $2 and ${IS_OURS}`, [project, id]);
    },
    async cancelled(ids: readonly string[]) {
      const sql = `select id from codemode_runs where id = any ($2::text[]) and ${IS_OURS} and is_cancelled`;
      return (await query<{ id: string }>(sql, [project, ids])).map(({ id }) => id);
    },
    async remove(id: string) {
      await query(`delete from codemode_runs where id = $2 and ${IS_OURS} and not ${IS_OWNED}`, [project, id]);
    },
    async removeOver(id: string) {
      const sql = `delete from codemode_runs where id = $2 and ${REMOVABLE} returning 1`;
      return (await query(sql, [project, id])).length > 0;
    },
  } satisfies Partial<DurableStore>;
}

const IS_FREE = `${IS_OURS} and rest is null and not ${IS_OWNED}`;
const HAS_COME = "(is_cancelled or exists (select from codemode_run_messages where run = codemode_runs.id))";
/** Another text where another run is free, or something has come for another one. */
const FREE_STAMP = `select concat_ws(' ', count(*), sum(hashtextextended(id, token)),
sum(hashtextextended(id, token)) filter (where ${HAS_COME})) as stamp from codemode_runs where ${IS_FREE}`;

/** Looks for free runs, again and again: while nothing changes no row is read, and where something has changed, no head that was read before. */
function makeFreeLooks(
  query: Database["query"],
  project: string,
  toHead: (row: HeadRow) => RunHead | undefined,
): DurableStore["listFree"] {
  let last: { stamp: string | undefined; runs: readonly FreeRun[] } = { stamp: undefined, runs: [] };
  return async () => {
    const [row] = await query<{ stamp: string }>(FREE_STAMP, [project]);
    if (row?.stamp === last.stamp) return last.runs;
    const sql = `select id, token, ${HAS_COME} as has_come from codemode_runs where ${IS_FREE} order by begun_at, id`;
    const found = await query<{ id: string; token: string; has_come: boolean }>(sql, [project]);
    const free = found.filter(isRun);
    const known = new Map(last.runs.map((run) => [`${run.id} ${run.token}`, run.wait]));
    const unknown = free.flatMap(({ id, token }) => (known.has(`${id} ${token}`) ? [] : [id]));
    const rows = await query<HeadRow>(`select id, token, ${HEAD} from codemode_runs where id = any ($1::text[])`, [
      unknown,
    ]);
    for (const row of rows) {
      const head = toHead(row);
      known.set(`${row.id} ${row.token}`, head && waitOf(head));
    }
    const runs = free.map(({ id, token, has_come: hasCome }) => {
      return { id, token: Number(token), wait: known.get(`${id} ${token}`), hasCome };
    });
    last = { stamp: row?.stamp, runs: [...runs.filter(({ wait }) => !wait), ...runs.filter(({ wait }) => wait)] };
    return last.runs;
  };
}

/** Ids are not sealed, and are printed in commands that a person copies: who can write to the database may put any text there. */
const isRun = ({ id }: { id: string }): boolean => RUN_ID.test(id);

/** The head of a run counts until the next claim. */
const HEAD = "case when head_token = token then head end as head";

interface HeadRow {
  id: string;
  token: string;
  head: Buffer | null;
}

type Sealing = ReturnType<typeof makeSealing>;

/** Encrypts what is kept, and reads it again. */
function makeSealing(sealer: Sealer) {
  const seal = (place: string, text: string): Buffer => sealer.seal(place, Buffer.from(text));
  /** Undefined where it was changed, or written with another key. */
  const tryOpen = (place: string, bytes: Buffer): string | undefined => sealer.open(place, bytes)?.toString();
  const placeOfHead = (id: string, token: string): string => `head/${id}/${token}`;
  return {
    ...{ seal, tryOpen },
    /** The numbers and the texts of steps that come after so many others. */
    sealSteps(id: string, from: number, steps: readonly Step[]): [number[], Buffer[]] {
      const numbers = steps.map((_, at) => from + 1 + at);
      return [numbers, steps.map((step, at) => seal(`step/${id}/${numbers[at]}`, JSON.stringify(step)))];
    },
    sealHead: (token: string, head: RunHead): Buffer => seal(placeOfHead(head.id, token), JSON.stringify(head)),
    toHead({ id, token, head }: HeadRow): RunHead | undefined {
      const text = head === null ? undefined : tryOpen(placeOfHead(id, token), head);
      return text === undefined ? undefined : parseHead(id, text);
    },
    open(id: string, place: string, bytes: Buffer): string {
      const text = tryOpen(place, bytes);
      if (text === undefined) throw durableRunDamaged(id, "it was changed, or written with another key");
      return text;
    },
  };
}

interface ClaimedRow {
  run: Buffer;
  token: string;
  is_cancelled: boolean;
}

type ReadRow = Pick<ClaimedRow, "run"> & HeadRow & { is_owned: boolean; age: string };
type CancelledRow = Pick<ClaimedRow, "is_cancelled">;

interface OwnRows {
  query: Database["query"];
  sealing: Sealing;
  run: DurableRun;
  row: Omit<ClaimedRow, "run">;
  steps: readonly Step[];
  owner: DatabaseOwner;
}

const HAS_STEP = `select is_cancelled from codemode_run_steps as kept join codemode_runs on id = kept.run
where kept.run = $1 and kept.number = $2 and token = $3 and owner = $4`;

/**
 * A run that was claimed with a token: with a higher one, what is added here is refused. So it is with another owner, who has the same token where a
 * database has lost the claim.
 */
function makeOwned({
  query,
  sealing,
  run,
  row: { token, is_cancelled: wasCancelled },
  steps,
  owner,
}: OwnRows): OwnedRun {
  let [isTaken, isCancelled] = [false, wasCancelled];
  const assertOwned = (): void => {
    if (isTaken || !owner.isAlive()) throw new RunTaken();
  };
  const insert = (from: number, added: readonly Step[], isFlushed: boolean): Promise<CancelledRow[]> => {
    const rows = sealing.sealSteps(run.id, from, added);
    return query<CancelledRow>(APPEND, [run.id, token, ...rows, isFlushed, owner.id], { isPrepared: true });
  };
  const keep = async (added: readonly Step[], isFlushed: boolean, kept: readonly Step[]): Promise<void> => {
    assertOwned();
    const last = kept.length;
    const [first] = await whileAway(async (tries) => {
      // The answer to the try before may have been lost, and not its rows.
      const there =
        tries > 0 ? await query<CancelledRow>(HAS_STEP, [run.id, last + added.length, token, owner.id]) : [];
      const rows = there.length > 0 ? there : await insert(last, added, isFlushed);
      if (rows.length > 0) return rows;
      // A database that was killed may have lost the last rows, which did not wait for its disk.
      const [found = { count: last }] = await query<{ count: number }>(COUNT_STEPS, [run.id, token, owner.id]);
      const lost = kept.slice(found.count);
      return lost.length === 0 ? [] : insert(found.count, [...lost, ...added], true);
    }, waitingOf(owner));
    isTaken = first === undefined;
    if (first === undefined) throw new RunTaken();
    isCancelled = first.is_cancelled;
  };
  return makeOwnedRun({
    ...{ run, steps, keep, assertOwned },
    isCancelled: () => isCancelled,
    async letGo(rest, head) {
      const sealed = head === undefined ? null : sealing.sealHead(token, head);
      const sql = `update codemode_runs set owner = null, rest = $3, head = $4, head_token = $2 where id = $1 and token = $2 and owner = $5`;
      // Without it others find out by the silence of this process, and come to the same end.
      const giveBack = () => query(sql, [run.id, token, rest ?? null, sealed, owner.id]);
      await whileAway(giveBack, waitingOf(owner)).catch(() => undefined);
    },
  });
}

/** Until this process is given up by the others. */
const waitingOf = (owner: DatabaseOwner) => ({ goesOn: owner.isAlive });

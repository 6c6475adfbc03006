import { every } from "../../engine/clock.ts";
import { openDatabase } from "../../engine/open-database.ts";
import { type Sealer, sealFor, type StorePlan } from "../../engine/store-plan.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { MINUTE_MS, type NameStore } from "../../serve/store/shared-state.ts";

const TABLE = `
  create table if not exists codemode_store (
    name text primary key, value bytea, full_at double precision, expires_at timestamptz not null);
  create index if not exists codemode_store_expires_at on codemode_store (expires_at);
`;
/** Any number that other programs do not lock. */
const SETUP_LOCK = 787_462_001;

const EXPIRY = "now() + $3::double precision * interval '1 millisecond'";
const REPLACE = "on conflict (name) do update set value = excluded.value, expires_at = excluded.expires_at";
/**
 * What says how things stand does not wait for the disk, which takes ten times as long: all would wait for it. A database that breaks down
 * may forget the last half second of it.
 */
const SOON = "from (select set_config('synchronous_commit', 'off', true)) as soon";
const PUT = `insert into codemode_store (name, value, expires_at) select $1, $2::bytea, ${EXPIRY} ${SOON} ${REPLACE}`;
/** Not `now()`, which is when a statement began: one that waited for another would be earlier, and refused. */
const NOW_MS = "extract(epoch from clock_timestamp()) * 1000";
const FULL_AT = `greatest(s.full_at, ${NOW_MS}) + $2::double precision`;

/** The generic cell rate algorithm: the column is when the bucket is full again. */
const TAKE_ONE = `insert into codemode_store as s (name, full_at, expires_at)
select $1, ${NOW_MS} + $2::double precision, now() + interval '2 minutes' ${SOON}
on conflict (name) do update set full_at = ${FULL_AT}, expires_at = now() + interval '2 minutes'
where ${FULL_AT} - ${NOW_MS} <= $3::double precision returning 1`;
const EXCESS = `select ceil(${FULL_AT} - ${NOW_MS} - $3::double precision) as excess from codemode_store s where name = $1`;

/** For the table, which all replicas that start together wait for. */
const START_MS = 10_000;
const SWEEP_MS = 60_000;

/** The store of a configuration, and what encrypts its values. */
export interface OpenedStore {
  store: NameStore;
  sealer: Sealer;
}

/** How long a command waits for its answer, in milliseconds. */
const COMMAND_MS = 3000;
/** One database may serve other programs too, and other projects. */
const PREFIX = "codemode:";

/**
 * Connects to a store. Rejects with a `CodemodeError` where `pg` is missing or the store does not answer.
 * @param commandMs how long a connection may take, and each command on it
 */
export async function openStore(plan: StorePlan, commandMs: number = COMMAND_MS): Promise<OpenedStore> {
  const { project, sealer } = plan;
  const store = await connect(plan, project === undefined ? PREFIX : `${PREFIX}${project}:`, commandMs);
  return { store, sealer: project === undefined ? sealer : sealFor(project, sealer) };
}

/** @param prefix of all names */
async function connect({ url, place }: StorePlan, prefix: string, commandMs: number): Promise<NameStore> {
  const options = {
    ...{ need: '"serve.store"', connectMs: commandMs, queryMs: START_MS },
    toError: (error: unknown) => storeUnreachable(place, error),
  };
  const { query, makeTables, ...database } = await openDatabase(url, options);
  const ask = (sql: string, name?: string, ...values: unknown[]): Promise<{ [column: string]: unknown }[]> =>
    query(sql, name === undefined ? values : [prefix + name, ...values], { timeoutMs: commandMs });
  const sweep = (): void => void ask("delete from codemode_store where expires_at < now()").catch(() => undefined);
  try {
    await makeTables("codemode_store", SETUP_LOCK, TABLE);
  } catch (error) {
    await database.close();
    throw error;
  }
  const endSweeping = every(SWEEP_MS, sweep);
  const valueOf = ([row]: { [column: string]: unknown }[]): Buffer | undefined =>
    row?.["is_there"] === true ? (row["value"] as Buffer) : undefined;
  return {
    put: async (name, value, ttlMs) => void (await ask(PUT, name, value, ttlMs)),
    get: async (name) =>
      valueOf(await ask("select value, expires_at > now() as is_there from codemode_store where name = $1", name)),
    async limit(name, perMinute) {
      const each = MINUTE_MS / perMinute;
      if ((await ask(TAKE_ONE, name, each, MINUTE_MS)).length === 1) return 0;
      const [row] = await ask(EXCESS, name, each, MINUTE_MS);
      return Math.max(1, Number(row?.["excess"] ?? 0));
    },
    async now() {
      const [row] = await ask(`select ${NOW_MS} as now`);
      return Number(row?.["now"]);
    },
    async close() {
      endSweeping();
      await database.close();
    },
  };
}

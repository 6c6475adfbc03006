import { randomBytes } from "node:crypto";
import { type Database, openDatabase } from "../../../engine/open-database.ts";
import type { StorePlan } from "../../../engine/store-plan.ts";
import { storeUnreachable } from "../../../schemas/config/serve-errors.ts";
import { LEASE_MS } from "../kept-runs.ts";
import { joinWhenNeeded, startLease } from "../run-store.ts";

/** The database of a store, and this process among the owners of its runs and inputs. */
export interface JoinedDatabase extends Pick<Database, "query"> {
  /** Joins with the first claim, and again when this process was silent for too long: then it has another id. */
  owner(): Promise<DatabaseOwner>;
  /** Gives all that this process has claimed back. */
  close(): Promise<void>;
}

/** A process with a lease. Its id stands for one lease alone, so that it is the fencing token of what is claimed with it. */
export interface DatabaseOwner {
  id: string;
  isAlive(): boolean;
}

const TABLES = `
  create table if not exists codemode_run_owners (id text primary key, until timestamptz not null);
  create table if not exists codemode_runs (
    id text primary key, project text not null, run bytea not null, owner text, token bigint not null,
    begun_at timestamptz not null default now(), is_cancelled boolean not null default false, rest text, head bytea, head_token bigint);
  create index if not exists codemode_runs_free on codemode_runs (project) where rest is null;
  create table if not exists codemode_run_steps (
    run text not null references codemode_runs on delete cascade, number bigint not null, step bytea not null, primary key (run, number));
  create table if not exists codemode_run_messages (
    number bigserial primary key, run text not null references codemode_runs on delete cascade, message bytea not null);
  create index if not exists codemode_run_messages_run on codemode_run_messages (run);
  create table if not exists codemode_batches (
    id text primary key, project text not null, name text not null, program text not null, digest text, total int, owner text,
    begun_at timestamptz not null default now(), unique (project, name, program));
  create table if not exists codemode_inputs (
    batch text not null references codemode_batches on delete cascade, line int not null, state text not null default 'waiting',
    owner text, input bytea not null, result bytea, primary key (batch, line));
  create index if not exists codemode_inputs_open on codemode_inputs (batch, line) where state in ('waiting', 'claimed');
  create index if not exists codemode_inputs_claimed on codemode_inputs (batch, owner) where state = 'claimed';
`;
/** Any number that other programs do not lock. */
const SETUP_LOCK = 787_462_002;

/** Whether the owner in a column has a lease, as a condition. */
export const hasLease = (column: string): string =>
  `exists (select from codemode_run_owners where codemode_run_owners.id = ${column} and until > now())`;

const UNTIL = "now() + $2::double precision * interval '1 millisecond'";
const BEAT = `insert into codemode_run_owners (id, until) values ($1, ${UNTIL})
on conflict (id) do update set until = excluded.until where codemode_run_owners.until > now() returning 1`;

/** How long a command may take: a database that is restarted is away for longer than that. */
const COMMAND_MS = 5000;

/** What a batch of this process has joined, by its address: the durable runs of the batch have the same lease, and the same connections. */
const lent = new Map<string, JoinedDatabase>();

/**
 * Opens the database of a store, or takes the one that a batch of this process has opened.
 * @throws CodemodeError as `openJoined`
 */
export async function joinDatabase(plan: StorePlan, leaseMs: number = LEASE_MS): Promise<JoinedDatabase> {
  const there = lent.get(plan.url);
  return there === undefined ? openJoined(plan, leaseMs) : { ...there, close: async () => undefined };
}

/**
 * Opens the database of a store for a batch, and for the durable runs that this process opens until it is closed.
 * @throws CodemodeError as `openJoined`
 */
export async function lendDatabase(plan: StorePlan): Promise<JoinedDatabase> {
  const joined = await openJoined(plan, LEASE_MS);
  lent.set(plan.url, joined);
  const close = (): Promise<void> => {
    if (lent.get(plan.url) === joined) lent.delete(plan.url);
    return joined.close();
  };
  return { ...joined, close };
}

/** @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed, `STORE_UNREACHABLE` where the database cannot be used */
async function openJoined({ url, place }: StorePlan, leaseMs: number): Promise<JoinedDatabase> {
  const database = await openDatabase(url, {
    ...{ need: '"serve.store"', connectMs: COMMAND_MS, queryMs: COMMAND_MS },
    toError: (error) => storeUnreachable(place, error),
  });
  const { query } = database;
  try {
    await database.makeTables("codemode_runs", SETUP_LOCK, TABLES);
  } catch (error) {
    await database.close();
    throw error;
  }
  const owners = joinWhenNeeded(() => joinOwners((id) => query(BEAT, [id, leaseMs]), leaseMs));
  return {
    ...{ query, owner: owners.get },
    async close() {
      const latest = owners.latest();
      latest?.leave();
      const sql = "delete from codemode_run_owners where id = $1 or until < now() - interval '1 day'";
      if (latest !== undefined) await query(sql, [latest.id]).catch(() => undefined);
      await database.close();
    },
  };
}

/** Keeps the lease of this process. */
async function joinOwners(beat: (id: string) => Promise<unknown[]>, leaseMs: number) {
  const id = randomBytes(12).toString("base64url");
  const { isAlive, end } = await startLease(leaseMs, async () => (await beat(id)).length > 0);
  return { id, isAlive, leave: end };
}

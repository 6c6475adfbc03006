import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import type { DurableRun, DurableStore, OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { overviewOf } from "../../../extras/durable/steps.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { openPostgresStore } from "../../../extras/durable/stores/postgres-store.ts";
import { failedAnswer } from "../../../schemas/run/answer.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { takeClock } from "../../move-clock.ts";
import { aRun, lookAt } from "./a-run.ts";
import { breakWrite, type Fault } from "./break-writes.ts";
import { allStores, claim, sealer } from "./all-stores.ts";

const { database } = allStores();

/** What the store has promised to the process, and what that has done with it. */
interface Notes {
  isBegun: boolean;
  /** What was to be added, in its order, and how much of it is promised to be there. */
  steps: Step[];
  promised: number;
  isReleased: boolean;
}

const callOf = (call: number): Step => ({
  kind: "call",
  call,
  serverId: "s",
  toolName: "t",
  inputJson: "{}",
  timeMs: 0,
});
const sentOf = (call: number): Step => ({ kind: "sent", call, input: {} });
const replyOf = (call: number): Step => ({ kind: "reply", call, timeMs: 1, replyJson: "{}", durationMs: 1 });
const STRETCHES: [Step[], boolean][][] = [
  [
    [[callOf(1)], false],
    [[sentOf(1)], true],
    [[replyOf(1), callOf(2)], false],
    [[{ kind: "asked", about: "call", call: 2, digest: "d", nonce: "n", lines: ["Pay?"] }], true],
    [[{ kind: "suspended", usedMs: 1, at: 1, wakeAt: 2 }], true],
  ],
  [
    [[{ kind: "decided", number: 1, digest: "d", decision: { verdict: "granted" } }], true],
    [[sentOf(2)], true],
    [[replyOf(2)], false],
    [[{ kind: "ended", at: 3, answer: failedAnswer([]), ending: "result" }], true],
  ],
];

/** A process that begins a run, waits, and ends it. It notes what it was promised. */
async function work(store: DurableStore, run: DurableRun, notes: Notes): Promise<void> {
  for (const [at, attempt] of STRETCHES.entries()) {
    const owned = at === 0 ? await store.create(run) : await claim(store, run.id);
    if (owned === "held") throw new Error("held");
    notes.isBegun = true;
    for (const [steps, isFlushed] of attempt) {
      notes.steps.push(...steps);
      try {
        await owned.append(steps, isFlushed);
      } catch (error) {
        // What cannot be kept does not go on here.
        await owned.release();
        throw error;
      }
      notes.promised = notes.steps.length;
    }
    await owned.release(at === 0 ? undefined : "over");
  }
  notes.isReleased = true;
}

/** What must hold for the next process, which looks, goes on, and removes the run. */
async function expectSound(store: DurableStore, run: DurableRun, notes: Notes, place: string): Promise<void> {
  const found = await store.read(run.id);
  const runs = lookAt(store);
  const [listed, ...others] = await runs.list();
  expect(others, place).toEqual([]);
  if (notes.isBegun) expect(found?.run, place).toEqual(run);
  expect(listed?.id, place).toBe(found?.run.id);
  if (found !== undefined) {
    // All that was promised is there, each once; and of what was under way a beginning.
    expect(found.steps.length, place).toBeGreaterThanOrEqual(notes.promised);
    expect(found.steps, place).toEqual(notes.steps.slice(0, found.steps.length));
    expect(found.isOwned, place).toBe(false);
    const { answer: _answer, ...overview } = overviewOf(found);
    expect(listed, place).toEqual(expect.objectContaining(JSON.parse(JSON.stringify(overview))));
  }
  const before = found?.steps.length ?? 0;
  // The same id is a run, or free to become one: no run is without a beginning.
  const created = await store.create(run);
  const owned: OwnedRun = created === "held" ? await claim(store, run.id) : created;
  expect([created === "held", owned.steps.length], place).toEqual([found !== undefined, before]);
  await owned.append([{ kind: "fire", timer: 1, timeMs: 1 }], true);
  await owned.release();
  expect((await store.read(run.id))?.steps, place).toHaveLength(before + 1);
  await store.remove(run.id);
}

/** A process that is killed before its next write, or at its end, is one that is killed after this write. */
const FAULTS: Fault[] = ["killed before", "killed within", "full from then on", "broken once"];

test.each(FAULTS)("files: a process that is %s, at each of its writes, loses and doubles nothing", async (fault) => {
  let isOver = false;
  let number = 0;
  while (!isOver) {
    number += 1;
    const folder = await makeTestFolder();
    const [run, notes] = [aRun(), { isBegun: false, steps: [], promised: 0, isReleased: false } as Notes];
    const store = await openFileStore(folder, sealer);
    const writes = breakWrite(number, fault);
    const worked = work(store, run, notes).then(
      () => undefined,
      (error: unknown) => error,
    );
    const error = await Promise.race([worked, writes.killed]);
    isOver = writes.count() < number;
    writes.heal();
    if (fault === "broken once" && !notes.isBegun) expect(await store.read(run.id)).toBeUndefined();
    // A process that ends gives its runs back; one that was killed gives no sign of life any more.
    if (!fault.startsWith("killed")) await store.close();
    else await rm(join(folder, "owners"), { recursive: true, force: true });
    const place = `write ${number}: ${String(error ?? "")}`;
    if (isOver) expect([error, notes.isReleased], place).toEqual([undefined, true]);
    const next = await openFileStore(folder, sealer);
    await expectSound(next, run, notes, place);
    await next.close();
  }
  expect(number).toBeGreaterThan(30);
});

/** A process that is killed before its next statement, or at its end, is one that is killed after this statement. */
const STATEMENT_FAULTS = ["is lost before it is done", "is lost when it is done", "is the last before a kill"] as const;
type StatementFault = (typeof STATEMENT_FAULTS)[number];

/** Lets the statement of that number fail, of all that this process gives to databases. */
function breakStatement(number: number, fault: StatementFault) {
  const { query } = pg.Pool.prototype;
  const never = new Promise<never>(() => undefined);
  const state = { count: 0, isDead: false };
  let kill: () => void = () => undefined;
  const killed = new Promise<void>((resolve) => (kill = resolve));
  const isKill = fault === "is the last before a kill";
  pg.Pool.prototype.query = async function (this: pg.Pool, ...args: unknown[]): Promise<never> {
    if (state.isDead) return never;
    const ask = (): Promise<never> => Reflect.apply(query, this, args) as Promise<never>;
    state.count += 1;
    if (state.count !== number) return ask();
    state.isDead = isKill;
    // Of a statement that has a name, this database may say that another connection has it.
    if (fault === "is lost when it is done") await ask().catch(() => undefined);
    kill();
    if (isKill) return never;
    throw new Error("Connection terminated unexpectedly");
  };
  return { killed, count: () => state.count, heal: () => void (pg.Pool.prototype.query = query) };
}

test.each(STATEMENT_FAULTS)("PostgreSQL: each statement that %s loses and doubles nothing", async (fault) => {
  const time = takeClock();
  const client = new pg.Client(database());
  await client.connect();
  const plan = { url: database(), place: "the store", sealer, project: fault };
  const next = await openPostgresStore(plan);
  let isOver = false;
  let number = 0;
  while (!isOver) {
    number += 1;
    const [run, notes] = [aRun(), { isBegun: false, steps: [], promised: 0, isReleased: false } as Notes];
    const store = await openPostgresStore(plan);
    const statements = breakStatement(number, fault);
    const worked = work(store, run, notes).then(
      () => undefined,
      (error: unknown) => error,
    );
    const isKill = fault === "is the last before a kill";
    const error = await (isKill ? Promise.race([worked, statements.killed]) : worked);
    isOver = statements.count() < number;
    statements.heal();
    if (isKill) await client.query("delete from codemode_run_owners");
    const place = `statement ${number}: ${String(error ?? "")}`;
    // A process that lives on has no run that it does nothing for.
    if (!isKill) await time.moveUntil(async () => !(await store.isOwned(run.id)));
    if (!notes.isBegun && !isKill) expect(await store.read(run.id), place).toBeUndefined();
    if (isOver) expect([error, notes.isReleased], place).toEqual([undefined, true]);
    await expectSound(next, run, notes, place);
    await store.close();
  }
  expect(number).toBeGreaterThan(15);
  await next.close();
  await client.end();
});

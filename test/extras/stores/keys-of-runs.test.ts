import { expect, test } from "vitest";
import type { RunInside } from "../../../serve/long-runs/runs.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { digestSession, makeRunRecords } from "../../../extras/stores/run-records.ts";
import type { ToolCallResult } from "../../../serve/surface.ts";
import { type Diagnostic, failedAnswer, DIAGNOSTIC_CODES } from "../../../schemas/run/answer.ts";
import { toRunResult } from "../../../serve/surfaces/run-tool.ts";
import { makeCallsInFlight } from "../../../serve/agent/calls-in-flight.ts";
import { fail, join, sealer, DONE, CANCELLED, startReplica, aRun, aRequest } from "./start-replica.ts";

test("a run with a key has its record before it does anything, and a second request waits for that record", async () => {
  const store = makeMemoryStore();
  const [one, other] = [await startReplica(store), await startReplica(store)];
  const records = makeRunRecords({ store, sealer }, "");
  const began = await one.begin(async () => {
    const { runId } = await records.claim("job", { runId: "", call: "" });
    expect(await records.read(runId)).toMatchObject({ isKeyed: true });
    return DONE;
  }, aRequest("job"));
  expect(began).toEqual({ kind: "ended", result: DONE });

  const runId = "a".repeat(22);
  await records.claim("slow", { runId, call: "the call" });
  const again = other.begin(async () => fail(new Error("it ran twice")), aRequest("slow"));
  const details = { calls: [], callCount: 0, findings: [], result: DONE };
  const state = { replica: "gone", session: "", begunAt: 1, endedAt: 2, isCancelled: false, isKeyed: true, details };
  setTimeout(() => void records.write(runId, state), 300);
  expect(await again).toEqual({ kind: "ended", result: DONE });
});

test("the key of a run that was let go and then refused may be used again", async () => {
  const store = makeMemoryStore();
  const [one, other] = [await startReplica(store), await startReplica(store)];
  const run = aRun(CANCELLED);
  const begun = one.begin(run.work, aRequest("job"));
  await run.begun;
  one.letGo();
  const { id } = (await begun) as { id: string };
  run.end();
  expect(await other.wait(id, aRequest())).toEqual({ kind: "ended", result: CANCELLED });
  expect(await other.begin(async () => DONE, aRequest("job"))).toEqual({ kind: "ended", result: DONE });
});

const found = (code: Diagnostic["code"], severity: Diagnostic["severity"] = "error"): Diagnostic => ({
  ...{ severity, code, message: `It says e.g. ${code}.` },
});
const failed = (...diagnostics: Diagnostic[]): ToolCallResult => toRunResult(failedAnswer(diagnostics));
const calling = ({ stream }: RunInside, kind: string, number = 1): void =>
  stream.callEvent({ kind, serverId: "notes", toolName: "write", number } as never);
const ASKING = { resultType: "input_required", content: [] } as unknown as ToolCallResult;

test.each<[string, ToolCallResult, string, boolean]>([
  ["waits for a person", ASKING, "ended", true],
  ["is to be tried again", failed(found("LOCK_DRIFT", "warning"), found("RUN_CANCELLED")), "ended", true],
  ["needs an approval", failed(found("APPROVAL_REQUIRED")), "ended", true],
  ["needed none", failed(found("APPROVAL_REQUIRED", "info"), found("UNCAUGHT_EXCEPTION")), "ended", false],
  ["warns of what is to be tried again", failed(found("RUN_CANCELLED", "warning")), "ended", false],
  ["has failed by its own fault", failed(found("UNCAUGHT_EXCEPTION")), "ended", false],
  ["has called, and failed by its own fault", failed(found("UNCAUGHT_EXCEPTION")), "started", false],
  ["has nothing to say", { content: [] }, "ended", false],
  ["has called, and has nothing to say", { content: [] }, "started", false],
])(
  "a run with a key that %s keeps its result, and its key is free: %j, %s, %j",
  async (_name, result, kind, isFree) => {
    const runs = await startReplica(makeMemoryStore());
    const first = await runs.begin(async (inside) => {
      calling(inside, kind);
      return result;
    }, aRequest("job"));
    expect(first).toEqual({ kind: "ended", result });
    const again = await runs.begin(async () => DONE, aRequest("job"));
    expect(again).toEqual({ kind: "ended", result: isFree ? DONE : result });
  },
);

test("a run with a key that was cancelled after it had called says what it called, and that another key is the way on; its other findings stay", async () => {
  const store = makeMemoryStore();
  const [one, other] = [await startReplica(store), await startReplica(store)];
  const drift = found("LOCK_DRIFT", "warning");
  const began = await one.begin(async (inside) => {
    for (const number of [1, 2]) calling(inside, "started", number);
    return failed(drift, found("RUN_CANCELLED"));
  }, aRequest("job"));
  const spent = {
    severity: "error",
    code: "RUN_LOST",
    message: "It says e.g. RUN_CANCELLED (RUN_CANCELLED); it had called: notes/write (at least 2 calls).",
    hint: "Find out what the script has done so far. This key runs nothing more: run what is left with another key.",
  };
  expect(began).toMatchObject({ kind: "ended", result: { structuredContent: { diagnostics: [drift, spent] } } });
  expect(DIAGNOSTIC_CODES.RUN_LOST).toBe("fix");
  expect(JSON.stringify(began)).not.toContain("Run it again");
  expect(await other.begin(async () => DONE, aRequest("job"))).toEqual(began);
});

test("a key that is released while another request claims it is claimed in the store", async () => {
  const store = makeMemoryStore();
  const releasing: RunStore = {
    ...store,
    async get(name) {
      await store.take(name);
      return store.get(name);
    },
  };
  const claim = (runId: string) => ({ runId, call: "the call" });
  await makeRunRecords({ store, sealer }, "").claim("job", claim("first"));
  await makeRunRecords({ store: releasing, sealer }, "").claim("job", claim("second"));
  expect(await makeRunRecords({ store, sealer }, "").claim("job", claim("third"))).toEqual(claim("second"));
});

test("a store that says of a key that it is taken and not there is asked a few times, with pauses, and then given up", async () => {
  let asked = 0;
  const lying: RunStore = {
    ...makeMemoryStore(),
    async add() {
      asked += 1;
      return false;
    },
  };
  const claiming = makeRunRecords({ store: lying, sealer }, "").claim("job", { runId: "", call: "" });
  await expect(claiming).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(asked).toBeLessThan(10);
});

test("a key stands for one script and input: another is refused on every replica, and runs nothing", async () => {
  const store = makeMemoryStore();
  const [one, other] = [await startReplica(store), await startReplica(store)];
  expect(await one.begin(async () => DONE, aRequest("job"))).toEqual({ kind: "ended", result: DONE });
  for (const replica of [one, other]) {
    const request = { ...aRequest(), key: { text: "job", call: "another call" } };
    expect(await replica.begin(async () => fail(new Error("it ran")), request)).toMatchObject({
      result: { structuredContent: { diagnostics: [{ code: "KEY_REUSED" }] } },
    });
  }
});

test("a run of another session is not there on other replicas, unless it has a key", async () => {
  const store = makeMemoryStore();
  const other = await startReplica(store);
  const records = makeRunRecords({ store, sealer }, "");
  const details = { calls: [], callCount: 0, findings: [], result: DONE };
  const state = { replica: "gone", session: digestSession("mine"), begunAt: 1, endedAt: 2, isCancelled: false };
  const [plain, keyed] = ["p".repeat(22), "k".repeat(22)];
  await records.write(plain, { ...state, isKeyed: false, details });
  await records.write(keyed, { ...state, isKeyed: true, details });
  const mine = { ...aRequest(), session: "mine" };
  expect(await other.wait(plain, aRequest())).toEqual({ kind: "lost" });
  expect(await other.cancel(plain, aRequest())).toEqual({ kind: "lost" });
  expect(await other.look(plain, "")).toBeUndefined();
  expect(await other.wait(plain, mine)).toEqual({ kind: "ended", result: DONE });
  expect(await other.wait(keyed, aRequest())).toEqual({ kind: "ended", result: DONE });
});

test("the log of durable runs has the run of a key: a replica that is gone makes none of them lost", async () => {
  const store = makeMemoryStore();
  const idOf = async (key: string) => key.padEnd(22, "-");
  const options = { detachAfterMs: 20, calls: makeCallsInFlight(), isNamed: true };
  const gone = await join(store);
  const run = aRun(DONE);
  const begun = await gone.runsOf("ada", { ...options, idOf }).begin(run.work, aRequest("job"));
  expect(begun).toMatchObject({ kind: "continues", id: "job".padEnd(22, "-") });
  const { id } = begun as { id: string };
  const other = await join(store);
  const [durable, plain] = [other.runsOf("ada", { ...options, idOf }), other.runsOf("ada", options)];
  expect(await durable.wait(id, aRequest())).toMatchObject({ kind: "continues", id });
  gone.replica.end();
  await expect.poll(() => plain.wait(id, aRequest()), { timeout: 10_000 }).toMatchObject({ kind: "ended" });
  expect(await durable.wait(id, aRequest())).toEqual({ kind: "lost" });
  run.end();
});

import { hostname } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { DurableRuns } from "../../engine/extras.ts";
import { makeSealer, type Sealer } from "../../engine/store-plan.ts";
import type { ApprovalRequest, CallDecision } from "../../schemas/run/approval.ts";
import { type CallView, withView } from "../../schemas/run/describe-call.ts";
import { makeConsentDesk } from "../../serve/approvals/consent-desk.ts";
import { makeOperatorQuestions } from "../../serve/approvals/questions.ts";
import { makeMemoryStore, type RunStore } from "../../serve/store/run-store.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { join, sealer } from "../extras/stores/start-replica.ts";
import { takeClock } from "../move-clock.ts";
import { startHttp } from "./http/start-http.ts";

const tools = [{ serverId: "files", toolName: "write" }];
const SCRIPT: ApprovalRequest = {
  ...{ tools, digest: "sha256-x" },
  script: {
    files: [{ name: "script.ts", code: "await write();" }],
    packages: [],
    input: { to: "ada" },
    digest: "sha256-y",
  },
};
const view: Partial<CallView> = {
  findMistake: (_, { mode }) => (mode === undefined ? undefined : 'There is no "mode".'),
};
const CALL: ApprovalRequest = {
  ...{ tools, digest: "sha256-x" },
  call: withView({ number: 1, input: { path: "secret.txt" }, position: 1, total: 1, made: new Map() }, {
    parameters: [],
    split: (text) => [text],
    ...view,
  } as CallView),
};
const BY = { way: "operator", name: "operatorToken" } as const;
const ALLOW: CallDecision = { verdict: "granted", by: BY };
const REFUSE: CallDecision = { verdict: "refused", reason: "no", by: BY };

/** A replica: the desk where its runs ask, and what the operator has through it. */
async function startReplica(
  store: RunStore,
  { key = sealer, waitMs = 60_000, durable }: { key?: Sealer | null; waitMs?: number; durable?: DurableRuns } = {},
) {
  const failures: string[] = [];
  const onFailure = (error: unknown): void => void failures.push((error as Error).message);
  const state = await join(store, { key, onFailure });
  const shared = state.questionsOf("/project");
  const desk = makeConsentDesk({
    ...{ project: "/project", waitMs, onFailure, isAnsweredHere: true, shared },
    key: Promise.resolve(undefined),
  });
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  return {
    ...{ failures, questions: makeOperatorQuestions(desk, Promise.resolve(durable), shared) },
    /** A run asks; gives the id of the question, the verdict, and how the run ends. */
    async ask(request: ApprovalRequest, client = "ada") {
      const [before, run] = [desk.list(), new AbortController()];
      const asked = await desk.ask(request, client, AbortSignal.any([run.signal, ending.signal]));
      const id = desk.list().find((each) => !before.some((other) => other.id === each.id))?.id ?? "";
      return { id, verdict: asked?.verdict, end: () => run.abort() };
    },
    /** As a process that is killed: it says no more that it is there, and takes nothing. */
    die: state.replica.end,
  };
}

type Replica = Awaited<ReturnType<typeof startReplica>>;

let time: ReturnType<typeof takeClock>;
beforeEach(() => void (time = takeClock()));
/** How often a replica looks for what others send it. */
const LOOK_MS = 400;

async function startReplicas(options?: Parameters<typeof startReplica>[1], store = makeMemoryStore()) {
  return { store, one: await startReplica(store, options), other: await startReplica(store, options) };
}

const listAt = async ({ questions }: Replica) => (await questions.list()).questions;
const idsAt = async (replica: Replica): Promise<string[]> => (await listAt(replica)).map(({ id }) => id);
/** The outcome of an answer, which goes to another replica and back. */
async function answered<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
  let isOver = false;
  void outcome.finally(() => (isOver = true));
  await time.moveUntil(() => isOver, 100);
  return outcome;
}
/** Until a replica lists these and no others. */
async function lists(replica: Replica, ...ids: string[]): Promise<void> {
  await time.moveUntil(async () => isDeepStrictEqual(await idsAt(replica), ids), LOOK_MS);
}

test("each replica lists the questions of all, as they are shown where they were put", async () => {
  const { one, other } = await startReplicas();
  const [script, call] = [await one.ask(SCRIPT), await other.ask(CALL)];
  for (const replica of [one, other]) {
    await lists(replica, script.id, call.id);
    const [first, second] = await listAt(replica);
    expect(first).toMatchObject({ client: "ada", project: "/project", names: ["files/write"] });
    expect(first?.script?.join("\n")).toMatch(/sha256-y[^]*"ada"[^]*await write\(\);/);
    expect(second?.whole?.join("\n")).toContain("secret.txt");
  }
  expect(await listAt(one)).toEqual(await listAt(other));
});

const SAME: CallDecision[] = [
  ALLOW,
  { verdict: "granted", forRun: true, by: BY },
  REFUSE,
  { verdict: "answered", result: [1], by: BY },
];

test("through another replica a call is allowed, for the run too, refused, answered and changed", async () => {
  const { one, other } = await startReplicas();
  const changed: CallDecision = { verdict: "changed", input: { text: "b" }, by: BY };
  // The run's own replica alone has the other arguments.
  const whole: CallDecision = { ...changed, input: { path: "secret.txt", text: "b" } };
  const decisions = [...SAME.map((each) => [each, each] as const), [changed, whole] as const];
  const calls: Awaited<ReturnType<Replica["ask"]>>[] = [];
  for (const _ of decisions) calls.push(await one.ask(CALL));
  await time.moveUntil(async () => (await idsAt(other)).length === calls.length, LOOK_MS);
  const outcomes = calls.map(({ id }, index) => other.questions.answer(id, decisions[index]?.[0] as CallDecision));
  expect(await answered(Promise.all(calls.map(({ verdict }) => verdict)))).toEqual(
    decisions.map(([, verdict]) => verdict),
  );
  expect(await answered(Promise.all(outcomes))).toEqual(calls.map(() => "given"));
  for (const replica of [one, other]) await lists(replica);
});

test("the first answer counts, on whichever replica; the same one again is given again, and another one is too late", async () => {
  const { store, one, other } = await startReplicas();
  const third = await startReplica(store);
  const questions = [await one.ask(SCRIPT), await one.ask(SCRIPT), await one.ask(SCRIPT)] as const;
  const [here, there, race] = questions;
  for (const replica of [other, third]) await lists(replica, ...questions.map(({ id }) => id));
  expect(await one.questions.answer(here.id, ALLOW)).toBe("given");
  expect(await answered(other.questions.answer(there.id, ALLOW))).toBe("given");
  const racing = await answered(
    Promise.all([other, third].map((each, i) => each.questions.answer(race.id, i === 0 ? ALLOW : REFUSE))),
  );
  expect(new Set(racing)).toEqual(new Set(["answered", "given"]));
  expect(await race.verdict).toEqual(racing[0] === "given" ? ALLOW : REFUSE);
  for (const { id } of [here, there])
    for (const replica of [one, other, third]) {
      expect(await replica.questions.answer(id, ALLOW)).toBe("given");
      expect(await replica.questions.answer(id, REFUSE)).toBe("answered");
    }
  expect(await here.verdict).toEqual(ALLOW);
  expect(await there.verdict).toEqual(ALLOW);
});

test("what is no answer on its own replica is none through another one, and the question stays open", async () => {
  const { one, other } = await startReplicas();
  const [script, call] = [await one.ask(SCRIPT), await one.ask(CALL)];
  await lists(other, script.id, call.id);
  const wrong: CallDecision = { verdict: "changed", input: { mode: 1 }, by: BY };
  expect(await answered(other.questions.answer(call.id, wrong))).toEqual({ problem: 'There is no "mode".' });
  expect(await answered(other.questions.answer(script.id, { ...ALLOW, forRun: true } as CallDecision))).toEqual({
    problem: "This approval is for a whole script: allow or refuse it",
  });
  expect(await idsAt(other)).toEqual([script.id, call.id]);
  expect(await answered(other.questions.answer(call.id, ALLOW))).toBe("given");
});

test("a question goes from all lists when its run ends, when its time is over, and when its replica dies", async () => {
  const { store, one, other } = await startReplicas();
  const hasty = await startReplica(store, { waitMs: 5000 });
  const [ends, stays, over] = [await one.ask(SCRIPT), await one.ask(SCRIPT), await hasty.ask(SCRIPT)];
  await lists(other, over.id, ends.id, stays.id);
  ends.end();
  expect(await ends.verdict).toBe("closed");
  await lists(other, stays.id);
  await time.move(5000);
  expect(await over.verdict).toBe("closed");
  for (const { id } of [ends, over]) expect(await other.questions.answer(id, ALLOW)).toBe("gone");
  one.die();
  await time.move(4000); // in which it would have said that it is there
  await lists(other);
  expect(await other.questions.answer(stays.id, ALLOW)).toBe("gone");
  expect([one, other, hasty].flatMap(({ failures }) => failures)).toEqual([]);
});

test("without the key another replica says where to answer, and nothing of what was asked is in the store", async () => {
  const { store, one, other } = await startReplicas({ key: null });
  const [script, call] = [await one.ask(SCRIPT), await one.ask(CALL)];
  await lists(other, script.id, call.id);
  const line = `A run on the host "${hostname()}" waits: answer through that replica, or set "serve.storeKey" on all to see and answer it here`;
  const { until } = (await listAt(one))[0] ?? {};
  expect(await listAt(other)).toEqual([
    { digest: expect.any(String), id: script.id, kind: "script", project: "/project", tools: [line], names: [], until },
    expect.objectContaining({ id: call.id, kind: "call", tools: [line] }),
  ]);
  const stored = [...(await store.list("")).values()].map(String).join("\n");
  expect(stored).not.toMatch(/ada|files|secret|sha256|\/project/);
  expect(await other.questions.answer(call.id, ALLOW)).toBe("held");
  // A key that the replica of the run does not have is none.
  const keyed = await startReplica(store);
  expect(await keyed.questions.answer(call.id, REFUSE)).toBe("held");
  expect(await one.questions.answer(call.id, ALLOW)).toBe("given");
  await lists(other, script.id);
});

test("who can write to the store and has no key can answer nothing", async () => {
  const { store, one, other } = await startReplicas();
  const call = await one.ask(CALL);
  await lists(other, call.id);
  const { replica } = JSON.parse(String(await store.get(`asked/${call.id}`))) as { replica: string };
  const letter = { name: `asked/${call.id}`, message: { kind: "answer", decision: ALLOW } };
  const sealedFor = (place: string, key: Sealer): string =>
    key.seal(place, Buffer.from(JSON.stringify(letter))).toString("base64");
  const inbox = `mail/${replica}/`;
  const forged: [string, unknown][] = [
    ["plain", letter],
    ["cancel", { cancel: letter.name }],
    ["text", "no JSON"],
    ["foreign", { sealed: sealedFor(`${inbox}foreign`, makeSealer("x".repeat(32))) }],
    ["moved", { sealed: sealedFor("mail/another/moved", sealer) }],
  ];
  for (const [name, value] of forged) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    await store.put(`${inbox}${name}`, Buffer.from(text), 60_000);
  }
  await time.moveUntil(async () => (await store.list(inbox)).size === 0, LOOK_MS);
  await store.put("asked/none", Buffer.from("null"), 60_000);
  expect(await idsAt(other)).toEqual([call.id]);
  expect(other.failures).toHaveLength(1);
  expect(await answered(other.questions.answer(call.id, REFUSE))).toBe("given");
  expect(await call.verdict).toEqual(REFUSE);
});

test("an idle replica asks the store for nothing, and one that waits for a person only as long as it waits", async () => {
  const memory = makeMemoryStore();
  const asked: string[] = [];
  const note = (name: string): number => (name.startsWith("replica/") ? 0 : asked.push(name));
  const { one, other } = await startReplicas(
    {},
    {
      ...memory,
      list: async (prefix) => (note(prefix), memory.list(prefix)),
      take: async (name) => (note(name), memory.take(name)),
      get: async (name) => (note(name), memory.get(name)),
    },
  );
  const idle = async (ms: number): Promise<number> => {
    const before = asked.length;
    await time.move(ms);
    return asked.length - before;
  };
  expect(await idle(500)).toBe(0);
  const call = await one.ask(CALL);
  expect(await idle(500)).toBeLessThanOrEqual(2);
  expect(await other.questions.answer("0".repeat(32), ALLOW)).toBe("gone");
  expect(await answered(other.questions.answer(call.id, ALLOW))).toBe("given");
  await idle(1500);
  expect(await idle(500)).toBe(0);
});

test("while the store is away a replica has its own questions, says that others cannot be reached, and shows them later", async () => {
  const memory = makeMemoryStore();
  let isAway = false;
  const guard =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      if (isAway) throw storeUnreachable("postgres://h/x", { code: "ECONNREFUSED" });
      return work(...args);
    };
  const guarded = { list: guard(memory.list), get: guard(memory.get), take: guard(memory.take) };
  const store = { ...memory, ...guarded, add: guard(memory.add), put: guard(memory.put) };
  const durable = { questions: guard(async () => []), answer: guard(async () => "gone") } as unknown as DurableRuns;
  const { one, other } = await startReplicas({ durable }, store);
  expect(await one.questions.list()).toEqual({ questions: [] });
  isAway = true;
  const [call, script] = [await one.ask(CALL), await one.ask(SCRIPT)];
  expect(await idsAt(one)).toEqual([call.id, script.id]);
  const notice = "Other questions cannot be looked at now (STORE_UNREACHABLE)";
  expect(await other.questions.list()).toEqual({ questions: [], notice });
  const ofDurable = makeOperatorQuestions(undefined, Promise.resolve(durable));
  expect(await ofDurable.list()).toEqual({ questions: [], notice });
  await expect(other.questions.answer(call.id, ALLOW)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  expect(await one.questions.answer(script.id, ALLOW)).toBe("given");
  isAway = false;
  await lists(other, call.id);
  await time.moveUntil(async () => (await other.questions.answer(script.id, REFUSE)) === "answered");
  expect(one.failures[0]).toContain("ECONNREFUSED");
});

test("over HTTP an answer that another replica cannot take says why, and a client's token opens nothing", async () => {
  const store = makeMemoryStore();
  const { one, other } = await startReplicas({ key: null }, store);
  const call = await one.ask(CALL);
  await lists(other, call.id);
  const serve = { operatorToken: "operator-token", clients: { ada: { token: "client-token" } } };
  const { origin } = await startHttp(serve, { openApprovals: other.questions });
  const send = async (id: string, body?: object, token = "operator-token") => {
    const method = body === undefined ? "GET" : "POST";
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${origin}/approvals${id && `/${id}`}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return [response.status, await response.json()] as [number, { error?: string; kind?: string; lines?: string[] }];
  };
  expect(await send(call.id)).toEqual([200, expect.objectContaining({ kind: "call", tools: [] })]);
  const allow = { decision: "allow" };
  const held = 'Another process has the run: answer through that one, or set "serve.storeKey" on all';
  expect(await send(call.id, allow)).toEqual([409, { error: held }]);
  expect(await send("0".repeat(32), allow)).toEqual([404, { error: "No run waits for this approval" }]);
  for (const body of [undefined, allow]) expect((await send(call.id, body, "client-token"))[0]).toBe(401);
  store.get = () => Promise.reject(storeUnreachable("postgres://h/x", { code: "ECONNREFUSED" }));
  store.list = store.get as never;
  const away = "The replica of the run or the store does not answer: send this again";
  expect(await send(call.id, allow)).toEqual([503, { error: away }]);
  const notice = "Other questions cannot be looked at now (STORE_UNREACHABLE)";
  expect([await send(""), await send(call.id)]).toEqual([
    [200, { approvals: [], notice }],
    [503, { error: notice }],
  ]);
  expect(await idsAt(one)).toEqual([call.id]);
});

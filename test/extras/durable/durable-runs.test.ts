import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ApprovalRequest, CallDecision, HostEvent, RunEvent, Step } from "codemode";
import { beginRun, type LedgerProject, startProject } from "./start-ledger.ts";

const PAY = `import { book, pay } from "@codemode/servers/ledger";
  const first = await book({ entry: "before" });
  const chance = Math.random();
  const paid = await pay({ entry: "rent" }).catch((error) => error.name + ": " + error.reason);
  export default [first, paid, typeof chance];`;

/** An approver that gives these answers, one after the other, and then none. */
function answering(...decisions: CallDecision[]) {
  const asked: ApprovalRequest[] = [];
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return decisions.shift() ?? ("unavailable" as const);
  };
  return { asked, approve };
}

const never = async () => "unavailable" as const;
const SOON = { suspendAfterMs: 50 };
// sleeps: a built program with a clock of its own gives the sandbox back meanwhile
const grantLate = async () => delay(200, "granted" as const);

/** Begins runs, waits until they are suspended, and ends their engine. Gives their ids. */
async function beginAndEnd<const Codes extends readonly string[]>(project: LedgerProject, ...codes: Codes) {
  const engine = await project.openEngine({ approve: never });
  const begun = await Promise.all(codes.map((code) => beginRun(engine, { code }, { durable: SOON })));
  for (const { id, runs } of begun)
    await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
  await engine.close();
  for (const { id, running } of begun)
    expect(await running).toMatchObject({ runId: id, diagnostics: [{ code: "RUN_CONTINUES" }] });
  return begun.map(({ id }) => id) as { [At in keyof Codes]: string };
}

test("a run that waits for a person goes on in another process, and makes no call again", async () => {
  const { ledger, project } = await startProject();
  const [id] = await beginAndEnd(project, PAY);
  const { asked, approve } = answering({ verdict: "granted" });
  const later = await project.openEngine({ approve });
  const runs = await later.durableRuns();
  expect(await runs.find(id)).toMatchObject({ state: "waiting", calls: 2, questions: [expect.any(Array)] });
  const answer = await runs.resume(id);
  expect(answer).toMatchObject({ result: ["book before", "pay rent", "number"], diagnostics: [], runId: id });
  expect(answer.toolTrace.map(({ toolName, ok }) => [toolName, ok])).toEqual([
    ["book", true],
    ["pay", true],
  ]);
  expect(asked[0]?.call).toMatchObject({ number: 2, made: new Map([["ledger/book", 1]]) });
  expect(await ledger.booked()).toEqual({ "book before": 1, "pay rent": 1 });
  expect(await runs.find(id)).toMatchObject({ state: "ended", questions: [], answer: { result: answer.result } });
  // Its answer is there as long as the run is kept.
  expect(await runs.resume(id)).toMatchObject({ result: answer.result });
  expect(await runs.remove(id)).toBe(1);
  await expect(runs.find(id)).rejects.toMatchObject({ code: "RUN_UNKNOWN", exitCode: 2 });
});

test("observers of every attempt have the id that the answer has, with a key and without", async () => {
  const { project } = await startProject();
  const seen: string[] = [];
  const observers = [(event: HostEvent) => void (event.type === "run-started" && seen.push(event.run.runId))];
  const engine = await project.openEngine({ approve: grantLate, observers });
  for (const keyed of [{}, { key: "rent-of-may" }]) {
    const { runId, result } = await engine.run({ code: PAY }, { ...keyed, durable: SOON });
    expect(result).toEqual(["book before", "pay rent", "number"]);
    const ids = seen.splice(0);
    expect(ids.length).toBeGreaterThan(1);
    expect([...new Set(ids)]).toEqual([runId]);
  }
});

test("what a run does again is marked for observers, and reaches no listener of the run", async () => {
  const { project } = await startProject();
  /** With `again` for what is replayed. */
  const print = (event: HostEvent | RunEvent): string[] => {
    const again = "isReplayed" in event ? " again" : "";
    if (event.type === "log") return [`${event.entry.message}${again}`];
    return event.type === "call-started" || event.type === "call-ended"
      ? [`${event.type} ${event.number}${again}`]
      : [];
  };
  const observed: string[] = [];
  const own: string[] = [];
  const lines: string[] = [];
  const calls: string[] = [];
  const engine = await project.openEngine({
    approve: grantLate,
    observers: [(event) => void observed.push(...print(event))],
  });
  const script = { code: PAY.replace("const chance", 'console.log("booked"); const chance') };
  const { diagnostics } = await engine.run(script, {
    durable: SOON,
    onEvent: (event) => void own.push(...print(event)),
    onLog: ({ message }) => void lines.push(message),
    onCall: ({ kind, number }) => void calls.push(`call-${kind} ${number}`),
  });
  const once = ["call-started 1", "call-ended 1", "booked", "call-started 2"];
  expect([diagnostics, lines]).toEqual([[], ["booked"]]);
  expect(observed.slice(0, 4)).toEqual(once);
  expect(observed).toEqual(expect.arrayContaining(["call-started 1 again", "call-ended 1 again", "booked again"]));
  expect(own.filter((line) => line.endsWith("1") || line === "booked")).toEqual(once.slice(0, 3));
  expect(own.at(-1)).toBe("call-ended 2");
  expect(calls).toEqual(own.filter((line) => line !== "booked"));
});

test("a run that waits for a timer gives its sandbox back, and wakes by itself", async () => {
  const { project } = await startProject();
  const engine = await project.openEngine();
  const code = `const before = Date.now();
    // sleeps: a built program with a clock of its own gives the sandbox back meanwhile
    await new Promise((resolve) => setTimeout(resolve, 300));
    export default Date.now() - before >= 300;`;
  const answer = await engine.run({ code }, { durable: SOON });
  expect(answer).toMatchObject({ result: true, diagnostics: [] });
  const steps = await (await engine.durableRuns()).steps(answer.runId ?? "");
  expect(steps.map(({ kind }) => kind)).toEqual(["suspended", "fire", "ended"]);
});

/** Leaves runs whose call is on its way: it was sent, and its answer is lost. */
async function beginAndLose<const Tools extends readonly string[]>(project: LedgerProject, ...tools: Tools) {
  const engine = await project.openEngine({ approve: async () => "granted" as const });
  const runs = await engine.durableRuns();
  const kindsOf = async (id: string): Promise<string[]> => (await runs.steps(id)).map(({ kind }) => kind);
  const begin = async (tool: string) => {
    const code = `import { ${tool} } from "@codemode/servers/ledger"; export default await ${tool}({ entry: "x" });`;
    const begun = await beginRun(engine, { code }, { durable: SOON });
    await expect.poll(() => kindsOf(begun.id), { timeout: 15_000 }).toContain("sent");
    return begun;
  };
  const begun = await Promise.all(tools.map(begin));
  await engine.close();
  for (const { id, running } of begun) {
    await running;
    expect(await kindsOf(id).catch(() => ["closed"])).not.toContain("reply");
  }
  return begun.map(({ id }) => id) as { [At in keyof Tools]: string };
}

test("a call that was sent and not answered is made again only where that does no harm; else a person says what happened", async () => {
  const { ledger, project } = await startProject({}, 1500);
  const tools = ["book", "pay", "book", "look", "order"] as const;
  const [done, undone, stopped, read, ordered] = await beginAndLose(project, ...tools);
  const { asked, approve } = answering(
    { verdict: "answered", result: "book x" },
    { verdict: "granted" },
    { verdict: "refused" },
  );
  const before = await ledger.booked();
  const later = await project.openEngine({ approve });
  const runs = await later.durableRuns();
  expect(await runs.resume(done)).toMatchObject({ result: "book x", toolTrace: [{ changed: "result" }] });
  expect(await ledger.booked()).toEqual(before);
  // The approval of the call itself was kept, so there is one question.
  expect(await runs.resume(undone)).toMatchObject({ result: "pay x" });
  const { diagnostics } = await runs.resume(stopped);
  expect(diagnostics[0]).toMatchObject({ code: "RUN_CANCELLED", message: expect.stringContaining("ledger/book") });
  expect(await runs.resume(read)).toMatchObject({ result: "look x", diagnostics: [] });
  // Its server takes the key of the run.
  expect(await runs.resume(ordered)).toMatchObject({ result: "order x", diagnostics: [] });
  expect(await ledger.booked()).toMatchObject({ "order x": 1 });
  expect(asked.map(({ call }) => call?.isInDoubt)).toEqual([true, true, true]);
}, 60_000);

test("a call that is made again and lost again is asked about again: what was said of the first time counts for that alone", async () => {
  const { ledger, project } = await startProject({}, 1500);
  const [id] = await beginAndLose(project, "book");
  // The journal has a call before it goes out, so the first one may have been lost on its way.
  const { "book x": first = 0 } = await ledger.booked();
  const second = await project.openEngine({ approve: answering({ verdict: "granted" }).approve });
  const running = (await second.durableRuns()).resume(id);
  await expect.poll(ledger.booked, { timeout: 15_000 }).toEqual({ "book x": first + 1 });
  await second.close();
  await running;
  const { asked, approve } = answering({ verdict: "answered", result: "book x" });
  const third = await (await project.openEngine({ approve })).durableRuns();
  expect(await third.resume(id)).toMatchObject({ result: "book x", diagnostics: [] });
  expect(asked.map(({ call }) => call?.isInDoubt)).toEqual([true]);
  expect(await ledger.booked()).toEqual({ "book x": first + 1 });
}, 60_000);

test("with its key a run is the same run, and other work is refused: another program, or another text of what it imports", async () => {
  const { ledger, project } = await startProject();
  const engine = await project.openEngine();
  const file = join(project.cwd, "script.ts");
  const write = (amount: number) =>
    writeFile(join(project.cwd, "amount.ts"), `export const amount: string = "amount ${amount}";\n`);
  await writeFile(
    file,
    'import { book } from "@codemode/servers/ledger"; import { amount } from "./amount.ts"; export default await book({ entry: amount });',
  );
  await write(1);
  const options = { key: "order-1", durable: true } as const;
  const run = () => engine.run({ file }, options);
  const answers = await Promise.all([run(), run()]);
  const codesOf = async (running: ReturnType<typeof run>) => (await running).diagnostics.map(({ code }) => code);
  await write(2);
  expect(await codesOf(run())).toEqual(["KEY_REUSED"]);
  await write(1);
  answers.push(await run());
  expect(answers).toMatchObject([1, 2, 3].map(() => ({ result: "book amount 1", runId: answers[0]?.runId })));
  expect(await ledger.booked()).toEqual({ "book amount 1": 1 });
  expect(await codesOf(engine.run({ code: `export default 1;` }, options))).toEqual(["KEY_REUSED"]);
  const dry = engine.run({ file }, { durable: true, dryRun: { onSkipped: () => undefined } });
  await expect(dry).rejects.toMatchObject({ code: "RUN_NOT_DURABLE", exitCode: 2 });
});

test("a run is cancelled, also where no process has it", async () => {
  const { project } = await startProject();
  const [id] = await beginAndEnd(project, PAY);
  const later = await project.openEngine();
  const runs = await later.durableRuns();
  await expect(runs.remove(id)).rejects.toMatchObject({ code: "RUN_OPEN" });
  await runs.cancel(id);
  expect(await runs.find(id)).toMatchObject({ state: "ended", answer: { diagnostics: [{ code: "RUN_CANCELLED" }] } });
  const { id: second, running } = await beginRun(later, { code: PAY }, { durable: SOON });
  await expect.poll(async () => (await runs.find(second)).state, { timeout: 15_000 }).toBe("waiting");
  await runs.cancel(second);
  expect((await running).diagnostics.map(({ code }) => code)).toEqual(["RUN_CANCELLED"]);
  expect(await runs.prune(Date.now() + 1000)).toBe(2);
});

test("a question is answered once, by its digest, and only by the client that the run is of", async () => {
  const clients = { ada: { token: "a".repeat(32) }, grace: { token: "g".repeat(32) } };
  const { project } = await startProject({ serve: { clients } });
  const { asked, approve } = answering();
  const engine = await project.openEngine({ client: "ada", approve });
  const { id, running, runs } = await beginRun(engine, { code: PAY }, { durable: SOON });
  await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
  const other = await (await project.openEngine({ client: "grace", approve })).durableRuns();
  const unknown = { code: "RUN_UNKNOWN" };
  expect(await other.list()).toEqual([]);
  for (const refused of [
    () => other.find(id),
    () => other.steps(id),
    () => other.cancel(id),
    () => other.resume(id),
    () => other.decide(id, "", { verdict: "granted" }),
  ])
    await expect(refused()).rejects.toMatchObject(unknown);
  const { digest = "" } = asked[0] ?? {};
  expect(await runs.decide(id, digest.replace(/.$/, "0"), { verdict: "granted" })).toBe(false);
  expect(await runs.decide(id, digest, { verdict: "granted" })).toBe(true);
  expect(await runs.decide(id, digest, { verdict: "refused" })).toBe(false);
  expect((await running).result).toEqual(["book before", "pay rent", "number"]);
});

/** Changes the steps of a run in files. */
async function edit(runs: string, id: string, change: (line: string) => string): Promise<void> {
  const [project = ""] = await readdir(runs);
  const folder = join(runs, project, id);
  for (const name of await readdir(folder)) {
    if (!/^(?:steps|run)\b/.test(name)) continue;
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.split("\n").map(change).join("\n"));
  }
}

test("a script that takes another way than before ends at exactly that call, and an answer to a call that was not shown counts for nothing", async () => {
  const { ledger, project } = await startProject();
  const [diverging, answered] = await beginAndEnd(project, PAY, PAY);
  await edit(project.runs, diverging, (line) =>
    line.includes('"kind":"call","call":1') ? line.replace("before", "BEFORE") : line,
  );
  const forged: Step = {
    kind: "decided",
    number: 1,
    digest: "sha256-other",
    decision: { verdict: "granted" },
  };
  await edit(project.runs, answered, (line) =>
    line.includes('"suspended"') ? `${JSON.stringify(forged)}\n${line}` : line,
  );
  const { asked, approve } = answering({ verdict: "refused", reason: "asked again" });
  const runs = await (await project.openEngine({ approve })).durableRuns();
  const message = expect.stringMatching(/call 1 \(ledger\/book\).*BEFORE.*before/);
  expect((await runs.resume(diverging)).diagnostics[0]).toMatchObject({ code: "REPLAY_DIVERGED", message });
  expect(asked).toEqual([]);
  expect((await runs.resume(answered)).result).toEqual(["book before", "ApprovalRefusedError: asked again", "number"]);
  expect(asked).toHaveLength(1);
  expect(await ledger.booked()).toEqual({ "book before": 2 });
});

test("a process goes on by itself with the runs that no process has, also of another minor version; one that is damaged is reported once, keeps no other up, and can be removed", async () => {
  const { ledger, project } = await startProject();
  const [damaged, older] = await beginAndEnd(project, PAY, PAY);
  await edit(project.runs, damaged, (line) => (line.includes('"kind":"reply"') ? line.slice(1) : line));
  await edit(project.runs, older, (line) => line.replace(/"codemode":"(\d+)\.\d+/, '"codemode":"$1.0'));
  const runs = await (await project.openEngine({ approve: async () => "granted" as const })).durableRuns();
  await expect(runs.resume(damaged)).rejects.toMatchObject({ code: "RUN_DAMAGED", exitCode: 1 });
  expect((await runs.questions()).map(({ run }) => run)).toEqual([older]);
  const failures: unknown[] = [];
  runs.watch({ ...SOON, onFailure: (error) => failures.push(error) });
  const result = ["book before", "pay rent", "number"];
  await expect
    .poll(() => runs.find(older), { timeout: 15_000 })
    .toMatchObject({ state: "ended", answer: { diagnostics: [], result } });
  // sleeps: a built program with a clock of its own looks again every two seconds
  await delay(2500);
  expect(failures).toMatchObject([{ code: "RUN_DAMAGED" }]);
  expect(await runs.remove(damaged)).toBe(1);
  expect(await ledger.booked()).toEqual({ "book before": 2, "pay rent": 1 });
});

test("a run keeps its own tools: where the lockfile has others it waits, and goes on when they are back", async () => {
  const { ledger, project } = await startProject();
  const [id] = await beginAndEnd(project, PAY);
  const lockfile = join(project.cwd, "codemode.lock.json");
  const before = await readFile(lockfile, "utf8");
  const { formatLockfile, parseLockfile } = await import("codemode");
  const { servers } = parseLockfile(before, "codemode.lock.json");
  await writeFile(lockfile, formatLockfile({ servers: new Map([...servers].slice(1)) }));
  const approve = async () => "granted" as const;
  const changed = await (await project.openEngine({ approve })).durableRuns();
  expect((await changed.resume(id)).diagnostics.map(({ code }) => code)).toContain("LOCK_DRIFT");
  expect(await changed.find(id)).toMatchObject({ state: "blocked" });
  await writeFile(lockfile, before);
  const restored = await (await project.openEngine({ approve })).durableRuns();
  expect(await restored.resume(id)).toMatchObject({ result: ["book before", "pay rent", "number"], diagnostics: [] });
  expect(await ledger.booked()).toEqual({ "book before": 1, "pay rent": 1 });
});

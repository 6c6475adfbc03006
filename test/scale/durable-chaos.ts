import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { openProject } from "codemode";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";
import { startLedger } from "../extras/durable/start-ledger.ts";

/** Twenty calls, half of them side by side; `pay` is asked about, `book` and `pay` must not be made twice. Random numbers and the time stand in between. */
const JOB = `import { book, look, pay, put } from "@codemode/servers/ledger";
const { run } = globalThis.__codemode_input__;
const texts = [];
let isRight = true;
const call = async (tool, word, entry) => {
  const text = await tool({ entry });
  isRight &&= text === word + " " + entry;
  texts.push(text);
};
for (const step of [1, 2]) {
  const startedAt = Date.now();
  await call(book, "book", run + "-one-" + step);
  await call(pay, "pay", run + "-one-" + step);
  await call(look, "look", "chance " + Math.random());
  await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 20));
  await call(put, "put", run + "-one-" + step + "-" + Math.random());
  await call(pay, "pay", run + "-two-" + step);
  await Promise.all([
    ...[3, 4].map((each) => call(book, "book", run + "-many-" + step + "-" + each)),
    call(pay, "pay", run + "-many-" + step),
    call(look, "look", String(Date.now())),
    call(put, "put", run + "-many-" + step + "-" + Math.random()),
  ]);
  isRight &&= Date.now() >= startedAt;
}
export default { run, count: texts.length, isRight };
`;
/** Calls that a person refuses, changes, and allows for the rest of the run, side by side; then one that this allows, and steps one after the other. */
const WORDS_JOB = `import { book, pay } from "@codemode/servers/ledger";
const { run, project } = globalThis.__codemode_input__;
const make = (tool, entry) => tool({ entry: project + "-" + run + entry }).catch((error) => error.name);
const made = await Promise.all(["-drop", "-change", "-all"].map((entry) => make(pay, entry)));
made.push(await make(pay, "-later"));
for (let step = 1; step <= 8; step += 1) {
  await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 40));
  made.push(await make(book, "-step-" + step));
}
export default { run, made };
`;
/** Calls of it that may be on their way when it is cancelled. */
const MOST_SIDE_BY_SIDE = 3;

/** What is answered of a run that goes on elsewhere. */
const LEFT = new Set(["RUN_CONTINUES", "RUN_HELD", "STORE_UNREACHABLE", "ENGINE_CLOSED"]);

const CALLS = 20;
/** Entries of a run that must be made once. */
const ENTRIES = 12;

export interface Chaos {
  runs: number;
  replicas: number;
  /** Settings of the configuration: where the runs are kept. */
  serve: object;
  env?: Record<string, string>;
  suspendAfterMs: number;
  /** What happens every so many milliseconds, one after the other. */
  everyMs: number;
  /** After so many kills the runs come to their ends in peace. */
  mostKills?: number;
  events: readonly ("kill" | "stop" | "restart" | "cancel" | "clock" | (() => Promise<void>))[];
  /** How long a process is stopped. */
  stopMs: number;
  atOnce: number;
  /** The name of a project whose runs ask a person, who refuses and changes calls; unless given, all calls are allowed. */
  words?: string;
}

export interface ChaosReport {
  right: number;
  wrong: unknown[];
  /** Entries that a person had refused or changed, or that were made after their run was cancelled, or at the server of another project. */
  against: string[];
  /** Entries that were made more than once, or never. */
  twice: string[];
  lost: string[];
  /** Calls that a person was asked about because their answer was lost. */
  asked: number;
  kills: number;
  stops: number;
  cancels: number;
  clocks: number;
  seconds: number;
}

/** Runs scripts on replicas that are killed, stopped and restarted all the time, until each has its end, and counts what a server has done. */
export async function runChaos(chaos: Chaos): Promise<ChaosReport> {
  const ledger = await startLedger();
  const { words } = chaos;
  const cwd = await makeLedgerProject(ledger.url, chaos.serve, words === undefined ? JOB : WORDS_JOB);
  const report: ChaosReport = {
    ...{ right: 0, wrong: [], twice: [], lost: [], against: [], asked: 0 },
    ...{ kills: 0, stops: 0, cancels: 0, clocks: 0, seconds: 0 },
  };
  const clock = chaos.events.includes("clock") ? await makeClock(cwd) : undefined;
  const canceller = chaos.events.includes("cancel")
    ? await openCanceller(cwd, ledger.booked, chaos.runs / 5)
    : undefined;
  const doubted = new Set<string>();
  const open = Array.from({ length: chaos.runs }, (_, at) => at + 1);
  const over = new Set<number>();
  const begunAt = performance.now();
  const replicas = new Map<ChildProcess, Set<number>>();
  let isOver = false;

  const give = (replica: ChildProcess): void => {
    const held = replicas.get(replica);
    while (held !== undefined && held.size < chaos.atOnce && open.length > 0) {
      const next = open.shift() as number;
      if (over.has(next)) continue;
      held.add(next);
      // One that has just been killed says so by its end.
      replica.send({ begin: next }, () => undefined);
    }
  };
  const start = async (): Promise<void> => {
    const env = {
      ...process.env,
      ...chaos.env,
      ...clock?.env,
      NAME: words ?? "",
      PROJECT: cwd,
      LEDGER: new URL(ledger.url).origin,
      SUSPEND_AFTER_MS: String(chaos.suspendAfterMs),
      LOOK_FOR_MS: String(chaos.stopMs === 0 ? 0 : chaos.stopMs + 3000),
    };
    const replica = fork(resolve("test/scale/durable-worker.mjs"), {
      env,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const held = new Set<number>();
    replicas.set(replica, held);
    replica.on("message", (message: { [name: string]: unknown }) => {
      if (typeof message["doubt"] === "string") doubted.add(message["doubt"]);
      if (message["isReady"] === true) {
        readyAt.set(replica, performance.now());
        give(replica);
      }
      if (typeof message["begun"] === "number") canceller?.add(message["begun"], String(message["runId"]));
      const run = message["run"];
      if (typeof run !== "number") return;
      held.delete(run);
      const codes = (message["diagnostics"] as { code: string }[]).map(({ code }) => code);
      // One that is cancelled was not kept yet: its process was being ended.
      const isLeft = codes.some((code) => LEFT.has(code)) || (codes.includes("RUN_CANCELLED") && !isKept(message));
      if (isLeft) open.push(run);
      else if (!over.has(run)) {
        over.add(run);
        const isCancelled = canceller?.isCancelled(run) === true && codes.includes("RUN_CANCELLED");
        canceller?.remove(run);
        const result = words === undefined ? { run, count: CALLS, isRight: true } : resultInWords(words, run);
        if (isCancelled || JSON.stringify(message["result"]) === JSON.stringify(result)) report.right += 1;
        else report.wrong.push(message);
      }
      give(replica);
    });
    replica.on("error", () => undefined);
    replica.once("exit", () => {
      replicas.delete(replica);
      open.unshift(...held);
      if (!isOver) void start();
    });
  };
  const readyAt = new Map<ChildProcess, number>();
  /** They stay stopped for as long as a person waits for their last call, and no longer. */
  const stopped = new Set<ChildProcess>();
  /** One that has been at work for as long as the events are apart. */
  const pick = (): ChildProcess | undefined => {
    const ready = [...replicas.keys()].filter(
      (each) => performance.now() - (readyAt.get(each) ?? Infinity) >= chaos.everyMs && !stopped.has(each),
    );
    return ready[Math.floor(Math.random() * ready.length)];
  };
  const happen = async (event: Chaos["events"][number]): Promise<void> => {
    if (typeof event === "function") return event();
    if (event === "clock") {
      report.clocks += 1;
      return clock?.step();
    }
    if (event === "cancel") return canceller?.cancel();
    const replica = pick();
    if (replica === undefined) return;
    if (event === "kill") {
      report.kills += 1;
      replica.kill("SIGKILL");
    } else if (event === "stop") {
      report.stops += 1;
      replica.kill("SIGSTOP");
      stopped.add(replica);
      setTimeout(() => {
        stopped.delete(replica);
        replica.kill("SIGCONT");
      }, chaos.stopMs);
    } else replica.send({}, () => undefined);
  };

  const end = (): void => {
    isOver = true;
    for (const replica of replicas.keys()) replica.kill("SIGKILL");
  };
  onTestFinished(end);
  await Promise.all(Array.from({ length: chaos.replicas }, start));
  for (let at = 0; over.size < chaos.runs && !isOver; at += 1) {
    await delay(chaos.everyMs);
    const event = chaos.events[at % chaos.events.length];
    const isPeace = report.kills >= (chaos.mostKills ?? Infinity);
    if (event !== undefined && over.size < chaos.runs && !isPeace) await happen(event);
    for (const replica of replicas.keys()) give(replica);
  }
  end();
  const made = new Map(Object.entries(await ledger.booked()));
  for (let run = 1; run <= chaos.runs; run += 1) {
    for (const entry of words === undefined ? entriesOf(run) : entriesInWords(words, run)) {
      const times = made.get(entry) ?? 0;
      if (times > 1) report.twice.push(entry);
      if (times === 0 && canceller?.isCancelled(run) !== true) report.lost.push(entry);
    }
  }
  if (words !== undefined) report.against.push(...findAgainst(words, [...made.keys()], chaos.runs));
  if (canceller !== undefined) {
    report.against.push(...canceller.findLate([...made.keys()]));
    report.cancels = canceller.count();
  }
  report.asked = doubted.size;
  report.seconds = Math.round((performance.now() - begunAt) / 1000);
  return report;
}

function isKept(answer: { [name: string]: unknown }): boolean {
  return answer["runId"] !== undefined;
}

const STEPS = [1, 2, 3, 4, 5, 6, 7, 8];

function entriesInWords(words: string, run: number): string[] {
  const name = `${words}-${run}`;
  const paid = ["-changed", "-all", "-later"].map((entry) => `pay ${name}${entry}`);
  return [...paid, ...STEPS.map((step) => `book ${name}-step-${step}`)];
}

function resultInWords(words: string, run: number): unknown {
  return { run, made: ["ApprovalRefusedError", ...entriesInWords(words, run)] };
}

/** What a person has refused or changed, and what other projects have made. */
function findAgainst(words: string, made: readonly string[], runs: number): string[] {
  const allowed = new Set(Array.from({ length: runs }, (_, at) => entriesInWords(words, at + 1)).flat());
  return made.filter((entry) => !allowed.has(entry));
}

/** Another process of the project, which cancels runs. */
async function openCanceller(cwd: string, booked: () => Promise<{ [entry: string]: number }>, most: number) {
  const engine = await (await openProject({ cwd })).openEngine({ frozen: true });
  onTestFinished(() => engine.close());
  const runs = await engine.durableRuns();
  const open = new Map<number, string>();
  /** Its process may answer before the request for the cancellation returns. */
  const asked = new Set<number>();
  /** By run: its entries when it was cancelled. */
  const cancelled = new Map<number, ReadonlySet<string>>();
  const entriesOfRun = (run: number, entries: readonly string[]): string[] =>
    entries.filter((entry) => entry.split(" ")[1]?.split("-")[1] === String(run));
  return {
    add: (run: number, id: string) => void open.set(run, id),
    remove: (run: number) => void open.delete(run),
    isCancelled: (run: number) => asked.has(run),
    count: () => cancelled.size,
    async cancel(): Promise<void> {
      const each = [...open];
      const [run, id = ""] = each[Math.floor(Math.random() * each.length)] ?? [];
      if (run === undefined || asked.has(run) || asked.size >= most) return;
      asked.add(run);
      await runs.cancel(id);
      const made = Object.keys(await booked());
      cancelled.set(run, new Set(entriesOfRun(run, made)));
    },
    findLate: (made: readonly string[]): string[] =>
      [...cancelled].flatMap(([run, before]) => {
        const late = entriesOfRun(run, made).filter((entry) => !before.has(entry));
        return late.length > MOST_SIDE_BY_SIDE ? late : [];
      }),
  };
}

const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

/** The clock of the wall of all replicas, which is set while they run. */
async function makeClock(cwd: string) {
  const library = process.env["FAKETIME"] ?? FAKETIME;
  if (!existsSync(library))
    throw new Error(`${library} is missing: install \`faketime\`, or name its library by FAKETIME`);
  const file = join(cwd, "clock");
  await writeFile(file, "+0");
  const steps = ["+3600", "-3600", "+31536000", "-315360000", "+0"];
  let at = 0;
  return {
    env: {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1", NO_FAKE_STAT: "1" },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: "1", DONT_FAKE_MONOTONIC: "1" },
    },
    async step(): Promise<void> {
      await writeFile(file, steps[at % steps.length] ?? "+0");
      at += 1;
    },
  };
}

function entriesOf(run: number): string[] {
  const entries = [1, 2].flatMap((step) => [
    ...[`book ${run}-one-${step}`, `pay ${run}-one-${step}`, `pay ${run}-two-${step}`],
    ...[`book ${run}-many-${step}-3`, `book ${run}-many-${step}-4`, `pay ${run}-many-${step}`],
  ]);
  expect(entries).toHaveLength(ENTRIES);
  return entries;
}

async function makeLedgerProject(url: string, serve: object, job: string): Promise<string> {
  const cwd = await makeProject({
    "codemode.config.json": {
      mcpServers: { ledger: { url } },
      policy: { askEach: ["ledger/pay"] },
      limits: { timeoutMs: 120_000 },
      serve,
    },
  });
  await writeFile(join(cwd, "job.js"), job);
  expect(await runCodemode(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await runCodemode(["bundle", "job.js", "-o", "job.json"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";

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
  events: readonly ("kill" | "stop" | "restart" | (() => Promise<void>))[];
  /** How long a process is stopped. */
  stopMs: number;
  atOnce: number;
}

export interface ChaosReport {
  right: number;
  wrong: unknown[];
  /** Entries that were made more than once, or never. */
  twice: string[];
  lost: string[];
  /** Calls that a person was asked about because their answer was lost. */
  asked: number;
  kills: number;
  stops: number;
  seconds: number;
}

/** Runs scripts on replicas that are killed, stopped and restarted all the time, until each has its end, and counts what a server has done. */
export async function runChaos(chaos: Chaos): Promise<ChaosReport> {
  const ledger = await startLedger();
  const cwd = await makeLedgerProject(ledger.url, chaos.serve);
  const report: ChaosReport = { right: 0, wrong: [], twice: [], lost: [], asked: 0, kills: 0, stops: 0, seconds: 0 };
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
      PROJECT: cwd,
      LEDGER: ledger.url,
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
      const run = message["run"];
      if (typeof run !== "number") return;
      held.delete(run);
      const codes = (message["diagnostics"] as { code: string }[]).map(({ code }) => code);
      // One that is cancelled was not kept yet: its process was being ended.
      const isLeft = codes.some((code) => LEFT.has(code)) || (codes.includes("RUN_CANCELLED") && !isKept(message));
      if (isLeft) open.push(run);
      else if (!over.has(run)) {
        over.add(run);
        const expected = JSON.stringify({ run, count: CALLS, isRight: true });
        if (JSON.stringify(message["result"]) === expected) report.right += 1;
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
  const made = new Map(await ledger.booked());
  for (let run = 1; run <= chaos.runs; run += 1) {
    for (const entry of entriesOf(run)) {
      const times = made.get(entry) ?? 0;
      if (times > 1) report.twice.push(entry);
      if (times === 0) report.lost.push(entry);
    }
  }
  report.asked = doubted.size;
  report.seconds = Math.round((performance.now() - begunAt) / 1000);
  return report;
}

function isKept(answer: { [name: string]: unknown }): boolean {
  return answer["runId"] !== undefined;
}

function entriesOf(run: number): string[] {
  const entries = [1, 2].flatMap((step) => [
    ...[`book ${run}-one-${step}`, `pay ${run}-one-${step}`, `pay ${run}-two-${step}`],
    ...[`book ${run}-many-${step}-3`, `book ${run}-many-${step}-4`, `pay ${run}-many-${step}`],
  ]);
  expect(entries).toHaveLength(ENTRIES);
  return entries;
}

async function startLedger(): Promise<{ url: string; booked(): Promise<[string, number][]> }> {
  const server = fork(resolve("test/servers/ledger-http.mjs"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
  return { url, booked: async () => (await (await fetch(`${url}/booked`)).json()) as [string, number][] };
}

async function makeLedgerProject(url: string, serve: object): Promise<string> {
  const cwd = await makeProject({
    "codemode.config.json": {
      mcpServers: { ledger: { url: `${url}/mcp` } },
      policy: { askEach: ["ledger/pay"] },
      limits: { timeoutMs: 120_000 },
      serve,
    },
  });
  await writeFile(join(cwd, "job.js"), JOB);
  expect(await runCodemode(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await runCodemode(["bundle", "job.js", "-o", "job.json"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

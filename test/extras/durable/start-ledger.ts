import { readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type ConfigFile,
  type Engine,
  type EngineOptions,
  openProject,
  type RunAnswer,
  type RunOptions,
  type Script,
} from "codemode";
import { fillFolder } from "../../e2e/kept-folders.ts";
import { whenDone } from "../../e2e/share-in-file.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { openLedger } from "../../servers/ledger-http.mjs";

type Approver = (request: ApprovalRequest) => Promise<ApprovalAnswer>;

/** A server that counts what it is asked to do; see `test/servers/ledger-http.mjs`. */
export async function startLedger(delayMs?: number) {
  const server = await openLedger(delayMs);
  whenDone(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${url}/mcp`,
    /** What was booked and paid, and how often. */
    async booked(): Promise<{ [entry: string]: number }> {
      return Object.fromEntries((await (await fetch(`${url}/booked`)).json()) as [string, number][]);
    },
  };
}

/** A project with the ledger, whose durable runs are in a folder of the test. `pay` is asked about. */
export async function makeLedgerProject(url: string, settings: Partial<ConfigFile> = {}) {
  const cwd = await makeTestFolder();
  const state = join(cwd, "state");
  const open: Engine[] = [];
  whenDone(async () => {
    for (const engine of open) await engine.close();
  });
  const config = { mcpServers: { ledger: { url } }, policy: { askEach: ["ledger/pay"] }, ...settings };
  const env = { ...process.env, XDG_STATE_HOME: state };
  await fillFolder(cwd, ["a ledger", settings], async () => {
    await (await openProject({ cwd, config, env })).generate();
  });
  // The kept lockfile names the address of another ledger.
  const lockfile = join(cwd, "codemode.lock.json");
  const text = await readFile(lockfile, "utf8");
  await writeFile(lockfile, text.replace(/http:\/\/127\.0\.0\.1:\d+\/mcp/, url));
  return {
    cwd,
    /** The folder of all runs of the project. */
    runs: join(state, "codemode", "runs"),
    /** As after a restart, with what has changed of the configuration since. */
    async openEngine(options: EngineOptions = {}, changed: Partial<ConfigFile> = {}): Promise<Engine> {
      const project = await openProject({ cwd, config: { ...config, ...changed }, env });
      const engine = await project.openEngine({ drift: "refuse", ...options });
      open.push(engine);
      return engine;
    },
  };
}

export type LedgerProject = Awaited<ReturnType<typeof makeLedgerProject>>;

/** A ledger whose calls take so long, and a project with it. */
export async function startProject(settings: Partial<ConfigFile> = {}, delayMs?: number) {
  const ledger = await startLedger(delayMs);
  return { ledger, project: await makeLedgerProject(ledger.url, settings) };
}

/** An engine that tests share, with what each of them decides and sees of it. */
export async function openSharedEngine(settings?: Partial<ConfigFile>) {
  const { ledger, project } = await startProject(settings);
  let approve: Approver | undefined;
  const engine = await project.openEngine({
    approve: async (request) => (await approve?.(request)) ?? "unavailable",
  });
  const runs = await engine.durableRuns();
  return {
    ...{ project, engine, runs },
    /** For the next test: who decides, and what was booked since. */
    async forTest(approver?: Approver) {
      approve = approver;
      const before = await ledger.booked();
      const booked = async () => {
        const all = Object.entries(await ledger.booked()).map(([entry, times]) => [
          entry,
          times - (before[entry] ?? 0),
        ]);
        return Object.fromEntries(all.filter(([, times]) => times !== 0)) as { [entry: string]: number };
      };
      return { ...{ project, engine, runs }, ledger: { booked } };
    },
  };
}

/** Begins a durable run. */
export async function beginRun(
  engine: Engine,
  script: Script,
  { durable, ...options }: RunOptions & { durable: object },
) {
  let running!: Promise<RunAnswer>;
  const id = await new Promise<string>((onBegun) => {
    running = engine.run(script, { ...options, durable: { ...durable, onBegun } });
  });
  return { id, running, runs: await engine.durableRuns() };
}

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { type ConfigFile, type Engine, type EngineOptions, openProject } from "codemode";

/** A server that counts what it is asked to do; see `test/servers/ledger-http.mjs`. */
export async function startLedger(delayMs = 5) {
  const server = fork(resolve("test/servers/ledger-http.mjs"), {
    env: { ...process.env, DELAY_MS: String(delayMs) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
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
  const cwd = await mkdtemp(join(tmpdir(), "codemode-durable-"));
  const state = join(cwd, "state");
  const open: Engine[] = [];
  onTestFinished(async () => {
    for (const engine of open) await engine.close();
    await rm(cwd, { recursive: true, force: true, maxRetries: 5 });
  });
  const config = { mcpServers: { ledger: { url } }, policy: { askEach: ["ledger/pay"] }, ...settings };
  const env = { ...process.env, XDG_STATE_HOME: state };
  await (await openProject({ cwd, config, env })).generate();
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

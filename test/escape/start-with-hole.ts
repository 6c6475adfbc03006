import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { LogEntry } from "../../schemas/run/answer.ts";
import { executeRun } from "../../runtime/sandbox/pool/execute-run.ts";
import type { Ending } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { probeConfinement } from "../../runtime/sandbox/pool/confinement.ts";
import { listNodeFlags, listV8Flags, parseNodeVersion } from "../../runtime/sandbox/pool/node-flags.ts";
import { findProgramFolder } from "../../runtime/sandbox/pool/launch-plan.ts";
import { makeRunLog } from "../../runtime/sandbox/pool/run-log.ts";
import { startSandbox, type SandboxProcess } from "../../runtime/sandbox/pool/sandbox-process.ts";
import { makeToolCallDispatcher } from "../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import { findNode, type NodeMajor } from "../node-versions/find-node.ts";
import { TEST_LIMITS, toBundle } from "../sandbox/realm/run-script.ts";

export const MEMORY = 128 * 1024 * 1024;

/** Starts a sandbox with a hole made on purpose, as texts of its programs and their replacements: the layer behind must hold alone. */
export async function startWithHole(
  version: NodeMajor,
  hole: Record<string, string>,
  holeInBoot: Record<string, string> = {},
): Promise<SandboxProcess> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-layers-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(findProgramFolder(), folder, { recursive: true });
  await replaceIn(join(folder, "realm.js"), hole);
  await replaceIn(join(folder, "main.js"), holeInBoot);

  const nodeVersion = parseNodeVersion(`${version}.20.0`);
  const flags = [...listV8Flags(MEMORY, nodeVersion), ...listNodeFlags(nodeVersion, [`${folder}/`])];
  const sandbox = startSandbox({
    confinement: await probeConfinement(findNode(version)),
    words: [findNode(version), ...flags, join(folder, "boot.cjs"), ""],
    maxMemoryBytes: MEMORY,
    maxCpuSeconds: 30,
  });
  onTestFinished(() => sandbox.kill());
  await sandbox.ready;
  return sandbox;
}

async function replaceIn(file: string, hole: Record<string, string>): Promise<void> {
  let program = await readFile(file, "utf8");
  for (const [whole, holed] of Object.entries(hole)) {
    expect(program.split(whole)).toHaveLength(2);
    program = program.replace(whole, () => holed);
  }
  await writeFile(file, program);
}

/** Runs one script in a sandbox, whose calls are answered with `null` and counted. */
export async function executeScript(
  sandbox: SandboxProcess,
  script: string,
): Promise<{ ending: Ending; logs: LogEntry[]; calls: number }> {
  let calls = 0;
  const handleCall = async () => {
    calls += 1;
    return { ok: true as const, value: null };
  };
  const log = makeRunLog(10_000, (message) => message, undefined);
  const dispatcher = makeToolCallDispatcher(handleCall, 10);
  const ending = await executeRun({
    sandbox,
    bundle: toBundle(script),
    input: null,
    limits: TEST_LIMITS,
    log,
    dispatcher,
    signal: undefined,
  });
  return { ending, logs: log.entries, calls };
}

/** Runs a script in a sandbox with a hole: see `startWithHole`. */
export async function runWithHole(
  version: NodeMajor,
  hole: Record<string, string>,
  script: string,
  holeInBoot: Record<string, string> = {},
): Promise<Ending> {
  return (await executeScript(await startWithHole(version, hole, holeInBoot), script)).ending;
}

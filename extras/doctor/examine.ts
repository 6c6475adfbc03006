import { homedir } from "node:os";
import { assertSandboxTrusted, ProjectUntrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../schemas/config/config.ts";
import { DOCTOR_VERSION, type DoctorReport, type DoctorSection, type Finding } from "./doctor-report.ts";
import { DEFAULT_LIMITS } from "../../schemas/run/answer.ts";
import { VERSION } from "../../schemas/version.ts";
import { findServer } from "../../engine/project/config/find-server.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import { judgeFacts } from "./judge-facts.ts";
import { probeClients } from "./probes/probe-clients.ts";
import { type ConfigurationPlace, probeConfiguration } from "./probes/probe-configuration.ts";
import { probeFolders } from "./probes/probe-folders.ts";
import { probeGenerated, probeLockfile } from "./probes/probe-lockfile.ts";
import { probeMachine } from "./probes/probe-machine.ts";
import { probeRoom } from "./probes/probe-room.ts";
import { probeRun } from "./probes/probe-run.ts";
import { probeSandbox, type SandboxFacts, type SandboxProbeOptions } from "./probes/probe-sandbox.ts";
import { probeServers } from "./probes/probe-servers.ts";

/** What to look at. */
export interface Examination extends ConfigurationPlace {
  /** Ids or names of servers; all without any. */
  servers: readonly string[];
  signal: AbortSignal;
  /** Reports the servers that are awaited. */
  onProgress?: OnProgress | undefined;
}

/** Looks at everything that has to work, changes nothing of it, and goes on where something does not. */
export async function examine(examination: Examination): Promise<DoctorReport> {
  const configuration = await probeConfiguration(examination);
  const config = configuration.ok ? configuration.config : undefined;
  const folder = configuration.ok ? configuration.config.folder : configuration.folder;
  const chosen = config === undefined ? [] : chooseServers(config, examination.servers);
  const { timeoutMs, maxMemoryBytes } = config?.limits ?? DEFAULT_LIMITS;

  // One after the other: what runs beside them would be measured with them.
  const limits = { maxMemoryBytes, maxCpuSeconds: Math.ceil(timeoutMs / 1000) + 5 };
  const sandbox = await probeTrusted(limits, config);
  const run = await probeRun(folder);
  const locked = await probeLockfile(folder);
  const lockfile = locked.state === "ok" ? locked.lockfile : undefined;
  const places = { folder, home: homedir(), platform: process.platform, env: process.env };
  const { signal, onProgress = () => undefined } = examination;
  const [servers, clients] = await Promise.all([
    config === undefined ? [] : probeServers({ config, servers: chosen, lockfile, onProgress, signal }),
    probeClients(places, config),
  ]);

  const sections = judgeFacts({
    ...{ configuration, config, sandbox, run, locked, lockfile, servers, clients },
    machine: probeMachine(),
    room: probeRoom(),
    generated: config && lockfile && (await probeGenerated(config, lockfile)),
    folders: probeFolders(folder),
  });
  return toReport(sections);
}

/** A command that has no approval yet is not started. */
async function probeTrusted(limits: SandboxProbeOptions, config: Config | undefined): Promise<SandboxFacts> {
  if (config?.sandbox.command === undefined) return probeSandbox(limits);
  try {
    assertSandboxTrusted(config);
  } catch (error) {
    if (!(error instanceof ProjectUntrusted)) throw error;
    return { hasStarted: false, failure: error.message, hint: error.hint };
  }
  return probeSandbox({ ...limits, command: config.sandbox.command });
}

function chooseServers(config: Config, names: readonly string[]): Config["servers"] {
  return names.length === 0 ? config.servers : names.map((name) => findServer(config, name));
}

/** Counts, and leaves out sections without findings. */
function toReport(sections: readonly DoctorSection[]): DoctorReport {
  const found = sections.filter(({ findings }) => findings.length > 0);
  const statuses = found.flatMap(({ findings }) => findings.map(({ status }) => status));
  const count = (status: Finding["status"]): number => statuses.filter((one) => one === status).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const status = problems > 0 ? "problem" : warnings > 0 ? "warning" : "ok";
  return { doctorVersion: DOCTOR_VERSION, codemodeVersion: VERSION, status, problems, warnings, sections: found };
}

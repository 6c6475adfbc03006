import { homedir } from "node:os";
import { assertSandboxTrusted, ProjectUntrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../schemas/config/config.ts";
import { DOCTOR_VERSION, type DoctorReport, type DoctorSection, type Finding } from "./doctor-report.ts";
import { DEFAULT_LIMITS } from "../../schemas/run/answer.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { VERSION } from "../../schemas/version.ts";
import { findServer } from "../../engine/project/config/find-server.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import { evaluateClients } from "./findings/client-findings.ts";
import { evaluateConfiguration } from "./findings/configuration-findings.ts";
import { evaluateFolders } from "./findings/folder-findings.ts";
import { evaluateGenerated, evaluateLockedServers, evaluateLockfile } from "./findings/lockfile-findings.ts";
import { evaluateMachine } from "./findings/machine-findings.ts";
import { evaluatePolicy } from "./findings/policy-findings.ts";
import { evaluateRoom } from "./findings/room-findings.ts";
import { evaluateRun } from "./findings/run-findings.ts";
import { evaluateSandbox } from "./findings/sandbox-findings.ts";
import { evaluateServers } from "./findings/server-findings.ts";
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

  const machine = probeMachine();
  const room = config === undefined ? [] : [evaluateRoom(config, machine, probeRoom())];
  return toReport([
    { id: "machine", title: "Machine", findings: [...evaluateMachine(machine), ...room] },
    { id: "sandbox", title: "Sandbox", findings: evaluateSandbox(sandbox) },
    { id: "run", title: "A run", findings: evaluateRun(run) },
    { id: "configuration", title: "Configuration", findings: evaluateConfiguration(configuration) },
    {
      id: "lockfile",
      title: "Lockfile",
      findings:
        configuration.ok || locked.state !== "missing"
          ? [...evaluateLockfile(locked), ...(await evaluateFollowers(config, lockfile))]
          : [],
    },
    { id: "servers", title: "Servers", findings: evaluateServers(servers) },
    {
      id: "policy",
      title: "Policy",
      findings: config === undefined || lockfile === undefined ? [] : evaluatePolicy(config, lockfile),
    },
    { id: "clients", title: "Clients", findings: evaluateClients(clients) },
    { id: "caches", title: "Folders", findings: evaluateFolders(probeFolders(folder)) },
  ]);
}

/** What follows from a configuration and a lockfile, where both are right. */
async function evaluateFollowers(config: Config | undefined, lockfile: Lockfile | undefined): Promise<Finding[]> {
  if (config === undefined || lockfile === undefined) return [];
  return [...evaluateLockedServers(config, lockfile), ...evaluateGenerated(await probeGenerated(config, lockfile))];
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

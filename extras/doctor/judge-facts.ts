import type { Config } from "../../schemas/config/config.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { DoctorSection, Finding } from "./doctor-report.ts";
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

/** What the probes have found. */
export interface Facts {
  machine: Parameters<typeof evaluateMachine>[0];
  room: Parameters<typeof evaluateRoom>[2];
  sandbox: Parameters<typeof evaluateSandbox>[0];
  run: Parameters<typeof evaluateRun>[0];
  configuration: Parameters<typeof evaluateConfiguration>[0];
  /** Undefined where there is none, or it is wrong. */
  config: Config | undefined;
  locked: Parameters<typeof evaluateLockfile>[0];
  /** Undefined where there is none, or it is wrong. */
  lockfile: Lockfile | undefined;
  /** Undefined without a configuration and a lockfile. */
  generated: Parameters<typeof evaluateGenerated>[0] | undefined;
  servers: Parameters<typeof evaluateServers>[0];
  clients: Parameters<typeof evaluateClients>[0];
  folders: Parameters<typeof evaluateFolders>[0];
}

/** The findings, in the order in which the report has them. */
export function judgeFacts(facts: Facts): DoctorSection[] {
  const { machine, room, sandbox, run, configuration, config, locked, lockfile, servers, clients, folders } = facts;
  const rooms = config === undefined ? [] : [evaluateRoom(config, machine, room)];
  return [
    { id: "machine", title: "Machine", findings: [...evaluateMachine(machine), ...rooms] },
    { id: "sandbox", title: "Sandbox", findings: evaluateSandbox(sandbox) },
    { id: "run", title: "A run", findings: evaluateRun(run) },
    { id: "configuration", title: "Configuration", findings: evaluateConfiguration(configuration) },
    {
      id: "lockfile",
      title: "Lockfile",
      findings:
        configuration.ok || locked.state !== "missing"
          ? [...evaluateLockfile(locked), ...evaluateFollowers(facts)]
          : [],
    },
    { id: "servers", title: "Servers", findings: evaluateServers(servers) },
    {
      id: "policy",
      title: "Policy",
      findings: config === undefined || lockfile === undefined ? [] : evaluatePolicy(config, lockfile),
    },
    { id: "clients", title: "Clients", findings: evaluateClients(clients) },
    { id: "caches", title: "Folders", findings: evaluateFolders(folders) },
  ];
}

/** What follows from a configuration and a lockfile, where both are right. */
function evaluateFollowers({ config, lockfile, generated }: Facts): Finding[] {
  if (config === undefined || lockfile === undefined || generated === undefined) return [];
  return [...evaluateLockedServers(config, lockfile), ...evaluateGenerated(generated)];
}

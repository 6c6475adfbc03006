import { homedir } from "node:os";
import { findServer } from "../../engine/project/config/find-server.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import { VERSION } from "../../schemas/version.ts";
import { lookAtClients } from "./clients.ts";
import { type ConfigurationPlace, lookAtConfiguration } from "./configuration.ts";
import { DOCTOR_VERSION, type DoctorReport, type DoctorSection, type Finding } from "./doctor-report.ts";
import { lookAtFolders } from "./folders.ts";
import { lookAtFollowers, lookAtLockfile } from "./lockfile.ts";
import { lookAtMachine } from "./machine.ts";
import { evaluatePolicy } from "./policy.ts";
import { lookAtRun } from "./run.ts";
import { lookAtSandbox } from "./sandbox-findings.ts";
import { lookAtServers } from "./servers.ts";

/** What to look at. */
export interface Examination extends ConfigurationPlace {
  /** Ids or names of servers; all without any. */
  servers: readonly string[];
  signal: AbortSignal;
  /** Reports the servers that are awaited. */
  onProgress?: OnProgress | undefined;
}

/** What all areas may ask for: configuration and lockfile, each undefined where there is none or it is wrong. */
type Known = Awaited<ReturnType<typeof readProject>>;

interface Area extends Omit<DoctorSection, "findings"> {
  look(known: Known): Finding[] | Promise<Finding[]>;
}

/** Everything that is looked at, in the order of the report; an area without findings is left out of it. */
const AREAS: readonly Area[] = [
  { id: "machine", title: "Machine", look: ({ config }) => lookAtMachine(config) },
  { id: "sandbox", title: "Sandbox", look: ({ config }) => lookAtSandbox(config) },
  { id: "run", title: "A run", look: ({ folder }) => lookAtRun(folder) },
  { id: "configuration", title: "Configuration", look: ({ configuration }) => configuration },
  {
    id: "lockfile",
    title: "Lockfile",
    async look({ config, lockfile, locked, isLockMissing }) {
      if (config === undefined && isLockMissing) return [];
      return [locked, ...(config && lockfile ? await lookAtFollowers(config, lockfile) : [])];
    },
  },
  { id: "servers", title: "Servers", look: ({ config, ...known }) => (config ? lookAtServers(config, known) : []) },
  {
    id: "policy",
    title: "Policy",
    look: ({ config, lockfile }) => (config && lockfile ? evaluatePolicy(config, lockfile) : []),
  },
  {
    id: "clients",
    title: "Clients",
    look: ({ config, folder }) =>
      lookAtClients({ folder, home: homedir(), platform: process.platform, env: process.env }, config),
  },
  { id: "caches", title: "Folders", look: ({ folder }) => lookAtFolders(folder) },
];

/** Looks at everything that has to work, changes nothing of it, and goes on where something does not. */
export async function examine(examination: Examination): Promise<DoctorReport> {
  const known = await readProject(examination);
  const sections: DoctorSection[] = [];
  for (const { id, title, look } of AREAS) {
    // oxlint-disable-next-line no-await-in-loop -- what runs beside a sandbox would be measured with it
    const findings = await look(known);
    if (findings.length > 0) sections.push({ id, title, findings });
  }
  const statuses = sections.flatMap(({ findings }) => findings.map(({ status }) => status));
  const [problems = 0, warnings = 0] = ["problem", "warning"].map(
    (status) => statuses.filter((one) => one === status).length,
  );
  const status = problems > 0 ? "problem" : warnings > 0 ? "warning" : "ok";
  return { doctorVersion: DOCTOR_VERSION, codemodeVersion: VERSION, status, problems, warnings, sections };
}

async function readProject({ servers: names, signal, onProgress = () => undefined, ...place }: Examination) {
  const { config, folder, findings: configuration } = await lookAtConfiguration(place);
  const servers =
    config === undefined || names.length === 0
      ? (config?.servers ?? [])
      : names.map((name) => findServer(config, name));
  return { config, folder, configuration, servers, signal, onProgress, ...(await lookAtLockfile(folder)) };
}

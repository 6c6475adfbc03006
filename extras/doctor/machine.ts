import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import gte from "semver/functions/gte.js";
import valid from "semver/functions/valid.js";
import type { Config } from "../../schemas/config/config.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { OLDEST_NODE } from "../../schemas/oldest-node.ts";
import { countOf } from "../../schemas/text/count-of.ts";
import { type Finding, ok, printBytes, problem, toFinding, warning } from "./doctor-report.ts";

interface Memory {
  memoryBytes: number;
  /** The limit of a control group, where there is one below the memory of the machine. */
  memoryLimitBytes?: number | undefined;
}

/** Reads what Node and the system say of this machine. */
export function lookAtMachine(config: Config | undefined): Finding[] {
  const { platform, arch: architecture } = process;
  const [cores, isContainer] = [availableParallelism(), looksLikeContainer()];
  const [memoryBytes, limit] = [totalmem(), process.constrainedMemory()];
  const memory = { memoryBytes, memoryLimitBytes: limit > 0 && limit < memoryBytes ? limit : undefined };
  const found = `${platform} ${architecture}, ${countOf(cores, "core")}${isContainer ? ", in a container" : ""}`;
  return [
    toFinding("machine.platform", "platform", ok(found), { platform, architecture, cores, isContainer }),
    evaluateMemory(memory),
    evaluateNode(process.version),
    ...(config === undefined ? [] : [evaluateRoom(config, memory, readRoom())]),
  ];
}

/** Engines leave a file, and control groups a name. */
function looksLikeContainer(): boolean {
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv")) return true;
  return /docker|kubepods|containerd|libpod|lxc/.test(readText("/proc/1/cgroup"));
}

/** Below this, a sandbox and two servers leave little for anything else. */
const LITTLE_MEMORY_BYTES = 512 * 1024 * 1024;

function evaluateMemory({ memoryBytes, memoryLimitBytes }: Memory): Finding {
  const usable = memoryLimitBytes ?? memoryBytes;
  const limited = memoryLimitBytes === undefined ? "" : `, of which this process may use ${printBytes(usable)}`;
  const found = `${printBytes(memoryBytes)}${limited}`;
  const isEnough = usable >= LITTLE_MEMORY_BYTES;
  const verdict = isEnough ? ok(found) : warning(found, "Give it more memory, or lower limits.maxMemoryBytes.");
  return toFinding("machine.memory", "memory", verdict, withoutUndefined({ memoryBytes, memoryLimitBytes }));
}

const OLDEST = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}.${OLDEST_NODE.patch}`;

function evaluateNode(nodeVersion: string): Finding {
  const isSupported = valid(nodeVersion) !== null && gte(nodeVersion, OLDEST);
  const verdict = isSupported
    ? ok(`${nodeVersion} is supported`)
    : problem(`${nodeVersion} is older than ${OLDEST}`, `Install Node ${OLDEST} or later.`);
  return toFinding("machine.node", "Node", verdict, { nodeVersion, isSupported });
}

/** How many processes and threads may be together, by what limits them. Empty where nothing does, or it cannot be read. */
type Room = readonly { by: string; threads: number }[];

/** Reads the limits in force; Linux only. */
function readRoom(): Room {
  const group = /^0::(.*)$/m.exec(readText("/proc/self/cgroup"))?.[1] ?? "";
  const oldGroup = /^\d+:pids:(.*)$/m.exec(readText("/proc/self/cgroup"))?.[1] ?? "";
  const files = [
    `/sys/fs/cgroup${group}/pids.max`,
    `/sys/fs/cgroup/pids${oldGroup}/pids.max`,
    // Within a container its own group is the root of what it sees.
    "/sys/fs/cgroup/pids.max",
    "/sys/fs/cgroup/pids/pids.max",
  ];
  const ofGroup = files.map((file) => Number.parseInt(readText(file), 10)).filter(Number.isSafeInteger);
  const ofUser = Number(/^Max processes\s+(\d+)/m.exec(readText("/proc/self/limits"))?.[1]);
  return [
    ...(ofGroup.length > 0 ? [{ by: "pids.max of the control group", threads: Math.min(...ofGroup) }] : []),
    ...(Number.isSafeInteger(ofUser) ? [{ by: "ulimit -u", threads: ofUser }] : []),
  ];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const MIB = 1024 * 1024;
/** Measured: `serve` without servers and runs, what a Node server over stdio takes, and what a run that fills some memory takes. */
const BASE = { threads: 43, bytes: 178 * MIB };
const SERVER = { threads: 11, bytes: 25.6 * MIB };
const RUN = { threads: 5, bytes: 45 * MIB };

/** Holds what all servers and runs of `serve` take at the same time against the limits in force. */
export function evaluateRoom(
  { servers, serve }: Pick<Config, "servers" | "serve">,
  { memoryBytes, memoryLimitBytes }: Memory,
  room: Room,
): Finding {
  const programs = servers.filter(({ source }) => source.transport === "stdio").length;
  const runs = serve.queue.maxRunning;
  const threads = BASE.threads + programs * SERVER.threads + runs * RUN.threads;
  const bytes = Math.round(BASE.bytes + programs * SERVER.bytes + runs * RUN.bytes);
  const usable = memoryLimitBytes ?? memoryBytes;
  const exceeded = [
    ...room.flatMap((limit) => (limit.threads < threads ? [`${limit.by} is ${limit.threads}`] : [])),
    ...(usable < bytes ? [`the memory is ${printBytes(usable)}`] : []),
  ].join(", and ");
  const found = `${countOf(programs, "server")} over stdio and ${countOf(runs, "run")} take about ${countOf(threads, "thread")} and ${printBytes(bytes)}`;
  const hint =
    "Raise the limit, set `idleMs` of servers that are seldom used, or run servers apart behind Streamable HTTP.";
  const verdict = exceeded === "" ? ok(found) : warning(`${found}; ${exceeded}`, hint);
  return toFinding("machine.room", "room", verdict, { programs, runs, threads, bytes });
}

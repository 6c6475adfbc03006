import type { Config } from "../../../schemas/config/config.ts";
import type { Finding } from "../doctor-report.ts";
import type { MachineFacts } from "../probes/probe-machine.ts";
import type { RoomFacts } from "../probes/probe-room.ts";
import { printBytes } from "./print-amounts.ts";

const MIB = 1024 * 1024;
/** Measured: `serve` without servers and runs, what a Node server over stdio takes, and what a run that fills some memory takes. */
const BASE = { threads: 43, bytes: 178 * MIB };
const SERVER = { threads: 11, bytes: 25.6 * MIB };
const RUN = { threads: 5, bytes: 45 * MIB };

/** Holds what all servers and runs of `serve` take at the same time against the limits in force. */
export function evaluateRoom(
  { servers, serve }: Pick<Config, "servers" | "serve">,
  { memoryBytes, memoryLimitBytes }: Pick<MachineFacts, "memoryBytes" | "memoryLimitBytes">,
  room: RoomFacts,
): Finding {
  const programs = servers.filter(({ source }) => source.transport === "stdio").length;
  const runs = serve.queue.maxRunning;
  const threads = BASE.threads + programs * SERVER.threads + runs * RUN.threads;
  const bytes = Math.round(BASE.bytes + programs * SERVER.bytes + runs * RUN.bytes);
  const usable = memoryLimitBytes ?? memoryBytes;
  const exceeded = [
    ...room.flatMap((limit) => (limit.threads < threads ? [`${limit.by} is ${limit.threads}`] : [])),
    ...(usable < bytes ? [`the memory is ${printBytes(usable)}`] : []),
  ];
  const finding = {
    id: "machine.room",
    subject: "room",
    found: `${programs} servers over stdio and ${runs} runs take about ${threads} threads and ${printBytes(bytes)}`,
    facts: { programs, runs, threads, bytes },
  };
  if (exceeded.length === 0) return { ...finding, status: "ok" };
  return {
    ...finding,
    status: "warning",
    found: `${finding.found}; ${exceeded.join(", and ")}`,
    hint: "Raise the limit, set `idleMs` of servers that are seldom used, or run servers apart behind Streamable HTTP.",
  };
}

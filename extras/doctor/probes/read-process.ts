import { readFileSync, readlinkSync } from "node:fs";
import { readResidentBytes } from "../../../runtime/sandbox/pool/process-memory.ts";

/** What the kernel says of a running sandbox. Each is absent where it cannot be read. */
export interface ProcessFacts {
  /** The namespaces that it does not share with this process. */
  ownNamespaces?: string[] | undefined;
  /** The network interfaces that it can see. */
  interfaces?: string[] | undefined;
  hasNoNewPrivileges?: boolean | undefined;
  /** Limits as the kernel names them; undefined is none. */
  limits?: ReadonlyMap<string, number | undefined>;
  /** How many bytes its environment has. */
  environmentBytes?: number | undefined;
  residentBytes: number;
}

const NAMESPACES = ["net", "user", "ipc", "uts"];

/** Reads it from /proc; Linux only. */
export function readProcess(pid: number): ProcessFacts {
  const file = (name: string): string => readFileSync(`/proc/${pid}/${name}`, "utf8");
  const link = (process: number | "self", name: string): string => readlinkSync(`/proc/${process}/ns/${name}`);
  return {
    residentBytes: readResidentBytes(pid),
    ...ifReadable("ownNamespaces", () => NAMESPACES.filter((name) => link(pid, name) !== link("self", name))),
    ...ifReadable("interfaces", () => [...file("net/dev").matchAll(/^\s*(\S+?):/gm)].map(([, name]) => name as string)),
    ...ifReadable("hasNoNewPrivileges", () => /^NoNewPrivs:\s*1$/m.test(file("status"))),
    ...ifReadable("limits", () => parseLimits(file("limits"))),
    ...ifReadable("environmentBytes", () => file("environ").length),
  };
}

function ifReadable<Name extends string, Value>(name: Name, read: () => Value): { [key in Name]?: Value } {
  try {
    return { [name]: read() } as { [key in Name]: Value };
  } catch {
    return {};
  }
}

/** Reads the columns of `/proc/PID/limits`: name, soft limit, hard limit, unit. */
export function parseLimits(text: string): Map<string, number | undefined> {
  const rows = text.matchAll(/^(Max [a-z ]+?)\s{2,}(\d+|unlimited)\s/gm);
  return new Map([...rows].map(([, name, soft]) => [name as string, soft === "unlimited" ? undefined : Number(soft)]));
}

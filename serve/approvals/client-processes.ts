import { readFileSync } from "node:fs";

// An agent's shell is a child of its client, as the process that serves it is. A person's own terminal is not.

interface ProcessFacts {
  parent: number;
  session: number;
}

/** More than there are between a process and the first one. */
const MOST_ANCESTORS = 64;

/**
 * The processes of the client that started this one: those above it, up to the first session that holds another process than this one, and
 * all of that session. Empty where the system does not say (only Linux does).
 */
export function findClientProcesses(pid = process.pid): number[] {
  const own = factsOf(pid);
  const found: number[] = [];
  let session: number | undefined;
  for (let above = own?.parent ?? 0; above > 1 && found.length < MOST_ANCESTORS;) {
    const facts = factsOf(above);
    if (facts === undefined || (session !== undefined && facts.session !== session)) break;
    session = facts.session;
    found.push(above);
    above = facts.parent;
  }
  return found;
}

/** Whether a process is one of these, or below one of them. */
export function isBelow(processes: readonly number[], pid = process.pid): boolean {
  for (let each = pid, steps = 0; each > 1 && steps < MOST_ANCESTORS; steps += 1) {
    if (processes.includes(each)) return true;
    each = factsOf(each)?.parent ?? 0;
  }
  return false;
}

/** The name of a program is in brackets and may hold any character (proc(5), `/proc/PID/stat`). */
function factsOf(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), session: Number(session) };
  } catch {
    return undefined;
  }
}

import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isRunning } from "./is-running.ts";
import { MACHINE } from "./process-owner.ts";

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0").slice(-digits);

/** Process ids mean nothing on another machine, or in another container, that shares the folder, and after a restart. */
const MACHINE_HERE = MACHINE.slice(0, 4);
const PROCESS = hex(process.pid, 6);
/** Machine, process, and number of the draft. */
const DRAFT = /\.([0-9a-f]{4})([0-9a-f]{6})[0-9a-f]{2}\.tmp$/;
/** A draft of another machine that is older is of a process that was killed. */
const DRAFT_MS = 60_000;

let count = 0;

/** The name of a file that is being written. It is in the same folder, since only there a rename is one step. */
export function draftOf(file: string): string {
  count += 1;
  return `${file}.${MACHINE_HERE}${PROCESS}${hex(count, 2)}.tmp`;
}

/** Whether a file is a draft that no process is writing any more: it was killed. */
export function isLeftDraft(name: string, modifiedMs: number): boolean {
  const [, machine, id = ""] = DRAFT.exec(name) ?? [];
  if (machine === undefined) return false;
  return Date.now() - modifiedMs > DRAFT_MS || (machine === MACHINE_HERE && !isRunning(parseInt(id, 16)));
}

/** Removes what killed processes have left of a file that they were writing. Where that is not possible, it stays. */
export async function removeLeftDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  const drafts = names.filter((name) => name.startsWith(`${basename(file)}.`) && DRAFT.test(name));
  for (const draft of drafts.map((name) => join(folder, name))) {
    const modifiedMs = await lstat(draft).then(
      (stats) => stats.mtimeMs,
      () => undefined,
    );
    if (modifiedMs !== undefined && isLeftDraft(draft, modifiedMs)) await rm(draft).catch(() => undefined);
  }
}

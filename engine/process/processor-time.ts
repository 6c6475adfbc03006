import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** How a process spent more than it may, or that it does nothing at all. */
export type Overtime = "spent" | "idle";

/** The first look; what it has used by then is not counted, so that a short question costs no look. */
const FIRST_LOOK_MS = 100;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** A process that has used no processor for so long waits for something that does not come. */
const IDLE_MS = 20_000;

/**
 * Watches a process by the processor time that it uses, which other processes of a busy machine do not make longer. Where the system does not say it, the
 * clock counts instead. Gives the function that ends the watch.
 */
export function watchProcessorTime(
  pid: number | undefined,
  maxMs: number,
  onOver: (why: Overtime) => void,
): () => void {
  let timer = setTimeout(look, FIRST_LOOK_MS);
  let before: number | undefined;
  let last = { spent: 0, at: performance.now() };
  return () => clearTimeout(timer);

  function look(): void {
    const spent = readProcessorTime(pid) ?? performance.now();
    before ??= spent;
    if (spent > last.spent) last = { spent, at: performance.now() };
    const left = before + maxMs - spent;
    if (left <= 0) return onOver("spent");
    if (performance.now() - last.at >= IDLE_MS) return onOver("idle");
    timer = setTimeout(look, Math.min(Math.max(left, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** Processor time of a process so far, in milliseconds; undefined where the system does not say it. */
export function readProcessorTime(pid: number | undefined, platform = process.platform): number | undefined {
  if (pid === undefined) return undefined;
  try {
    if (platform === "linux") return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
    if (platform !== "darwin") return undefined;
    return parseCpuTime(execFileSync("/bin/ps", ["-o", "cputime=", "-p", String(pid)], { encoding: "utf8" }));
  } catch {
    return undefined;
  }
}

/** The kernel counts for programs in hundredths of a second. */
const TICK_MS = 10;

/** Of `/proc/PID/stat`; the name of the program, in parentheses, may hold anything. */
function parseStat(text: string): number | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
}

/** Of `ps`, such as `1-02:03:04` or `3:04.56`. */
export function parseCpuTime(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes = 0, seconds] =
    /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

import type { Progress } from "./pipeline/progress.ts";
import { oneLine } from "./report.ts";

const BAR_WIDTH = 20;
const MOST_NAMES = 3;
/** Before that, a rate is a guess. */
const RATE_AFTER = 3;

/** One line without colours: `Locking [#####---------------] 2 of 8, waiting for github, slack`. At most so many characters wide. */
export function printProgress(
  label: string,
  progress: Progress,
  { elapsedMs, width }: { elapsedMs: number; width: number },
): string {
  const { done, total, failed = 0, waiting = [] } = progress;
  const filled = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * done) / total);
  const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]`;
  const parts = [
    `${done} of ${total}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...printRate(progress, elapsedMs),
    ...(waiting.length === 0 ? [] : [`waiting for ${printNames(waiting)}`]),
  ];
  return oneLine(`${label} ${bar} ${parts.join(", ")}`).slice(0, Math.max(width, 0));
}

/** Only of many equal parts, not of servers, which have names. */
function printRate({ done, total, waiting }: Progress, elapsedMs: number): string[] {
  if (waiting !== undefined || done < RATE_AFTER || elapsedMs <= 0) return [];
  const perSecond = (1000 * done) / elapsedMs;
  const left = (total - done) / perSecond;
  const rate = perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1);
  return [`${rate}/s`, ...(done === total ? [] : [`${printSeconds(left)} left`])];
}

function printSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function printNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

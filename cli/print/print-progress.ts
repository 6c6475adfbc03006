import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Progress } from "../../schemas/progress.ts";

const BAR_WIDTH = 20;
const MOST_NAMES = 3;
const MOST_LOGGED_NAMES = 10;
/** Before that, a rate is a guess. */
const RATE_AFTER = 3;

/** One line without colours: `Locking [#####---------------] 2 of 8, waiting for github, slack`. At most so many characters wide. */
export function printProgress(
  label: string,
  progress: Progress,
  { elapsedMs, width }: { elapsedMs: number; width: number },
): string {
  const { done, total, text } = progress;
  const filled = total === 0 ? BAR_WIDTH : Math.floor((BAR_WIDTH * done) / total);
  const bar = text !== undefined && total === 0 ? ":" : ` [${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]`;
  return oneLine(`${label}${bar} ${printParts(progress, elapsedMs, MOST_NAMES)}`).slice(0, Math.max(width, 0));
}

/** The same for a log, in which every line stays: `Locking: 2 of 8, waiting for github, slack`. */
export function printProgressLine(label: string, progress: Progress, elapsedMs: number): string {
  return oneLine(`${label}: ${printParts(progress, elapsedMs, MOST_LOGGED_NAMES)}`);
}

function printParts(progress: Progress, elapsedMs: number, mostNames: number): string {
  const { done, total, failed = 0, waiting = [], text } = progress;
  if (text !== undefined) return text;
  const parts = [
    `${done} of ${total}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...printRate(progress, elapsedMs),
    ...(waiting.length === 0 ? [] : [`waiting for ${printNames(waiting, mostNames)}`]),
  ];
  return parts.join(", ");
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

function printNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

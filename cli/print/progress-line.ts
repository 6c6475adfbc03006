import type { OnProgress, Progress } from "../../schemas/progress.ts";
import type { Output } from "./report.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";

/** Progress of long work on a terminal. */
export interface ProgressLine {
  /** Whether anybody sees it. */
  readonly isShown: boolean;
  update: OnProgress;
  /** Takes the line away while something else has the terminal: a question to the user. */
  pause<Value>(during: () => Promise<Value>): Promise<Value>;
  end(): void;
}

/** Opens a line for some work. `isQuiet` is for output that programs read. */
export type ShowProgress = (label: string, isQuiet?: boolean) => ProgressLine;

/** What progress is shown on. */
export interface ProgressScreen {
  stream: Pick<NodeJS.WriteStream, "columns" | "isTTY" | "write">;
  env: NodeJS.ProcessEnv;
  /** Once aborted, nothing is shown any more. */
  signal: AbortSignal;
}

/** Short work is done before anybody wonders. */
const FIRST_AFTER_MS = 300;
const EVERY_MS = 120;
/** In a log a line stays: the first only where work takes unusually long, the next ones rarely. */
const LOGGED_AFTER_MS = 10_000;
const LOGGED_EVERY_MS = 15_000;
const USUAL_COLUMNS = 80;
const ERASE_LINE = "\r\u001b[K";
const SILENCE: ProgressLine = {
  isShown: false,
  update: () => undefined,
  pause: (during) => during(),
  end: () => undefined,
};

/**
 * Shares a terminal between permanent lines and one progress line, which is removed before anything else is printed. Without an interactive
 * terminal (pipes, CI, a terminal without a cursor), or with progress turned off, long work prints an occasional plain line.
 */
export function shareTerminal(output: Output, screen: ProgressScreen): { output: Output; showProgress: ShowProgress } {
  if (!isForPeople(screen)) {
    return { output, showProgress: (label, isQuiet = false) => (isQuiet ? SILENCE : openLog(label, output)) };
  }
  const painter = makePainter(screen);
  return {
    output: {
      result(text) {
        painter.erase();
        output.result(text);
      },
      note(text) {
        painter.erase();
        output.note(text);
      },
    },
    showProgress: (label, isQuiet = false) => (isQuiet ? SILENCE : openLine(label, painter)),
  };
}

/** Whether the output is a terminal that can erase a line, and plain output was not requested. */
export function isForPeople({ stream, env }: Pick<ProgressScreen, "env" | "stream">): boolean {
  const isSet = (name: string): boolean => !["", "0", "false", undefined].includes(env[name]);
  return stream.isTTY && env["TERM"] !== "dumb" && !isSet("CI") && (env["NO_COLOR"] ?? "") === "";
}

type Painter = ReturnType<typeof makePainter>;

/** Knows whether a line is on the screen. */
function makePainter({ stream, signal }: ProgressScreen) {
  let isPainted = false;
  const erase = (): void => {
    if (isPainted) stream.write(ERASE_LINE);
    isPainted = false;
  };
  signal.addEventListener("abort", erase, { once: true });
  return {
    paint(text: string): void {
      if (signal.aborted) return;
      stream.write(ERASE_LINE + text);
      isPainted = true;
    },
    erase,
    // Terminals that do not know their width say 0.
    columns: () => (stream.columns > 0 ? stream.columns : USUAL_COLUMNS),
  };
}

function openLine(label: string, painter: Painter): ProgressLine {
  const startedAt = performance.now();
  let paintedAt = startedAt + FIRST_AFTER_MS - EVERY_MS;
  let progress: Progress | undefined;
  let pauses = 0;
  const paint = (): void => {
    const now = performance.now();
    if (progress === undefined || pauses > 0 || now - paintedAt < EVERY_MS) return;
    paintedAt = now;
    // A line that is as wide as the screen would wrap, and could not be taken back.
    painter.paint(printProgress(label, progress, { elapsedMs: now - startedAt, width: painter.columns() - 1 }));
  };
  const interval = setInterval(paint, EVERY_MS).unref();
  return {
    isShown: true,
    update(next) {
      progress = next;
      paint(); // Work that never lets a timer have its turn is shown all the same.
    },
    async pause(during) {
      pauses += 1;
      painter.erase();
      try {
        return await during();
      } finally {
        pauses -= 1;
      }
    },
    end() {
      clearInterval(interval);
      progress = undefined;
      painter.erase();
    },
  };
}

/** Lines without any control character, for an agent or a CI job that would otherwise wait and see nothing. */
function openLog(label: string, output: Output): ProgressLine {
  const startedAt = performance.now();
  let progress: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    if (progress !== undefined && progress.done < progress.total)
      output.note(printProgressLine(label, progress, performance.now() - startedAt));
    timer = setTimeout(tell, LOGGED_EVERY_MS).unref();
  };
  timer = setTimeout(tell, LOGGED_AFTER_MS).unref();
  return {
    isShown: false,
    update: (next) => (progress = next),
    pause: (during) => during(),
    end: () => clearTimeout(timer),
  };
}

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
function printProgressLine(label: string, progress: Progress, elapsedMs: number): string {
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

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isForPeople, shareTerminal, printProgress } from "../../cli/print/progress-line.ts";

const ERASE = "\r\u001b[K";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Everything that reaches the screen, in its order. */
function open(env: NodeJS.ProcessEnv = {}, isTTY = true) {
  const shown: string[] = [];
  const stop = new AbortController();
  const print = (text: string): void => void shown.push(`${text}\n`);
  const stream = { isTTY, columns: 60, write: (text: string | Uint8Array) => shown.push(String(text)) > 0 };
  const terminal = shareTerminal({ result: print, note: print }, { stream, env, signal: stop.signal });
  return { ...terminal, shown, stop };
}

test("work that takes its time has a line, which is taken away before anything else is printed, and at the end", () => {
  const { output, showProgress, shown } = open();
  const line = showProgress("Locking");
  line.update({ done: 0, total: 2, waiting: ["github", "slack"] });
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(new Set(shown)).toEqual(new Set([`${ERASE}Locking [--------------------] 0 of 2, waiting for github, `]));

  shown.length = 0;
  output.note("a note");
  output.result("a result");
  expect(shown).toEqual([ERASE, "a note\n", "a result\n"]);
  vi.advanceTimersByTime(150);
  expect(shown.at(-1)).toContain(`${ERASE}Locking`);

  line.end();
  expect(shown.at(-1)).toBe(ERASE);
  const { length } = shown;
  vi.advanceTimersByTime(1_000);
  expect(shown).toHaveLength(length);
});

test("short work shows nothing, and neither does work after an interruption", () => {
  const short = open();
  const line = short.showProgress("Locking");
  line.update({ done: 0, total: 1 });
  vi.advanceTimersByTime(200);
  line.end();
  expect(short.shown).toEqual([]);

  const { showProgress, shown, stop } = open();
  showProgress("Locking").update({ done: 0, total: 1 });
  vi.advanceTimersByTime(500);
  stop.abort();
  expect(shown.at(-1)).toBe(ERASE);
  const { length } = shown;
  vi.advanceTimersByTime(1_000);
  expect(shown).toHaveLength(length);
});

test("a question to the user has the terminal for itself", async () => {
  const { showProgress, shown } = open();
  const line = showProgress("Running");
  line.update({ done: 1, total: 9 });
  vi.advanceTimersByTime(500);
  const answer = await line.pause(async () => {
    expect(shown.at(-1)).toBe(ERASE);
    const { length } = shown;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown).toHaveLength(length);
    return "yes";
  });
  expect(answer).toBe("yes");
  vi.advanceTimersByTime(150);
  expect(shown.at(-1)).toContain("Running");
  line.end();
});

test.each([
  ["a terminal", {}, true, true],
  ["no terminal", {}, false, false],
  ["CI", { CI: "true" }, true, false],
  ["CI=false", { CI: "false" }, true, true],
  ["NO_COLOR", { NO_COLOR: "1" }, true, false],
  ["a terminal without a cursor", { TERM: "dumb" }, true, false],
])("%s: progress is shown or not", (_, env, isTTY, expected) => {
  const { stream } = { stream: { isTTY, columns: 80, write: () => true } };
  expect(isForPeople({ stream, env })).toBe(expected);
  const { showProgress, shown, output } = open(env, isTTY);
  showProgress("Locking").update({ done: 0, total: 1 });
  vi.advanceTimersByTime(1_000);
  output.note("a note");
  expect(shown.join("").includes("\u001b")).toBe(expected);
  expect(showProgress("Locking", true).isShown).toBe(false);
});

test.each([
  [
    "names of what is waited for",
    { done: 5, total: 9, waiting: ["a", "b", "c", "d"] },
    "5 of 9, waiting for a, b, c and 1 more",
  ],
  ["the rate of equal parts", { done: 40, total: 100, failed: 2 }, "40 of 100, 2 failed, 20/s, 3 s left"],
  ["no rate from next to nothing", { done: 1, total: 100 }, "1 of 100"],
  ["all of it", { done: 4, total: 4 }, "4 of 4, 2.0/s"],
  ["nothing to do", { done: 0, total: 0 }, "0 of 0"],
])("progress is printed with %s", (_, progress, text) => {
  const line = printProgress("Running", progress, { elapsedMs: 2_000, width: 200 });
  expect(line.slice("Running [--------------------] ".length)).toBe(text);
});

test("a name cannot move the cursor", () => {
  const progress = { done: 0, total: 1, waiting: ["\u001b[2Kevil\nline"] };
  const line = printProgress("Locking", progress, { elapsedMs: 0, width: 200 });
  // oxlint-disable-next-line no-control-regex -- that none is there
  expect(line).not.toMatch(/[\u0000-\u001f]/);
});

test("in a log, long work leaves a plain line now and then, and short work none", () => {
  const { showProgress, shown } = open({}, false);
  const line = showProgress("Locking");
  line.update({ done: 2, total: 8, waiting: ["a", "b", "c", "d", "e", "\u001b[2Kf"] });
  vi.advanceTimersByTime(9_900);
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(shown).toEqual(["Locking: 2 of 8, waiting for a, b, c, d, e, \\u001b[2Kf\n"]);
  line.update({ done: 7, total: 8, waiting: ["a"] });
  vi.advanceTimersByTime(15_000);
  expect(shown.at(-1)).toBe("Locking: 7 of 8, waiting for a\n");
  line.end();
  vi.advanceTimersByTime(60_000);
  expect(shown).toHaveLength(2);

  const quiet = open({}, false);
  quiet.showProgress("Locking", true).update({ done: 0, total: 1 });
  vi.advanceTimersByTime(60_000);
  expect(quiet.shown).toEqual([]);
});

import { expect, test } from "vitest";
import { withJoinedSignal } from "../../../engine/process/join-signals.ts";

test("work gets a signal that aborts with each of those given, for its reason", async () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const reasonOf = withJoinedSignal([one.signal, undefined, other.signal], async (signal) => {
    other.abort("enough");
    return signal.reason as unknown;
  });
  await expect(reasonOf).resolves.toBe("enough");
  await expect(withJoinedSignal([one.signal, other.signal], async ({ aborted }) => aborted)).resolves.toBe(true);
});

test("a signal that outlives its work keeps nothing of it, and has one listener for all", async () => {
  const long = new AbortController();
  const warnings: string[] = [];
  const warn = ({ name, message }: Error): void => {
    if (name === "MaxListenersExceededWarning") warnings.push(message);
  };
  process.on("warning", warn);
  const own: AbortSignal[] = [];
  const work = async (signal: AbortSignal): Promise<void> => void own.push(signal);
  await Promise.all(Array.from({ length: 50 }, () => withJoinedSignal([long.signal], work)));
  long.abort();
  await new Promise(setImmediate);
  process.off("warning", warn);
  expect(own.filter(({ aborted }) => aborted)).toEqual([]);
  expect(warnings).toEqual([]);
});

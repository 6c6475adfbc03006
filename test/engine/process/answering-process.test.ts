import { expect, onTestFinished, test, vi } from "vitest";
import { startBundler } from "../../../engine/bundle/process/bundler.ts";
import { startChecker } from "../../../engine/check/process/start-checker.ts";
import { makeAnsweringProcess } from "../../../engine/process/answering-process.ts";

interface Answer {
  pid: number;
  names: string[];
}

/** Processor time, which a busy machine does not make longer. */
const SHORT_MS = 500;

function start(maxProcessorMs = 60_000, restMs?: number) {
  const program = makeAnsweringProcess<{ do: string }, Answer>({
    program: new URL("./answering-program.mjs", import.meta.url),
    maxHeapMegabytes: 32,
    maxProcessorMs,
    restMs,
  });
  onTestFinished(() => program.close());
  const tell = async (): Promise<Answer> => {
    const asked = await program.ask({ do: "tell" });
    if (asked.kind !== "answered") throw new Error("The program did not answer.");
    return asked.answer;
  };
  return { ...program, tell };
}

test("one process answers question after question, and has no variable of ours", async () => {
  const { tell } = start();
  const [first, second] = await Promise.all([tell(), tell()]);
  expect(second.pid).toBe(first.pid);
  expect(first.names.filter((name) => Object.hasOwn(process.env, name) && name !== "NODE_CHANNEL_FD")).toEqual([]);
});

test.each([
  ["die", "ended", undefined],
  ["hang", "late", SHORT_MS],
  ["fill", "ended", undefined],
])(
  "after a question over which it had to %s (%s), the next one gets a fresh process",
  async (word, kind, maxProcessorMs) => {
    const { ask, tell } = start(maxProcessorMs);
    const before = await tell();
    const [asked, after] = await Promise.all([ask({ do: word }), tell()]);
    expect(asked).toEqual({ kind });
    expect(after.pid).not.toBe(before.pid);
    expect(() => process.kill(before.pid, 0)).toThrow("ESRCH");
  },
);

test("after a time of rest its memory is free, and the next question gets a fresh process", async () => {
  const { tell } = start(60_000, 50);
  const [{ pid }, again] = [await tell(), await tell()];
  expect(again.pid).toBe(pid);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"));
  expect((await tell()).pid).not.toBe(pid);
});

test("a mistake of the program's is an error, and none of the question after it", async () => {
  const { ask, tell } = start();
  await expect(ask({ do: "fail" })).rejects.toThrow("It failed.");
  expect(await tell()).toMatchObject({ pid: expect.any(Number) });
});

test("a client with one question does not wait for all questions of another", async () => {
  const { ask } = start(SHORT_MS);
  const ended: string[] = [];
  const askFor = (clientId: string, word: string) => ask({ do: word }, clientId).then(() => ended.push(clientId));
  for (let count = 0; count < 5; count += 1) void askFor("greedy", "hang");
  await askFor("modest", "tell");
  // The question that the process was at when it came.
  expect(ended).toEqual(["greedy", "modest"]);
});

test("once closed it starts nothing any more", async () => {
  const { ask, tell, close } = start();
  const { pid } = await tell();
  await close();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(await ask({ do: "tell" })).toEqual({ kind: "ended" });
});

test("a question may omit what the process has already received; a new process receives it again", async () => {
  const { ask, askKnowing } = start();
  const listeners: object[] = [];
  const tell = () =>
    askKnowing((listener) => {
      listeners.push(listener);
      return { do: "tell" };
    });
  await tell();
  await tell();
  await ask({ do: "die" });
  await tell();
  const [first, second, third] = listeners;
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("what stands still uses no processor time, and is not late", async () => {
  const { ask } = start(SHORT_MS);
  expect(await ask({ do: "wait" })).toMatchObject({ kind: "answered" });
});

test("a question that is taken back before its turn is not asked", async () => {
  const { ask } = start();
  const taken = new AbortController();
  const [first, second] = [ask({ do: "tell" }), ask({ do: "die" }, undefined, taken.signal)];
  taken.abort();
  expect(await first).toMatchObject({ kind: "answered" });
  expect(await second).toEqual({ kind: "late" });
  expect(await ask({ do: "tell" })).toEqual(await first);
});

function builtProgram(part: "bundle" | "check"): URL {
  return new URL(`../../../dist/engine/${part}/process/main.js`, import.meta.url);
}

const LOCKFILE = { servers: new Map() };
/** Some seconds of work. */
const LARGE = { code: `export default [${"{ a: [1, 2, { b: 3 }] },\n".repeat(500_000)}];`, name: "script.ts" };

test("a script that the bundler had no time for is not called too deep or too large", async () => {
  const bundler = startBundler(1_000, builtProgram("bundle"));
  onTestFinished(bundler.close);
  const outcome = await bundler.bundle(LARGE, { lockfile: LOCKFILE, generatedFolder: "." });
  expect(outcome).toMatchObject({
    diagnostics: [
      {
        severity: "error",
        code: "SYNTAX_ERROR",
        message: "The script could not be read within 1 s of processor time.",
      },
    ],
  });
});

test("a bundler that does not start is no fault of the script", async () => {
  const bundler = startBundler(undefined, new URL("./no-such-program.mjs", import.meta.url));
  onTestFinished(bundler.close);
  const outcome = await bundler.bundle(LARGE, { lockfile: LOCKFILE, generatedFolder: "." });
  expect(outcome).toMatchObject({
    diagnostics: [{ code: "BUNDLE_FAILURE", hint: expect.stringContaining("codemode doctor") as string }],
  });
});

/** A type that takes hours to find out. */
const ENDLESS = `type Step<N extends unknown[]> = N["length"] extends 900 ? N : Step<[...N, 1]> | Step<[...N, 2]>;
const list: Step<[]> = [];
export default list;`;

test("a type check that reaches its bound is a warning that says nothing against the script", async () => {
  // The second check, in a new process, has to be through well before it.
  const checker = startChecker(undefined, { maxProcessorMs: 3_000, program: builtProgram("check") });
  onTestFinished(checker.close);
  expect(await checker.check({ code: ENDLESS, name: "script.ts" }, LOCKFILE)).toMatchObject([
    {
      severity: "warning",
      code: "CHECK_INCOMPLETE",
      message: "The types of the script could not be checked within 3 s of processor time.",
    },
  ]);
  expect(await checker.check({ code: "const one: string = 1;", name: "script.ts" }, LOCKFILE)).toMatchObject([
    { code: "TYPE_ERROR", path: "script.ts:1:7" },
  ]);
});

import { expect, onTestFinished, test } from "vitest";
import { startBundler } from "../../engine/bundle/process/start-bundler.ts";
import { startChecker } from "../../engine/check/process/start-checker.ts";
import { makeAnsweringProcess } from "../../engine/process/answering-process.ts";

interface Answer {
  pid: number;
  names: string[];
}

/** Shorter than a busy machine takes to start a process only where the time has to be over. */
const SHORT_MS = 2_000;

function start(timeoutMs = 60_000) {
  const program = makeAnsweringProcess<{ do: string }, Answer>({
    program: new URL("./answering-program.mjs", import.meta.url),
    maxHeapMegabytes: 32,
    timeoutMs,
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
  async (word, kind, timeoutMs) => {
    const { ask, tell } = start(timeoutMs);
    const before = await tell();
    const [asked, after] = await Promise.all([ask({ do: word }), tell()]);
    expect(asked).toEqual({ kind });
    expect(after.pid).not.toBe(before.pid);
    expect(() => process.kill(before.pid, 0)).toThrow("ESRCH");
  },
);

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

test("a script that the bundler or the checker had no time for is not called too deep or too large", async () => {
  const lockfile = { servers: new Map() };
  const script = { code: "export default 1;", name: "script.ts" };
  const [bundler, checker] = [startBundler(1), startChecker(undefined, 1)];
  onTestFinished(async () => void (await Promise.all([bundler.close(), checker.close()])));
  expect(await bundler.bundle(script, { lockfile, generatedFolder: "." })).toMatchObject({
    diagnostics: [
      {
        message: "The script could not be read within 0.001 s.",
        hint: expect.stringMatching(/^Run it again/) as string,
      },
    ],
  });
  expect(await checker.check(script, lockfile)).toMatchObject([
    {
      message: "The types of the script could not be checked within 0.001 s.",
      hint: expect.stringMatching(/^Run it again/) as string,
    },
  ]);
});

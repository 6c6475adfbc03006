import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { encodeFrame, makeFrameReader } from "../../../runtime/host/sandbox/frames.ts";
import { findProgramFolder } from "../../../runtime/host/sandbox/program-folder.ts";
import type { RunHeader } from "../../../schemas/protocol.ts";

const RUN: RunHeader = {
  ...{ type: "run", maxLogBytes: 1000, maxResultBytes: 1000, maxFrameBytes: 100_000, firstCallId: 1 },
  randomKey: [1, 2, 3, 4, 5, 6, 7, 8],
};
const CODE = `(async function () {
  const first = __codemode_call__("s", "a", "{}"), second = __codemode_call__("s", "b", "{}");
  globalThis.__codemode_result__ = (await first) + (await second);
}).call(undefined)`;

/** Starts the sandbox program; `write` returns when it has had the time to read what was written. */
async function startProgram() {
  const child = spawn(process.execPath, [join(findProgramFolder(), "boot.cjs"), ""], {
    env: {},
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const frames: string[] = [];
  const reader = makeFrameReader(
    () => 100_000,
    (text) => frames.push(text),
    () => frames.push("too long"),
  );
  output.on("data", (chunk: Buffer) => reader.push(chunk));
  await vi.waitUntil(() => frames.length === 1);
  const write = async (bytes: Buffer): Promise<void> => {
    input.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return { frames, write };
}

describe("the sandbox reads frames whole that come", () => {
  const run = Buffer.concat(encodeFrame(RUN, JSON.stringify({ code: CODE, input: null })));
  const replies = Buffer.concat([
    ...encodeFrame({ type: "reply", id: 1 }, "one"),
    ...encodeFrame({ type: "reply", id: 2 }, "two"),
  ]);
  test.each([
    ["with their length alone first", [4]],
    ["with a part of their length first", [2]],
    ["with their length and one byte first", [5]],
    ["with an end in the next one's length", [replies.length / 2 + 2]],
    ["with an end behind the next one's length", [replies.length / 2 + 4]],
    ["byte by byte at the beginning", [1, 2, 3, 4, 5, 6]],
  ])("%s", async (_name, cuts) => {
    const { frames, write } = await startProgram();
    await write(run.subarray(0, 4));
    await write(run.subarray(4));
    let sent = 0;
    for (const end of [...cuts, replies.length]) {
      await write(replies.subarray(sent, end));
      sent = end;
    }
    await vi.waitUntil(() => frames.length === 4);
    expect(frames[3]).toMatch(/^\{"type":"result".*\n"onetwo"$/);
  });
});

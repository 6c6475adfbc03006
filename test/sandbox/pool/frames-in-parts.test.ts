import { describe, expect, test, vi } from "vitest";
import { encodeFrame } from "../../../runtime/sandbox/pool/frames.ts";
import { RUN, startProgram } from "../realm/start-program.ts";

const CODE = `(async function () {
  const first = __codemode_call__("s", "a", "{}"), second = __codemode_call__("s", "b", "{}");
  globalThis.__codemode_result__ = (await first) + (await second);
}).call(undefined)`;

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

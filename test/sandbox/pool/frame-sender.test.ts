import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { PassThrough, type Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { encodeFrame, makeFrameSender } from "../../../runtime/sandbox/pool/frames.ts";
import type { FrameBody } from "../../../runtime/sandbox/pool/sandbox-engine.ts";
import type { HostHeader } from "../../../schemas/run/protocol.ts";
import { testOnLinux } from "../../platforms/needs.ts";

/** More than a pipe holds, on any system. */
const MORE_THAN_A_PIPE = 4 * 1024 * 1024;

/** A process that prints what comes over its pipe, from the time on at which it is woken. */
const READER = `
  const fs = require("node:fs");
  fs.readSync(4, Buffer.alloc(1));
  const chunk = Buffer.alloc(64 * 1024);
  for (let read; (read = fs.readSync(3, chunk)) > 0; ) for (let sent = 0; sent < read; ) sent += fs.writeSync(1, chunk, sent, read - sent);`;

function startReader() {
  const child = spawn(process.execPath, ["-e", READER], { stdio: ["ignore", "pipe", "inherit", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [, output, , pipe, waker] = child.stdio as unknown as [null, PassThrough, null, Writable, Writable];
  const errors: string[] = [];
  for (const stream of [pipe, waker])
    stream.on("error", (error: NodeJS.ErrnoException) => errors.push(`${error.code}`));
  return {
    ...{ child, pipe, errors, closed: new Promise((resolve) => pipe.once("close", resolve)) },
    wake: () => waker.write("!"),
    /** All that it has got, when the pipe is closed. */
    async readAll(): Promise<Buffer> {
      pipe.end();
      return Buffer.concat(await output.toArray());
    },
  };
}

/** A sender over a pipe, with the bytes that it is to bring to the other end. */
function sendOver(pipe: Writable) {
  const send = makeFrameSender(pipe, () => undefined);
  const expected: Buffer[] = [];
  let ids = 0;
  return {
    expected,
    send(body: FrameBody, onSent?: () => void) {
      const header: HostHeader = { type: "reply", id: (ids += 1) };
      expected.push(...encodeFrame(header, body));
      send(header, body, onSent);
    },
  };
}

const inParts = (bytes: number): FrameBody => ({
  before: '{"ok":true,"value":',
  json: Buffer.alloc(bytes, "7"),
  after: "}",
});

test("a frame that is longer than the pipe comes whole, and the host goes on while the process reads nothing", async () => {
  const reader = startReader();
  const { send, expected } = sendOver(reader.pipe);
  send("x".repeat(MORE_THAN_A_PIPE));
  expect(reader.pipe.writableLength).toBeGreaterThan(0);
  reader.wake();
  expect((await reader.readAll()).equals(Buffer.concat(expected))).toBe(true);
});

test("short and long frames keep their order, in one turn and in several, before the pipe is full and after", async () => {
  const reader = startReader();
  const { send, expected } = sendOver(reader.pipe);
  const bodies: FrameBody[] = ["one", inParts(300_000), "two", "", "3".repeat(100_000), inParts(5), "four"];
  for (let round = 0; round < 12; round += 1) {
    for (const body of bodies) send(body);
    await nextTurn();
    for (const body of bodies) {
      send(body);
      await nextTurn();
    }
    if (round === 6) reader.wake();
  }
  expect((await reader.readAll()).equals(Buffer.concat(expected))).toBe(true);
});

test("a short frame overtakes no part of a long one, also where the pipe has got room before the host goes on", async () => {
  const reader = startReader();
  const { send, expected } = sendOver(reader.pipe);
  send("x".repeat(MORE_THAN_A_PIPE));
  await nextTurn();
  reader.wake();
  // sleeps: the process empties the pipe while this one does nothing
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  send("short");
  expect((await reader.readAll()).equals(Buffer.concat(expected))).toBe(true);
});

test("`onSent` is called when the pipe has taken the whole frame, and never within the call that sends it", async () => {
  const reader = startReader();
  const { send } = sendOver(reader.pipe);
  const sent: string[] = [];
  send("short", () => sent.push("short"));
  expect(sent).toEqual([]);
  await vi.waitUntil(() => sent.length === 1);
  send(inParts(MORE_THAN_A_PIPE), () => sent.push("long"));
  await nextTurn();
  expect(sent).toEqual(["short"]);
  reader.wake();
  await reader.readAll();
  expect(sent).toEqual(["short", "long"]);
});

testOnLinux("/proc")(
  "a process that has just died takes nothing: the pipe reports it, and `onSent` is called all the same",
  async () => {
    const { child, pipe, errors, closed } = startReader();
    const { send } = sendOver(pipe);
    child.kill("SIGKILL");
    // In this turn: the host does not know yet.
    while (!readFileSync(`/proc/${child.pid}/stat`, "utf8").includes(") Z "));
    let called = 0;
    send("lost", () => (called += 1));
    send(inParts(MORE_THAN_A_PIPE), () => (called += 1));
    await closed;
    await nextTurn();
    expect({ called, errors }).toEqual({ called: 2, errors: ["EPIPE"] });
    send("too late");
  },
);

test("a process that dies while a frame waits for it breaks the pipe, and `onSent` is called all the same", async () => {
  const { child, pipe, errors, closed } = startReader();
  const { send } = sendOver(pipe);
  let called = 0;
  send(inParts(MORE_THAN_A_PIPE), () => (called += 1));
  await nextTurn();
  expect(called).toBe(0);
  child.kill("SIGKILL");
  await closed;
  await nextTurn();
  expect(called).toBe(1);
  expect(["EPIPE", "ECONNRESET"]).toContain(errors[0]);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { onTestFinished, vi } from "vitest";
import { encodeFrame, readFrameTexts } from "../../../runtime/sandbox/pool/frames.ts";
import { findProgramFolder } from "../../../runtime/sandbox/pool/launch-plan.ts";
import type { RunHeader } from "../../../schemas/run/protocol.ts";

export const RUN: RunHeader = {
  ...{ type: "run", maxLogBytes: 1000, maxResultBytes: 1_000_000, maxFrameBytes: 1_000_000, firstCallId: 1 },
  randomKey: [1, 2, 3, 4, 5, 6, 7, 8],
  seed: [1, 2, 3, 4],
};

interface ProgramOptions {
  /** Of the program: the file of compiled code, and `--print-cache`. */
  words?: string[];
  /** Of Node. */
  flags?: string[];
}

/** Starts the sandbox program alone; `write` returns when it has had the time to read what was written. */
export function spawnProgram({ words = [""], flags = [] }: ProgramOptions = {}) {
  const child = spawn(process.execPath, [...flags, join(findProgramFolder(), "boot.cjs"), ...words], {
    env: {},
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [, , stderr, input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
  let errors = "";
  stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const write = async (bytes: Buffer): Promise<void> => {
    input.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, errors }));
  return { input, output, write, ended };
}

/** Starts it, and waits until it is ready: the first of the texts in `frames` says so. */
export async function startProgram(options?: ProgramOptions) {
  const program = spawnProgram(options);
  const frames: string[] = [];
  readFrameTexts(
    program.output,
    () => 10_000_000,
    (text, body) => frames.push(body === undefined ? text : `${text}\n${body.toString()}`),
    () => frames.push("too long"),
  );
  await vi.waitUntil(() => frames.length === 1, { timeout: 5000 });
  const run = (code: string, input: unknown = null): void => {
    program.input.write(
      Buffer.concat(
        encodeFrame(RUN, JSON.stringify({ code: `(async function () { ${code} }).call(undefined)`, input })),
      ),
    );
  };
  /** The frame with this number, when it is there. */
  const frame = async (number: number): Promise<string> => {
    await vi.waitUntil(() => frames.length > number, { timeout: 5000 });
    return frames[number] as string;
  };
  return { ...program, frames, frame, run };
}

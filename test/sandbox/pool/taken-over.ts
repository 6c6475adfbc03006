import { onTestFinished } from "vitest";
import { executeRun } from "../../../runtime/sandbox/pool/execute-run.ts";
import { makeRunLog } from "../../../runtime/sandbox/pool/run-log.ts";
import { startSandbox, type SandboxProcess } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import type { Timekeeper } from "../../../runtime/sandbox/pool/timekeeper.ts";
import { handleRead } from "../../../runtime/sandbox/pool/handle-call.ts";
import { makeToolCallDispatcher } from "../../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import type { RunLimits } from "../../../schemas/config/config-file.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { ToolReply } from "../../../schemas/lock/tools.ts";
import { TEST_LIMITS, toBundle } from "../realm/run-script.ts";

export const MEBIBYTE = 1024 * 1024;

/**
 * What a sandbox process would do that an attacker has taken over: `send` writes any frame, `raw` any bytes, `header` and `runBody` are those of its run, and `next`
 * waits for another frame of the host.
 */
const TAKEN_OVER = `
  const fs = require("node:fs");
  const raw = (bytes) => { for (let sent = 0; sent < bytes.length; ) sent += fs.writeSync(4, bytes, sent); };
  const send = (text) => { const body = Buffer.from(text); const head = Buffer.alloc(4); head.writeUInt32LE(body.length); raw(Buffer.concat([head, body])); };
  const json = (value, body) => send(JSON.stringify(value) + (body === undefined ? "" : "\\n" + body));
  json({ type: "ready" });
  const frame = Buffer.alloc(1e6);
  const next = () => { const read = fs.readSync(3, frame); if (read === 0) process.exit(0); return frame.toString("utf8", 4, read).split("\\n"); };
  const [headerLine, runBody] = next();
  const header = JSON.parse(headerLine);
  const { firstCallId } = header;
  try {`;

/** Starts such a process, and waits until it is ready. */
export async function startTakenOver(body: string): Promise<SandboxProcess> {
  const sandbox = startSandbox({
    confinement: { launcher: [], prlimit: undefined },
    words: [process.execPath, "-e", `${TAKEN_OVER} ${body} } catch {}\nsetTimeout(() => {}, 60_000);`],
    maxMemoryBytes: 512 * MEBIBYTE,
    maxCpuSeconds: 60,
  });
  onTestFinished(() => sandbox.kill());
  await sandbox.ready;
  return sandbox;
}

export interface TakenOverRun {
  limits?: Partial<RunLimits>;
  input?: JsonValue;
  signal?: AbortSignal;
  timekeeper?: Timekeeper;
  answer?: (input: JsonValue) => Promise<ToolReply>;
  /** Replaces parts of the process. */
  parts?: (sandbox: SandboxProcess) => Partial<SandboxProcess>;
}

/** Runs the host's side against a process that does this. */
export async function executeTakenOver(body: string, options: TakenOverRun = {}) {
  const { input = null, answer = async () => ({ ok: true, value: null }), signal, timekeeper } = options;
  const started = await startTakenOver(body);
  const sandbox = { ...started, ...options.parts?.(started) };
  const log = makeRunLog(10_000, (message) => message, undefined);
  const dispatcher = makeToolCallDispatcher(
    handleRead((call) => answer(call.input)),
    100,
  );
  const limits = { ...TEST_LIMITS, ...options.limits };
  const bundle = { ...toBundle(""), code: "the code" };
  const ending = await executeRun({ sandbox, bundle, input, limits, log, dispatcher, signal, timekeeper });
  return { ending, messages: log.entries.map(({ message }) => message), sandbox };
}

/** Ends a run with a result. */
export const RESULT = 'json({ type: "result", truncations: [], unawaited: [] }, "5");';
/** Makes a call with this id, whose input is 7. */
export const callWith = (id: string) => `json({ type: "call", id: ${id}, serverId: "s", toolName: "t" }, "7");`;

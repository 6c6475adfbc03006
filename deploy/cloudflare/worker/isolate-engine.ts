import isolateText from "codemode:isolate";
import { printFrameBody, parseSandboxFrame, ProtocolError } from "../../../runtime/sandbox/pool/frames.ts";
import type { Sandbox, SandboxEnd, SandboxListener } from "../../../runtime/sandbox/pool/sandbox-engine.ts";
import { formatFrame, type RunBody } from "../../../schemas/run/protocol.ts";

/** The Worker Loader, as far as it is used here. */
export interface WorkerLoader {
  load(code: {
    compatibilityDate: string;
    mainModule: string;
    modules: Readonly<Record<string, string>>;
    env: object;
    globalOutbound: null;
    limits?: { cpuMs: number; subRequests: number };
  }): { getEntrypoint(): IsolateStub };
}

interface IsolateStub {
  run(frame: string, send: (text: string) => Promise<string | undefined>): Promise<void>;
}

export const COMPATIBILITY_DATE = "2026-01-01";
const ENDED: SandboxEnd = {
  ...{ exitCode: 0, signal: null, isOutOfMemory: false },
  ...{ wasKilled: false, isMemoryShort: undefined },
};

/** A fresh isolate for one script. It is loaded with the script, and has no network, no bindings and no files. */
export function makeIsolate(loader: WorkerLoader, cpuMs: number): Sandbox {
  let listener: SandboxListener | undefined;
  let maxFrameBytes = 0;
  let isAlive = true;
  const replies = new Map<number, (text: string | undefined) => void>();
  let settle: (end: SandboxEnd) => void = () => undefined;
  const ended = new Promise<SandboxEnd>((resolve) => (settle = resolve));

  const end = (how: Partial<SandboxEnd>): void => {
    if (!isAlive) return;
    isAlive = false;
    for (const resolve of replies.values()) resolve(undefined);
    const known = { ...ENDED, ...how };
    settle(known);
    listener?.onEnd?.(known);
  };
  const hear = async (text: string): Promise<string | undefined> => {
    if (!isAlive || listener === undefined) return undefined;
    if (typeof text !== "string" || text.length > maxFrameBytes) {
      listener.onBrokenFrame("a frame is longer than allowed");
      return undefined;
    }
    try {
      const frame = parseSandboxFrame(text);
      const reply =
        frame.type === "call"
          ? new Promise<string | undefined>((resolve) => replies.set(frame.id, resolve))
          : Promise.resolve(undefined);
      listener.onFrame(frame);
      return reply;
    } catch (error) {
      listener.onBrokenFrame(error instanceof ProtocolError ? error.message : "a frame cannot be read");
      return undefined;
    }
  };
  const start = (code: string, frame: string): void => {
    const modules = { "isolate.js": isolateText, "script.js": `export default () => (${code}\n)` };
    const worker = loader.load({
      ...{ compatibilityDate: COMPATIBILITY_DATE, mainModule: "isolate.js", modules, env: {}, globalOutbound: null },
      limits: { cpuMs, subRequests: 0 },
    });
    worker
      .getEntrypoint()
      .run(frame, hear)
      .then(
        () => end({}),
        (error: unknown) => end(explain(String(error))),
      );
  };

  return {
    ended,
    isAlive: () => isAlive,
    listen(newListener, newMaxFrameBytes) {
      listener = newListener;
      maxFrameBytes = newMaxFrameBytes;
    },
    send(header, body, onSent) {
      const text = printFrameBody(body);
      if (header.type === "run") start((JSON.parse(text) as RunBody).code, formatFrame(header, text));
      else if (header.type === "reply") {
        replies.get(header.id)?.(formatFrame(header, text));
        replies.delete(header.id);
      }
      onSent?.();
    },
    kill: () => end({ wasKilled: true }),
    release: () => end({ wasKilled: true }),
    residentBytes: () => 0,
    watchMemory: () => () => undefined,
  };
}

/** What the platform says where one of its limits ended the isolate. */
function explain(message: string): Partial<SandboxEnd> {
  if (/memory limit/i.test(message)) return { exitCode: null, isOutOfMemory: true };
  if (/cpu time limit/i.test(message)) return { exitCode: null, signal: "SIGXCPU" };
  return { exitCode: 1 };
}

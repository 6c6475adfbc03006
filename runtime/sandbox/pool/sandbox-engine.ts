import type { HostHeader, Renewal, SandboxFrame } from "../../../schemas/run/protocol.ts";

/*
 * What runs scripts: an engine starts sandboxes, and a sandbox runs one script. Between host and sandbox go the frames of
 * `schemas/run/protocol.ts` and nothing else. `run` loads the script, `call` and `reply` are its tool calls, `log` its console,
 * `result` and `failure` its end. The host believes none of what a sandbox sends, whichever engine started it.
 */

/** Starts sandboxes of one kind, and ends them all. */
export interface SandboxEngine {
  /** A sandbox that is ready. Rejects with a `SandboxStartError`. */
  launch(): Promise<Sandbox>;
  /** Ends every sandbox that it has started, and settles when they are gone. */
  close(): Promise<void>;
}

/** Where runs get their sandboxes. */
export interface SandboxSource {
  /** What one sandbox may hold at most, in bytes; a run may ask for less. */
  readonly maxMemoryBytes: number;
  /** A sandbox for exclusive use. Only with a trust domain may it be a reused one, and then of the same domain. */
  take(trustDomain?: string): Promise<Sandbox>;
}

/** A body as text, or JSON text in UTF-8 with text around it, which is not copied. */
export type FrameBody = string | { before: string; json: Buffer; after: string };

/** A place for one script, ready for it. */
export interface Sandbox {
  /** The line of the runtime that it has, which a program need not bring (`leaveOutRuntime`); absent where it has none. */
  readonly runtimeLine?: string | undefined;
  /** Settles when it is gone and everything that it sent has been read. */
  readonly ended: Promise<SandboxEnd>;
  /** False as soon as it was asked to end. */
  isAlive(): boolean;
  listen(listener: SandboxListener, maxFrameBytes: number): void;
  /** `onSent` is called when all of it is on its way, or never will be. */
  send(header: HostHeader, body: FrameBody, onSent?: () => void): void;
  /** Cancels what runs in it. */
  kill(): void;
  /** Says that the script has come to its result: ends the sandbox, unless it may serve another run. */
  release(): void;
  /** What it renews for that run; absent where there is none. */
  readonly renew?: Renewal | undefined;
  /** The memory that it holds now, in bytes; 0 where that cannot be seen. */
  residentBytes(): number;
  /** Calls `onExceeded` once when it holds more than so many bytes. The function returned ends the watch. */
  watchMemory(maxBytes: number, onExceeded: () => void): () => void;
}

/** How a sandbox ended: what the operating system says, and whether V8 said that it was out of memory. */
export interface SandboxEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  isOutOfMemory: boolean;
  /** Whether this process asked for it. */
  wasKilled: boolean;
  /** With SIGKILL: whether the kernel has ended processes meanwhile because memory was short. Undefined where it does not say. */
  isMemoryShort: boolean | undefined;
}

/** Who listens to a sandbox: one run, from its start on. */
export interface SandboxListener {
  /** Of a long frame `body` is what its own body, which is empty then, consists of. */
  onFrame(frame: SandboxFrame, body?: Buffer): void;
  /** The sandbox sent something that is no frame. */
  onBrokenFrame(reason: string): void;
  /** The sandbox is gone, and everything that it sent has been heard. */
  onEnd?(end: SandboxEnd): void;
}

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { LineReader } from "./line-reader.ts";
import { LinkFailure } from "./link-failure.ts";
import { endWithProcess, hasEnded } from "./process-end.ts";
import { parseMessages } from "./put-right.ts";
import { planServerEnvironment } from "./server-environment.ts";
import type { StdioTarget } from "./server-target.ts";

/** The longest message that a server may send. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** How much of the end of stderr is kept, in characters, to say why a server did not start. */
const STDERR_KEPT = 2_000;

/** How long a server may take to leave after its stdin has ended, and then after SIGTERM. */
const GOODBYE_MS = 1_500;
const SIGTERM_MS = 1_000;

/** Windows has no process groups; elsewhere a server's own children end with it. */
const LEADS_GROUP = process.platform !== "win32";

/**
 * JSON-RPC, one message a line, over the pipes of a child process. As long as nobody waits for an answer (`unref`) it
 * does not keep this process alive.
 */
export class StdioTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Why it is no more; undefined as long as it lives. */
  ending: LinkFailure | undefined;
  endedByServer = false;
  // By these two the SDK tells a pipe, where silence means an old server, from HTTP, where it means trouble.
  readonly pid = null;
  readonly stderr = null;

  readonly #target: StdioTarget;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #exited: Promise<void> = Promise.resolve();
  #stderrTail = "";
  #closing: Promise<void> | undefined;

  constructor(target: StdioTarget) {
    this.#target = target;
  }

  async start(): Promise<void> {
    const { command, args, env, inheritEnv, cwd } = this.#target;
    const child = spawn(command, args, {
      cwd,
      env: planServerEnvironment(env, inheritEnv),
      stdio: ["pipe", "pipe", "pipe"],
      detached: LEADS_GROUP,
      windowsHide: true,
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(this.#toStartFailure(error)));
    });
    this.#child = child;
    endWithProcess(this);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-STDERR_KEPT);
    });
    const lines = new LineReader(MAX_MESSAGE_BYTES, (line) => this.#take(line));
    child.stdout.on("data", (chunk: Buffer) => {
      if (!lines.push(chunk))
        this.#endBy(
          new LinkFailure("too-large", `a message of over ${MAX_MESSAGE_BYTES} bytes`, { limit: MAX_MESSAGE_BYTES }),
        );
    });
    this.#exited = new Promise((resolve) => {
      child.once("exit", () => {
        this.#signal("SIGKILL"); // what it started and left behind
        hasEnded(this);
        resolve();
      });
    });
    // All that it wrote has been read by then.
    child.once("close", (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      this.#endBy(new LinkFailure("closed", `the server ${how}${this.#saidLast()}`));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.ending !== undefined || this.#child === undefined)
      throw this.ending ?? new LinkFailure("closed", "closed");
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#sayGoodbye();
    this.#end(new LinkFailure("closed", "the connection was closed"));
    return this.#closing;
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  /** From now on this process waits for the server. */
  ref(): void {
    this.#child?.ref();
    for (const pipe of this.#pipes()) pipe.ref?.();
  }

  /** From now on this process may end without it. */
  unref(): void {
    this.#child?.unref();
    for (const pipe of this.#pipes()) pipe.unref?.();
  }

  /** They are sockets, which the types do not say. */
  #pipes(): { ref?: () => void; unref?: () => void }[] {
    const child = this.#child;
    return child === undefined ? [] : ([child.stdin, child.stdout, child.stderr] as object[]);
  }

  #take(line: string): void {
    for (const message of parseMessages(line)) {
      if (this.ending === undefined) this.onmessage?.(message);
    }
  }

  #endBy(reason: LinkFailure): void {
    if (this.ending !== undefined) return;
    this.endedByServer = true;
    this.#end(reason);
    void this.close();
  }

  /** Requests under way fail now, whatever time the process takes to leave. The first reason stays. */
  #end(reason: LinkFailure): void {
    if (this.ending !== undefined) return;
    this.ending = reason;
    this.onclose?.();
  }

  async #sayGoodbye(): Promise<void> {
    if (this.#child === undefined) return;
    this.ref(); // somebody waits for its end
    this.#child.stdin.end();
    if (await this.#exitsWithin(GOODBYE_MS)) return;
    this.#signal("SIGTERM");
    if (await this.#exitsWithin(SIGTERM_MS)) return;
    this.#signal("SIGKILL");
    await this.#exitsWithin(SIGTERM_MS);
  }

  async #exitsWithin(milliseconds: number): Promise<boolean> {
    const giveUp = new AbortController();
    const patience = delay(milliseconds, false, { signal: giveUp.signal }).catch(() => false);
    const exited = await Promise.race([this.#exited.then(() => true), patience]);
    giveUp.abort();
    return exited;
  }

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    const leader = this.#child?.pid;
    if (leader === undefined) return;
    try {
      process.kill(LEADS_GROUP ? -leader : leader, signal);
    } catch {
      // ESRCH: gone already
    }
  }

  #saidLast(): string {
    const text = this.#stderrTail.trim();
    return text === "" ? "" : `; it said last: ${text}`;
  }

  #toStartFailure(error: Error): LinkFailure {
    const failure = new LinkFailure("start-failed", `"${this.#target.command}" cannot be started: ${error.message}`);
    this.ending = failure;
    return failure;
  }
}

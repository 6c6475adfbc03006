import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { Client as ModernClient, type ClientOptions as ModernOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient, type ClientOptions as LegacyOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { whenDone } from "./share-in-file.ts";

const IDENTITY = { name: "test", version: "1" };
export const MODERN_VERSION = "2026-07-28";

/** Clients hand on few variables of their own; an entry of a client's file names the ones that codemode needs. */
function serveCommand(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const words = [resolve("dist/cli/main.js"), "serve", ...args];
  const entry = { CODEMODE_TRUST: "1", ...env };
  return { command: process.execPath, args: words, cwd, env: entry, stderr: "ignore" as const };
}

/** `codemode serve` with a client of the first SDK, as most agents still have it. */
export async function connectLegacy(
  cwd: string,
  args: readonly string[] = [],
  options: LegacyOptions = {},
  env?: Record<string, string>,
): Promise<LegacyClient> {
  const client = new LegacyClient(IDENTITY, options);
  await client.connect(new LegacyTransport(serveCommand(args, cwd, env)));
  whenDone(() => client.close());
  return client;
}

/** `codemode serve` with a client of the revision 2026-07-28. */
export async function connectModern(
  cwd: string,
  args: readonly string[] = [],
  options: ModernOptions = {},
  env?: Record<string, string>,
): Promise<ModernClient> {
  const client = new ModernClient(IDENTITY, { ...options, versionNegotiation: { mode: { pin: MODERN_VERSION } } });
  await client.connect(new ModernTransport(serveCommand(args, cwd, env)));
  whenDone(() => client.close());
  return client;
}

/** Runs scripts at a `codemode serve` that starts here. */
export async function serveScripts(cwd: string, ...args: string[]): Promise<(code: string) => Promise<RunAnswer>> {
  const client = await connectLegacy(cwd, args);
  return async (code) => {
    const result = await client.callTool({ name: "codemode.run", arguments: { code } });
    return result.structuredContent as unknown as RunAnswer;
  };
}

/** A message on the wire. */
export interface Message {
  id?: number;
  method?: string;
  params?: JsonObject;
  result?: JsonObject;
  error?: { code: number; message: string; data?: JsonObject };
}

/** `codemode serve` with its wire in the hands of the test. */
export interface Wire {
  child: ChildProcess;
  /** All that came so far. */
  received: Message[];
  send(message: Message): void;
  /** Sends a request, and resolves with the response. */
  ask(method: string, params: JsonObject): Promise<Message>;
  /** The first message that is or was received and meets the condition. */
  find(condition: (message: Message) => boolean): Promise<Message>;
  /** Resolves when the process is gone, with its exit code. */
  ended: Promise<number | null>;
}

export function openWire(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Wire {
  const { command, args: words } = serveCommand(args, cwd);
  const child = spawn(command, words, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    received.push(JSON.parse(line) as Message);
    for (const look of waiting) look();
  });
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  whenDone(() => child.kill("SIGKILL"));
  const send = (message: Message): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const find = (condition: (message: Message) => boolean): Promise<Message> =>
    new Promise((settle) => {
      const look = (): void => {
        const found = received.find(condition);
        if (found === undefined) return;
        waiting.delete(look);
        settle(found);
      };
      waiting.add(look);
      look();
    });
  let lastId = 0;
  return {
    child,
    received,
    ended,
    send,
    find,
    ask(method, params) {
      lastId += 1;
      const id = lastId;
      send({ id, method, params });
      return find((message) => message.id === id && message.method === undefined);
    },
  };
}

/** The handshake of the older revisions. */
export async function initialize(wire: Wire, capabilities: JsonObject = {}): Promise<Message> {
  const answer = await wire.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: IDENTITY,
  });
  wire.send({ method: "notifications/initialized" });
  return answer;
}

/** What every request of the revision 2026-07-28 carries. */
export function modernMeta(capabilities: JsonObject = {}): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": IDENTITY,
  };
}

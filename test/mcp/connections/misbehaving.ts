import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect } from "vitest";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import type { ConnectOptions } from "@codemode/runtime/connections/connect-server";
import { connectWithLogin } from "../../../runtime/mcp/connect-with-login.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import type { ServerTarget, StdioTarget } from "@codemode/runtime/connections/server-target";

export const SERVERS_FOLDER = fileURLToPath(new URL("../../servers/", import.meta.url));
export const NODE_MODULES = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

/** Enough for a server on a busy machine to start; tests about time-outs say their own. */
const TIMEOUT_MS = 10_000;

let folder = "";
const open = new Set<ServerConnection>();

/** Where the servers of the running test write their process ids. */
function pidFile(): string {
  return join(folder, "pids");
}

/** The process ids of all servers that the running test started, and of their children, in order. */
export function startedPids(): number[] {
  try {
    return readFileSync(pidFile(), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

/** A process that has ended and only waits for its exit code to be read is not alive. */
export function isAlive(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codemode-connections-"));
});

/** After each test: closes what it left open; then no process of it may be left. */
afterEach(async () => {
  await Promise.all([...open].map((connection) => connection.close()));
  open.clear();
  const left = startedPids().filter(isAlive);
  rmSync(folder, { recursive: true });
  expect(left, "processes left behind").toEqual([]);
});

/** A target that runs the misbehaving server with these habits. */
export function misbehaving(habits: readonly string[], fields: Partial<StdioTarget> = {}): StdioTarget {
  return nodeServer(join(SERVERS_FOLDER, "misbehaving-server.mjs"), habits, fields);
}

export function nodeServer(file: string, args: readonly string[], fields: Partial<StdioTarget> = {}): StdioTarget {
  return {
    id: "test",
    name: "test",
    transport: "stdio",
    command: process.execPath,
    args: [file, ...args],
    cwd: folder,
    timeoutMs: TIMEOUT_MS,
    ...fields,
    env: { PID_FILE: pidFile(), ...fields.env },
  };
}

/** Connects; the connection is closed after the test. */
export async function connect(target: ServerTarget, options?: ConnectOptions): Promise<ServerConnection> {
  const connection = await connectWithLogin(target, options);
  open.add(connection);
  return connection;
}

/** The error that an action must end with. */
export async function failureOf(action: Promise<unknown>): Promise<ConnectionError> {
  const outcome = await action.then(
    () => "no error",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(ConnectionError);
  return outcome as ConnectionError;
}

/** The text of a result's first content item, read as JSON where it is JSON. */
export function contentOf(result: JsonObject): JsonValue {
  const [item] = result["content"] as { text: string }[];
  const text = item?.text ?? "";
  return text.startsWith("{") || text.startsWith("[") ? (JSON.parse(text) as JsonValue) : text;
}

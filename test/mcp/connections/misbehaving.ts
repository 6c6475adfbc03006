import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { isAlive } from "../../bindings/is-alive.ts";
import { shareInFile, whenDone } from "../../e2e/share-in-file.ts";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import type { ConnectionOptions } from "@codemode/runtime/connections/connect-server";
import { connectWithLogin } from "../../../runtime/mcp/connect-with-login.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ServerConnection } from "@codemode/runtime/connections/server-connection";
import type { ServerTarget, StdioTarget } from "@codemode/runtime/connections/server-target";

export const SERVERS_FOLDER = fileURLToPath(new URL("../../servers/", import.meta.url));
export const NODE_MODULES = fileURLToPath(new URL("../../../node_modules/", import.meta.url));

/** Enough for a server on a busy machine to start; tests about time-outs say their own. */
const TIMEOUT_MS = 10_000;

let folder: string | undefined;
const open = new Set<ServerConnection>();

/** A folder of the running test, where its servers write their process ids. After the test no process of it may be left. */
function testFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), "codemode-connections-"));
  folder = made;
  whenDone(async () => {
    await closeAll();
    const left = pidsIn(made).filter(isAlive);
    folder = undefined;
    rmSync(made, { recursive: true });
    expect(left, "processes left behind").toEqual([]);
  });
  return made;
}

/** A connection that the tests beside this line share, to a server that they leave as it is. */
export function shareConnection(makeTarget: () => ServerTarget, options?: ConnectionOptions): () => ServerConnection {
  return shareInFile(async () => {
    const target = makeTarget();
    // The next test has a folder of its own.
    folder = undefined;
    const connection = await connectWithLogin(target, options);
    whenDone(() => connection.close());
    return connection;
  });
}

async function closeAll(): Promise<void> {
  await Promise.all([...open].map((connection) => connection.close()));
  open.clear();
}

/** The process ids of all servers that the running test started, and of their children, in order. */
export function startedPids(): number[] {
  return pidsIn(testFolder());
}

function pidsIn(made: string): number[] {
  try {
    return readFileSync(join(made, "pids"), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

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
    cwd: testFolder(),
    timeoutMs: TIMEOUT_MS,
    ...fields,
    env: { PID_FILE: join(testFolder(), "pids"), ...fields.env },
  };
}

/** Connects; the connection is closed after the test. */
export async function connect(target: ServerTarget, options?: ConnectionOptions): Promise<ServerConnection> {
  onTestFinished(closeAll);
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

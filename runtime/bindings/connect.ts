import type { Connection, ConnectOptions, PerformCall } from "./connect-options.ts";
import { connectByCall } from "./connection.ts";
import { CodemodeError } from "./errors.ts";

export type { Connection, ConnectOptions, DriftMode, HttpServer, StdioServer, PerformCall } from "./connect-options.ts";

/**
 * Says how bindings reach their servers. Servers are started or reached on their first call. Outside of Node only
 * `{ call }` can be given.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  if ("call" in options) return connectByCall(options.call);
  throw new CodemodeError("Servers can only be started in Node.", {
    hint: "Give a function that performs the calls: connect({ call }).",
  });
}

let current: Connection | undefined;

/** Has all calls performed by a function, until another one is set; undefined takes it back. */
export function setCaller(call: PerformCall | undefined): void {
  void current?.close();
  current = call === undefined ? undefined : connectByCall(call);
}

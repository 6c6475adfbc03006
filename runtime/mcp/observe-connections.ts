import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import type { ServerLog } from "@codemode/runtime/connections/call-listener";
import type { ServerTarget } from "@codemode/runtime/connections/server-target";
import type { OnServerEvent } from "../../schemas/run/events.ts";

/** One attempt to connect a server, and the life of the connection that came of it. */
export interface ObservedConnection {
  connected(): void;
  unreachable(error: unknown): void;
  ended(ending: ConnectionError): void;
  logged(message: ServerLog): void;
}

/** Makes the function to call before a server is connected; it reports the outcome. */
export function observeConnections(
  onEvent: OnServerEvent,
): (target: ServerTarget, client?: string) => ObservedConnection {
  const starts = new Map<string, number>();
  return ({ id: serverId, transport }, client) => {
    const key = client === undefined ? serverId : `${serverId} ${client}`;
    const server = { serverId, ...withoutUndefined({ client }) };
    let since = performance.now();
    const elapsed = (): number => performance.now() - since;
    return {
      connected() {
        const restarts = starts.get(key) ?? 0;
        starts.set(key, restarts + 1);
        onEvent({ kind: "connected", ...server, transport, durationMs: elapsed(), restarts });
        since = performance.now();
      },
      unreachable(error) {
        const [code, reason] = [codeOf(error), reasonOf(error)];
        onEvent({ kind: "unreachable", ...server, code, reason, durationMs: elapsed() });
      },
      logged: (message) => onEvent({ kind: "logged", serverId, ...message }),
      ended: (ending) => onEvent({ kind: "disconnected", ...server, code: ending.kind, afterMs: elapsed() }),
    };
  };
}

function reasonOf(error: unknown): string {
  return error instanceof ConnectionError || error instanceof CodemodeError ? error.message : "an error of codemode";
}

function codeOf(error: unknown): string {
  if (error instanceof ConnectionError) return error.kind;
  return error instanceof CodemodeError ? error.code : "internal";
}

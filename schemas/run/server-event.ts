import type { ServerLogLevel } from "./tool-call-event.ts";

/**
 * What was done about a difference: `refreshed`: the lockfile has followed it; `pending`: it waits for a person; `accepted`: a person has
 * accepted these tools; `warned`: it was named; `refused`: a run was stopped.
 */
export type DriftHandling = "refreshed" | "pending" | "accepted" | "warned" | "refused";

/** What happens to servers. Codes are our own words; names of tools are the servers'. */
export type ServerEvent = ServerChangeEvent & {
  /** The client that the server runs for alone; absent where it is shared. */
  client?: string | undefined;
};

type ServerChangeEvent =
  | {
      kind: "connected";
      serverId: string;
      transport: "stdio" | "http" | "sse";
      durationMs: number;
      /** How often it was connected before by this host: more than 0 is a restart. */
      restarts: number;
    }
  /** It could not be started or reached. The code is a `ConnectionErrorKind`, or that of a `CodemodeError`. */
  | { kind: "unreachable"; serverId: string; code: string; durationMs: number }
  /** It has ended by itself, after so long. */
  | { kind: "disconnected"; serverId: string; code: string; afterMs: number }
  /** It has sent a log message: its own words, on one line and of bounded length. */
  | { kind: "logged"; serverId: string; level: ServerLogLevel; text: string }
  /** It differs from the lockfile: reported once per difference. */
  | {
      kind: "drifted";
      serverId: string;
      handling: DriftHandling;
      toolsAdded: readonly string[];
      toolsRemoved: readonly string[];
      toolsChanged: readonly string[];
    };

export type OnServerEvent = (event: ServerEvent) => void;

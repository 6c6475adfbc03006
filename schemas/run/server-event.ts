import type { ServerLogLevel } from "./tool-call-event.ts";

/** What happens to servers. Codes are our own words; names of tools are the servers'. */
export type ServerEvent = ServerChangeEvent & {
  /** The client that the server runs for alone; absent where it is shared. */
  client?: string;
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
  /** It differs from the lockfile: reported once per difference. `refreshed` if the lockfile has followed it. */
  | {
      kind: "drifted";
      serverId: string;
      handling: "refreshed" | "warned" | "refused";
      toolsAdded: readonly string[];
      toolsRemoved: readonly string[];
      toolsChanged: readonly string[];
    };

export type OnServerEvent = (event: ServerEvent) => void;

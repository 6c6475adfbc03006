import { type ProtocolEra } from "../../../schemas/lockfile.ts";

/** A server to connect to, all placeholders replaced: secrets of the configuration live in no other value. */
export type ServerTarget = StdioTarget;

/** A server that is a program speaking over its stdin and stdout. */
export interface StdioTarget {
  /** The `serverId`. */
  id: string;
  /** The name in the configuration. */
  name: string;
  transport: "stdio";
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** For each of: the start with its handshake, the whole tool list, a call. */
  timeoutMs: number;
  /** `legacy` unless the lockfile says otherwise. */
  era?: ProtocolEra;
  /** Values that came from elsewhere than `env`, by the name of their variable, to be masked in messages as well. */
  secrets?: Readonly<Record<string, string>>;
}

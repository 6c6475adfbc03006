import { existsSync } from "node:fs";
import { isAbsolute, join, parse } from "node:path";
import type { OAuthSettings } from "../../../schemas/config/config-file.ts";
import type { ProtocolEra } from "../../../schemas/lock/server-snapshot.ts";
import { SECRET_OAUTH_SETTINGS } from "../../../schemas/secrets/secret-names.ts";
import { withoutScheme } from "../../../schemas/secrets/written-credentials.ts";

/** A server to connect to, all placeholders replaced: secrets of the configuration live in no other value. */
export type ServerTarget = ConfiguredTarget | ProgramTarget;

/** A program or an address. */
export type ConfiguredTarget = StdioTarget | HttpTarget;

interface TargetBase {
  /** The `serverId`. */
  id: string;
  /** The name in the configuration. */
  name: string;
  /** For each of: the start with its handshake, the whole tool list, a call. */
  timeoutMs: number;
  /** Absolute paths of the folders that the server may know of. */
  roots?: readonly string[];
  /** As the lockfile has it. Without it the server is asked, which costs a question more. */
  era?: ProtocolEra;
  /** Values that came from elsewhere than `env` and `headers`, by the name of their variable, to be masked as well. */
  secrets?: Readonly<Record<string, string>>;
  /** All else that looks like a secret in the command, the URL and their values, by its place. */
  literals?: Readonly<Record<string, string>>;
}

/** A server that is a program speaking over its stdin and stdout. */
export interface StdioTarget extends TargetBase {
  transport: "stdio";
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Names of variables that it gets as they are. */
  inheritEnv?: readonly string[];
  cwd: string;
}

/** A server at a URL: streamable HTTP, or the older HTTP with SSE (`sse`). */
export interface HttpTarget extends TargetBase {
  transport: "http" | "sse";
  /** An absolute `http:` or `https:` URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  oauth?: OAuthSettings;
}

/** A server of this program: `openTransport` of `ConnectOptions` reaches it. */
export interface ProgramTarget extends TargetBase {
  transport: "program";
}

/** A path of this machine is no secret under any name: the message that quotes it needs it. */
function withoutPaths(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isPathHere(value)));
}

/** A token may begin with a slash as well; it is in no folder that exists. */
function isPathHere(value: string): boolean {
  if (!isAbsolute(value)) return false;
  const { root } = parse(value);
  const [first = ""] = value.slice(root.length).split(/[\\/]/);
  return first !== "" && value.length > root.length + first.length && existsSync(join(root, first));
}

/** Every value of a target that must not be seen, by the name to show instead. The name of a variable comes first: it says what to change. */
export function listSecrets(target: ServerTarget): Record<string, string> {
  if (target.transport === "program") return {};
  if (target.transport === "stdio") {
    return { ...withoutPaths(target.secrets ?? {}), ...target.literals, ...withoutPaths(target.env) };
  }
  const credentials = Object.entries(target.headers).flatMap(([name, value]) => {
    // `Bearer abc`: the second word alone is as secret as the whole.
    const credential = withoutScheme(value);
    return credential === value ? [] : [[`${name} credential`, credential] as const];
  });
  const { oauth = {} } = target;
  const settings = (Object.keys(SECRET_OAUTH_SETTINGS) as (keyof typeof SECRET_OAUTH_SETTINGS)[]).flatMap((key) =>
    oauth[key] === undefined ? [] : [[key, oauth[key]] as const],
  );
  return {
    ...target.secrets,
    ...target.literals,
    ...target.headers,
    ...Object.fromEntries(credentials),
    ...Object.fromEntries(settings),
  };
}

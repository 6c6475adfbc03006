import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";

/** The configuration that reaches a server as it was locked; the values of variables and headers are placeholders. */
export function printServerEntry({ name, source }: LockedServer): string {
  const entry = source.transport === "stdio" ? printProgram(source) : printAddress(source);
  return JSON.stringify({ mcpServers: toJsonObject([[name, entry]]) }, null, 2);
}

type Program = Extract<LockedServer["source"], { transport: "stdio" }>;
type Address = Exclude<LockedServer["source"], Program>;

function printProgram({ command, args, env, cwd }: Program): JsonValue {
  return {
    command,
    args: [...args],
    ...withoutUndefined({
      env: env.length === 0 ? undefined : toJsonObject(env.map((variable) => [variable, toPlaceholder(variable)])),
      cwd,
    }),
  };
}

function printAddress({ transport, url, headers }: Address): JsonValue {
  const placeholders = headers.map((header) => [header, toPlaceholder(header)] as const);
  return {
    type: transport,
    url: fillQuery(url),
    ...withoutUndefined({ headers: headers.length === 0 ? undefined : toJsonObject(placeholders) }),
  };
}

/** The lockfile keeps the names of a query alone. */
function fillQuery(url: string): string {
  return url.replace(/\?[^#]*/, (query) =>
    query.replace(/([^?&=]+)=(?=&|$)/g, (_, name: string) => `${name}=${toPlaceholder(name)}`),
  );
}

function toPlaceholder(name: string): string {
  return `\${${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}}`;
}

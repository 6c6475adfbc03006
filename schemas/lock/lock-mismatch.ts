import { isProgram } from "../config/program-server.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import type { Config, ServerConfig } from "../config/config.ts";
import { type JsonObject, type JsonValue, asJson } from "../json/json.ts";
import { toLockedSource } from "./lock-server.ts";
import type { LockedServer, LockedSource, Lockfile } from "./lockfile.ts";
import { operationsOf } from "./operations.ts";
import { isToolIncluded } from "../access/policy.ts";
import { withoutQueryValues } from "../secrets/mask-secrets.ts";

/** A server whose lock entry does not follow from the configuration. */
export interface LockMismatch {
  serverId: string;
  /** What differs, in a few words. */
  problem: string;
}

/**
 * Compares a lockfile with the configuration, without any server: what `codemode lock` would change for any answer of the servers.
 * @param serverIds the servers to look at
 */
export function findLockMismatches(
  { servers, outputs, types }: Pick<Config, "servers" | "outputs" | "types">,
  lockfile: Lockfile,
  serverIds: Iterable<string>,
): LockMismatch[] {
  const configured = new Map(servers.map((server) => [server.id, server]));
  return [...serverIds].flatMap((serverId) => {
    const locked = lockfile.servers.get(serverId);
    const problem =
      findProblem(configured.get(serverId), locked, outputs) ?? (locked && describeRetyped(locked, types));
    return problem === undefined ? [] : [{ serverId, problem }];
  });
}

/** The servers whose types the configuration wants in another form than they were locked for. */
export function findRetyped({ servers, types }: Pick<Config, "servers" | "types">, lockfile: Lockfile): LockMismatch[] {
  return servers.flatMap(({ id: serverId }) => {
    const locked = lockfile.servers.get(serverId);
    const problem = locked && describeRetyped(locked, types);
    return problem === undefined ? [] : [{ serverId, problem }];
  });
}

function describeRetyped(locked: LockedServer, { openObjects }: Config["types"]): string | undefined {
  return (locked.openObjects ?? "closed") === openObjects ? undefined : `"types.openObjects" is ${openObjects} now`;
}

function findProblem(
  server: ServerConfig | undefined,
  locked: LockedServer | undefined,
  outputs: Config["outputs"],
): string | undefined {
  if (server === undefined && locked !== undefined && isProgram(locked)) return undefined;
  if (server === undefined) return "it is not in the configuration";
  if (locked === undefined) return "it is not in the lockfile";
  const keys = differingKeys(withoutPackage(toLockedSource(server)), withoutPackage(withoutQueries(locked.source)));
  if (keys.length > 0) return `changed in the configuration: ${keys.join(", ")}`;
  const operations = operationsOf(locked);
  const hidden = operations.filter(({ name }) => !isToolIncluded(server.tools, name)).map(({ name }) => name);
  if (hidden.length > 0) return `"tools" leaves out ${hidden.join(", ")}`;
  const retyped = operations
    .filter((tool) => !hasConfiguredOutput(tool, outputs.get(`${server.id}/${tool.name}`)))
    .map(({ name }) => name);
  return retyped.length === 0 ? undefined : `"outputs" has another schema for ${retyped.join(", ")}`;
}

/** Older lockfiles hold the values of a query too. */
function withoutQueries(source: LockedSource): LockedSource {
  return !("url" in source) ? source : { ...source, url: withoutQueryValues(source.url) };
}

/** Which package a command started is found when it is locked. */
function withoutPackage(source: LockedSource): JsonObject {
  const { package: _, ...rest } = { package: undefined, ...source };
  return asJson(rest);
}

function differingKeys(left: JsonObject, right: JsonObject): string[] {
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return keys.filter((key) => textOf(left[key]) !== textOf(right[key]));
}

function hasConfiguredOutput(tool: LockedServer["tools"][number], configured: JsonValue | undefined): boolean {
  const locked = tool.outputSchemaFrom === "configuration" ? tool.outputSchema : undefined;
  return textOf(configured) === textOf(locked);
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? "" : canonicalJson(value);
}

import { setsResult } from "../../schemas/run/missing-result.ts";
import { isJsonObject, type JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile, serverIdOf } from "../../schemas/lock/operations.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import { findNamedServers } from "../project/script.ts";

/**
 * How a script that has run may have lost a value by a name that its types do not have: its `result` is nothing though it sets one, or it reads a `member`
 * that neither the results of its tools nor the language know. It costs no type check, and may be wrong in both ways.
 */
export function findLoss({ result }: RunAnswer, code: string, lockfile: Lockfile): "result" | "member" | undefined {
  if (result === null && setsResult(code)) return "result";
  return readsUnknownMember(code, lockfile) ? "member" : undefined;
}

/** Whether a type error says that a member is not there. */
export function isOfMember({ message }: Diagnostic): boolean {
  return /^Property .+ does not exist/.test(message);
}

/** A name, with the dot before one that is a member's. */
const NAME = /(\.\s*)?([A-Za-z_$][\w$]*)/g;

function readsUnknownMember(code: string, lockfile: Lockfile): boolean {
  // A schema without properties says nothing of the members of a result.
  const tools = namedTools(code, lockfile).filter((tool) => outputNames(tool).has("properties"));
  if (tools.length === 0) return false;
  const [written, members] = [new Set<string>(), new Set<string>()];
  for (const [, dot, name = ""] of code.matchAll(NAME)) (dot === undefined ? written : members).add(name);
  return [...members].some(
    (name) => !written.has(name) && !languageNames().has(name) && !tools.some((tool) => outputNames(tool).has(name)),
  );
}

/** The tools of the servers that a script names, of which it has the name. */
function namedTools(code: string, lockfile: Lockfile): LockedTool[] {
  const servers = new Set(findNamedServers(code, lockfile.servers));
  return [...modulesOfLockfile(lockfile).values()]
    .filter(({ id }) => servers.has(serverIdOf(id)))
    .flatMap(({ tools }) => tools)
    .filter(({ exportName }) => code.includes(exportName));
}

const namesOfOutputs = new WeakMap<LockedTool, ReadonlySet<string>>();

/** Every key in the output schema of a tool, the names of its properties included. */
function outputNames(tool: LockedTool): ReadonlySet<string> {
  const known = namesOfOutputs.get(tool);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const waiting: JsonValue[] = [tool.outputSchema ?? {}];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isJsonObject(value)) for (const key of Object.keys(value)) names.add(key);
    if (typeof value === "object" && value !== null) waiting.push(...Object.values(value));
  }
  namesOfOutputs.set(tool, names);
  return names;
}

let namesOfLanguage: ReadonlySet<string> | undefined;

/** The members of everything that the language, and this engine, have. */
function languageNames(): ReadonlySet<string> {
  namesOfLanguage ??= new Set(
    Reflect.ownKeys(globalThis)
      .map((key) => Object.getOwnPropertyDescriptor(globalThis, key)?.value as unknown)
      .filter((value) => value instanceof Object)
      .flatMap((value) => [value, (value as { prototype?: unknown }).prototype])
      .filter((value) => value instanceof Object || (typeof value === "object" && value !== null))
      .flatMap(Reflect.ownKeys)
      .filter((key) => typeof key === "string"),
  );
  return namesOfLanguage;
}

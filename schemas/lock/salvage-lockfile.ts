import { withoutUndefined } from "../json/without-undefined.ts";
import { parse as parseTolerantly } from "jsonc-parser";
import { lockfileInvalid } from "../errors.ts";
import type { Integrity, TextDigest } from "./integrity.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, asJson } from "../json/json.ts";
import { serverIntegrity, lockedIntegrity } from "./lock-server.ts";
import type { LockedServer, LockedTool, Lockfile } from "./lockfile.ts";
import { learnInto } from "../observed/learn-into.ts";
import { observedOf, parseObserved } from "../observed/observed-results.ts";
import { assignOperationNames, OPERATION_LISTS } from "./operations.ts";
import { assertReadableVersion, parseLockedServer } from "./lockfile-text.ts";
import { CodemodeError } from "../codemode-error.ts";

/** What a broken lockfile still holds. */
export interface SalvagedLockfile {
  /** Entries whose integrities fit, and on which both sides of a merge conflict agree. */
  intact: Lockfile;
  /** What the file says of the other servers, each side of a conflict by itself: for comparison, never to be accepted. */
  readable: ReadonlyMap<string, readonly LockedServer[]>;
  /** Why the other servers are not intact, by server id. */
  problems: ReadonlyMap<string, string>;
  /** By the ids of intact servers, what is wrong with shapes of results, which are left out. No integrity covers them. */
  brokenShapes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads as much of a lockfile as its integrities vouch for: one that was edited, cut off, or holds the marks of a merge conflict.
 * @param file for the error's line
 * @throws CodemodeError where only a newer codemode can read the file
 */
export function salvageLockfile(text: string, file: string, digest?: TextDigest): SalvagedLockfile {
  const sides = splitSides(text).map((side) => readSide(side, file));
  const intact = new Map<string, LockedServer>();
  const readable = new Map<string, LockedServer[]>();
  const problems = new Map<string, string>();
  const brokenShapes = new Map<string, readonly string[]>();
  for (const id of new Set(sides.flatMap((side) => [...side.keys()]))) {
    const readings = sides.flatMap((side) =>
      side.has(id) ? [readEntry(id, side.get(id) as JsonValue, file, digest)] : [],
    );
    const [server, ...others] = readings.map((reading) => reading.intact);
    if (server !== undefined && others.every((other) => isSame(other, server))) {
      intact.set(
        id,
        others.reduce<LockedServer>((joined, other) => withShapesOf(other, joined), server),
      );
      const broken = readings.flatMap((reading) => reading.brokenShapes ?? []);
      if (broken.length > 0) brokenShapes.set(id, broken);
      continue;
    }
    problems.set(
      id,
      readings.find(({ problem }) => problem !== undefined)?.problem ?? "the two sides of the conflict differ",
    );
    readable.set(
      id,
      readings.flatMap((reading) => reading.readable ?? []),
    );
  }
  return { intact: { servers: intact }, readable, problems, brokenShapes };
}

/** Both sides of all conflicts (git's marks, with or without the common base); the text itself where there is none. */
function splitSides(text: string): string[] {
  if (!/^<{7}/m.test(text)) return [text];
  const ours: string[] = [];
  const theirs: string[] = [];
  let part: "base" | "both" | "ours" | "theirs" = "both";
  for (const line of text.split("\n")) {
    if (line.startsWith("<<<<<<<")) part = "ours";
    else if (line.startsWith("|||||||") && part === "ours") part = "base";
    else if (line.startsWith("=======") && part !== "both") part = "theirs";
    else if (line.startsWith(">>>>>>>")) part = "both";
    else {
      if (part === "both" || part === "ours") ours.push(line);
      if (part === "both" || part === "theirs") theirs.push(line);
    }
  }
  return [ours.join("\n"), theirs.join("\n")];
}

/** The entries of "servers" that can be recognized in a text that may not be valid JSON. */
function readSide(text: string, file: string): Map<string, JsonValue> {
  const root = parseTolerantly(text) as JsonValue | undefined;
  if (root === undefined || !isJsonObject(root)) return new Map();
  assertReadableVersion(ownValue(root, "lockfileVersion"), (problem, hint = "") =>
    lockfileInvalid(file, problem, hint),
  );
  const servers = ownValue(root, "servers");
  return new Map(servers !== undefined && isJsonObject(servers) ? Object.entries(servers) : []);
}

interface Reading {
  intact?: LockedServer;
  readable?: LockedServer;
  problem?: string;
  brokenShapes?: readonly string[];
}

function readEntry(id: string, value: JsonValue, file: string, digest: TextDigest | undefined): Reading {
  const parsed = tryToParse(() => parseLockedServer(id, value, file, digest));
  if (!(parsed instanceof CodemodeError)) return { intact: parsed, readable: parsed };
  const { entry, problems } = dropBrokenShapes(value);
  const rest = problems.length === 0 ? parsed : tryToParse(() => parseLockedServer(id, entry, file, digest));
  if (!(rest instanceof CodemodeError)) return { intact: rest, readable: rest, brokenShapes: problems };
  const problem = rest.message.replace(`${file}: server "${id}": `, "");
  const sealed = tryToParse(() => parseLockedServer(id, sealAgain(entry, digest), file, digest));
  return sealed instanceof CodemodeError ? { problem } : { problem, readable: sealed };
}

function tryToParse(parse: () => LockedServer): LockedServer | CodemodeError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CodemodeError) return error;
    throw error;
  }
}

/** The entry with the integrities and names that its content would have, so that a comparison shows what was edited. */
function sealAgain(value: JsonValue, digest: TextDigest | undefined): JsonValue {
  if (!isJsonObject(value)) return value;
  const [tools, resources, prompts] = ["tools", ...OPERATION_LISTS.map(({ list }) => list)].map((list) =>
    sealTools(ownValue(value, list), digest),
  );
  const instructions = ownValue(value, "instructions");
  const lists = {
    tools: tools ?? [],
    ...withoutUndefined({ resources, prompts }),
  };
  const self = {
    serverInfo: ownValue(value, "serverInfo") as JsonObject,
    ...lists,
    ...withoutUndefined({ instructions: typeof instructions === "string" ? instructions : undefined }),
  };
  const integrity: Integrity = serverIntegrity(self, digest);
  return { ...value, ...asJson(lists), integrity };
}

function sealTools(listed: JsonValue | undefined, digest: TextDigest | undefined): LockedTool[] | undefined {
  if (listed === undefined) return undefined;
  const named = (Array.isArray(listed) ? listed : []).filter((tool): tool is JsonObject & LockedTool => isNamed(tool));
  const exportNames = assignOperationNames(named);
  return named.map((tool) => ({
    ...tool,
    exportName: exportNames.get(tool.name) as string,
    integrity: lockedIntegrity(tool, digest),
  }));
}

function isNamed(tool: JsonValue): tool is JsonObject & { name: string } {
  return isJsonObject(tool) && typeof ownValue(tool, "name") === "string";
}

/** Also what no integrity covers, such as how the server is started; but not what was observed, which can be joined. */
function isSame(left: LockedServer | undefined, right: LockedServer): left is LockedServer {
  return JSON.stringify(left && withoutShapes(left)) === JSON.stringify(withoutShapes(right));
}

function withoutShapes(server: LockedServer): LockedServer {
  return { ...server, tools: server.tools.map(({ observed: _, ...tool }) => tool) };
}

function withShapesOf(other: LockedServer | undefined, server: LockedServer): LockedServer {
  const seen = other?.tools.flatMap((tool) => {
    const observed = observedOf(tool);
    return observed === undefined ? [] : [[tool.name, observed] as const];
  });
  const observations = new Map([[server.id, new Map(seen)]]);
  return learnInto({ servers: new Map([[server.id, server]]) }, observations).servers.get(server.id) ?? server;
}

/** The entry without shapes of results that cannot be read, and what is wrong with each. */
function dropBrokenShapes(entry: JsonValue): { entry: JsonValue; problems: readonly string[] } {
  const tools = isJsonObject(entry) ? ownValue(entry, "tools") : undefined;
  if (!isJsonObject(entry) || !Array.isArray(tools)) return { entry, problems: [] };
  const problems: string[] = [];
  const kept = tools.map((tool) => {
    const observed = isJsonObject(tool) ? ownValue(tool, "observed") : undefined;
    if (!isJsonObject(tool) || observed === undefined) return tool;
    try {
      parseObserved(observed, (problem) => new Error(problem));
      return tool;
    } catch (error) {
      problems.push(`"observed" of ${JSON.stringify(tool["name"])}: ${(error as Error).message}`);
      const { observed: _, ...rest } = tool;
      return rest;
    }
  });
  return { entry: { ...entry, tools: kept }, problems };
}

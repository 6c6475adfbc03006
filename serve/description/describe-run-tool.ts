import type { Lockfile, LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import type { SavedScript } from "../../schemas/run/saved-script.ts";
import { costOf, type Room, without, fitsRoom } from "./room.ts";
import { countTools, modulesInOrder, serversInOrder } from "../servers-in-order.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import { signatureOf } from "../../engine/declarations.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import { shortenText } from "../../schemas/text/short-text.ts";
import { readClaims } from "../../schemas/access/policy.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { operationsOf } from "../../schemas/lock/operations.ts";

const BEGINNING = `Runs one ES module (TypeScript or JavaScript, top-level await) in a fresh sandbox and returns its logs, result and diagnostics. Tools of MCP servers are imported as async functions of one object:

import { toolName } from "@codemode/servers/<serverId>";
globalThis.__codemode_result__ = await toolName({ … });

Do loops, filters and joins in the script and return only what is needed.`;

const CONTINUES = " A long run first answers with a runId: call again with it.";

/** What clients show of a description: Claude Code cuts at 4,096 characters, and before 2.1.300 at 2,048. */
const LONGEST: Room = { chars: 4000, tokens: 1000 };
/** With the schemas of the tool, a list of tools without signatures stays under 1,000 tokens. */
const INDEX_END: Room = { chars: 1800, tokens: 560 };

/** The least that the index gets, however long a configured template is. */
const LEAST_INDEX: Room = { chars: 800, tokens: 250 };

/** Describes the run tool to an agent that sees these tools and saved scripts. */
export type DescribeRunTool = (lockfile: Lockfile, scripts: readonly SavedScript[]) => string;

/** Makes what the description of the run tool says, which is all that many clients show to the model. */
export function makeRunToolDescription(settings: ServeSettings, finding: string): DescribeRunTool {
  const known = memoizeByLockfile(() => new Map<string, string>());
  return (lockfile, scripts) => {
    const index = printScriptIndex(scripts);
    const description = known(lockfile).get(index) ?? describeRunTool(lockfile, index, settings, finding);
    known(lockfile).set(index, description);
    return description;
  };
}

function describeRunTool(lockfile: Lockfile, scripts: string, settings: ServeSettings, finding: string): string {
  const count = countTools([...lockfile.servers.values()]);
  const continues = settings.detachAfterMs > 0 ? CONTINUES : "";
  const template = settings.description ?? `${BEGINNING}${continues}\n\n{{types}}`;
  const [before = ""] = template.split("{{types}}", 1);
  const types = printTypes(lockfile, {
    finding,
    scripts,
    indexRoom: atLeast(LEAST_INDEX, without(INDEX_END, costOf(before))),
    room: without(LONGEST, costOf(template)),
    // If another tool shows signatures, the description contains them only on request.
    signatureTokens: settings.typesBudget ?? (settings.surface === "run" ? undefined : 0),
  });
  return fillTemplate(template, { count, types, search: finding });
}

function atLeast(least: Room, room: Room): Room {
  return { chars: Math.max(least.chars, room.chars), tokens: Math.max(least.tokens, room.tokens) };
}

interface TypesOptions {
  /** How tools are found: stands before the index. */
  finding: string;
  /** What follows the index: the saved scripts, in one line. */
  scripts: string;
  /** For the text on finding tools, the index and the scripts. */
  indexRoom: Room;
  /** For all of it, where `signatureTokens` says nothing else. */
  room: Room;
  /** Tokens for signatures. Absent: as many as fit into the room, if the index has the names of all tools. */
  signatureTokens?: number | undefined;
}

/** No signature takes less, so that servers with too many tools need not be printed to be left out. */
const LEAST_OF_A_TOOL: Room = { chars: 20, tokens: 8 };

const HEADING = "Servers and their tools:";

/**
 * What a description says of all tools: how to find them, an index of the servers, and then the signatures of whole servers, in the order
 * of the lockfile, as long as they fit. Clients cut descriptions, so the index stands first. The same lockfile gives the same text.
 */
function printTypes(lockfile: Lockfile, options: TypesOptions): string {
  const { finding, scripts, indexRoom, room, signatureTokens } = options;
  const servers = serversInOrder(lockfile);
  if (servers.length === 0) {
    return join(["There are no tools: no server is configured, or none of its tools may be called.", scripts]);
  }
  const before = `${finding}\n\n${HEADING}\n`;
  const indexLeft = without(indexRoom, costOf(`${before}${scripts}`));
  const index = printCompactIndex(servers, indexLeft);
  const modules = modulesInOrder(lockfile).slice(servers.length);
  const others = index.namesAll ? printModules(modules, without(indexLeft, costOf(index.text))) : [];
  const head = join([before + [index.text, ...others].join("\n"), scripts]);
  if (signatureTokens !== undefined) {
    const asked = signatureTokens - estimateTokens(scripts);
    return join([head, ...printServers(modulesInOrder(lockfile), { chars: Infinity, tokens: asked })]);
  }
  // Of resources and prompts the names say most: room for signatures is for tools.
  return join([head, ...(index.namesAll ? printServers(servers, without(room, costOf(head))) : [])]);
}

const PARAGRAPH = "\n\n";

function join(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== "").join(PARAGRAPH);
}

/** The signatures of each server that fits into what those before it have left. */
function printServers(servers: readonly LockedServer[], room: Room): string[] {
  let left = room;
  return servers.flatMap((server) => {
    const printed = printServer(server, left);
    if (printed === undefined) return [];
    left = without(left, printed.cost);
    return [printed.text];
  });
}

/** The signatures of a server; undefined as soon as they turn out to cost more than is left. */
function printServer({ id, tools }: LockedServer, left: Room): { text: string; cost: Room } | undefined {
  const least = { chars: tools.length * LEAST_OF_A_TOOL.chars, tokens: tools.length * LEAST_OF_A_TOOL.tokens };
  if (tools.length === 0 || !fitsRoom(least, left)) return undefined;
  const lines = [`// "@codemode/servers/${id}"`];
  const cost = costOf(`${PARAGRAPH}${lines[0]}`);
  for (const tool of tools) {
    const line = signatureOf(tool);
    cost.chars += line.length + 1;
    cost.tokens += tokensOf(tool, line);
    if (!fitsRoom(cost, left)) return undefined;
    lines.push(line);
  }
  return { text: lines.join("\n"), cost };
}

const known = new WeakMap<LockedTool, number>();

function tokensOf(tool: LockedTool, line: string): number {
  const tokens = known.get(tool) ?? estimateTokens(`${line}\n`);
  known.set(tool, tokens);
  return tokens;
}

/** Servers in few words. */
interface CompactIndex {
  text: string;
  /** Whether it has the name of every tool. */
  namesAll: boolean;
}

/**
 * Names servers in few words: each with the names of its tools while there is room, else with the number of them, else alone.
 * One line for each server whose tools are named, and one for all others. Ids and export names are identifiers,
 * so that nothing in them can begin a line.
 */
function printCompactIndex(servers: readonly LockedServer[], room: Room): CompactIndex {
  const counted = new Map(servers.map((server) => [server, `${server.id} ${server.tools.length}`]));
  let left = without(room, costOf([...counted.values()].join(SEPARATOR)));
  if (!fitsRoom(NOTHING, left)) return { text: printIds(servers, room), namesAll: false };
  const lines: string[] = [];
  for (const [server, text] of counted) {
    const { tools } = server;
    // Of a long list nothing needs to be put together.
    if (tools.length === 0 || tools.length * LEAST_NAME > left.chars) continue;
    const line = printNames(server);
    const cost = without(costOf(`${line}\n`), costOf(text));
    if (!fitsRoom(cost, left)) continue;
    left = without(left, cost);
    lines.push(line);
    counted.delete(server);
  }
  return {
    text: [...lines, ...(counted.size > 0 ? [[...counted.values()].join(SEPARATOR)] : [])].join("\n"),
    namesAll: [...counted.keys()].every(({ tools }) => tools.length === 0),
  };
}

/** Resources and prompts of servers, a line for each that fits: discovery names the others. */
function printModules(modules: readonly LockedServer[], room: Room): string[] {
  let left = room;
  return modules.flatMap((module) => {
    const line = printNames(module);
    const cost = costOf(`\n${line}`);
    if (!fitsRoom(cost, left)) return [];
    left = without(left, cost);
    return [line];
  });
}

function printNames({ id, tools }: LockedServer): string {
  return `${id}: ${tools.map(({ exportName }) => exportName).join(SEPARATOR)}`;
}

const NOTHING: Room = { chars: 0, tokens: 0 };
const SEPARATOR = ", ";
const LEAST_NAME = SEPARATOR.length + 1;

function printIds(servers: readonly LockedServer[], room: Room): string {
  const ids = servers.map(({ id }) => id);
  const all = ids.join(SEPARATOR);
  if (fitsRoom(costOf(all), room)) return all;
  const printRest = (rest: number): string => `and ${rest} more of ${servers.length} servers`;
  let left = without(room, costOf(printRest(servers.length)));
  const shown = ids.filter((id) => {
    left = without(left, costOf(`${id}${SEPARATOR}`));
    return fitsRoom(NOTHING, left);
  });
  return [...shown, printRest(servers.length - shown.length)].join(SEPARATOR);
}

const BUDGET = 120;
const LONGEST_DESCRIPTION = 60;

/**
 * Names saved scripts on one line, with what they do while there is room; nothing where there are none. Their number does not
 * change how long it may be.
 */
function printScriptIndex(scripts: readonly SavedScript[]): string {
  if (scripts.length === 0) return "";
  let left = BUDGET - estimateTokens(printLine([], scripts.length));
  const take = (text: string): boolean => {
    const cost = estimateTokens(text);
    if (cost > left) return false;
    left -= cost;
    return true;
  };
  const named = scripts.filter(({ name }) => take(`, ${name}`));
  const texts = named.map(({ name, description = "" }) => {
    const brief = ` (${oneLine(shortenText(description, LONGEST_DESCRIPTION))})`;
    return description !== "" && take(brief) ? `${name}${brief}` : name;
  });
  return printLine(texts, scripts.length - named.length);
}

function printLine(texts: readonly string[], more: number): string {
  const listed = [...texts, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return `Saved scripts, run by name with { script, input } instead of code: ${listed}. listScripts() of @codemode/discovery shows their inputs.`;
}

/** What the placeholders of a description stand for. */
interface TemplateValues {
  types: string;
  count: number;
  /** How an agent finds a tool. */
  search: string;
}

/** Replaces `{{types}}`, `{{count}}` and `{{search}}`, once and literally: what is put in is never looked at again. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{\{(types|count|search)\}\}/g, (_placeholder, name: keyof TemplateValues) =>
    String(values[name]),
  );
}

/**
 * What a script can do at most, from the claims of all tools that it may call: clients ask a person less often, or not at all, where
 * everything only reads. Without tools nothing is claimed: the first server may come while the client is connected.
 */
export function annotateRunTool({ servers }: Lockfile): JsonObject {
  const claims = [...servers.values()].flatMap((server) => operationsOf(server).map(readClaims));
  const isEmpty = claims.length === 0;
  return {
    readOnlyHint: !isEmpty && claims.every(({ readOnly }) => readOnly),
    destructiveHint: isEmpty || claims.some(({ destructive }) => destructive),
    openWorldHint: isEmpty || claims.some(({ openWorld }) => openWorld),
  };
}

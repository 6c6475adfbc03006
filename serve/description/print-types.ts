import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import { signatureOf } from "../../engine/declarations.ts";
import { printCompactIndex, printModules } from "./compact-index.ts";
import { costOf, fits, type Room, without } from "./room.ts";
import { modulesInOrder, serversInOrder } from "../servers-in-order.ts";

export interface TypesOptions {
  /** How tools are found: stands before the index. */
  finding: string;
  /** What follows the index: the saved scripts, in one line. */
  scripts: string;
  /** For the text on finding tools, the index and the scripts. */
  indexRoom: Room;
  /** For all of it, where `signatureTokens` says nothing else. */
  room: Room;
  /** Tokens for signatures. Absent: those that fit into the room, if the index has the names of all tools. */
  signatureTokens?: number | undefined;
}

/** No signature takes less, so that servers with too many tools need not be printed to be left out. */
const LEAST_OF_A_TOOL: Room = { chars: 20, tokens: 8 };

const HEADING = "Servers and their tools:";

/**
 * What a description says of all tools: how to find them, an index of the servers, and then the signatures of whole servers, in the order
 * of the lockfile, as long as they fit. Clients cut descriptions, so the index stands first. The same lockfile gives the same text.
 */
export function printTypes(lockfile: Lockfile, options: TypesOptions): string {
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
  if (tools.length === 0 || !fits(least, left)) return undefined;
  const lines = [`// "@codemode/servers/${id}"`];
  const cost = costOf(`${PARAGRAPH}${lines[0]}`);
  for (const tool of tools) {
    const line = signatureOf(tool);
    cost.chars += line.length + 1;
    cost.tokens += tokensOf(tool, line);
    if (!fits(cost, left)) return undefined;
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

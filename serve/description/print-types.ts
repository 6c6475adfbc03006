import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { estimateTokens } from "../../schemas/text/estimate-tokens.ts";
import { signatureOf } from "../../engine/declarations.ts";
import { printCompactIndex } from "./compact-index.ts";
import { countTools, serversInOrder } from "../servers-in-order.ts";

/** How much a description may say of the tools. */
export interface TypesBudget {
  /** Tokens for signatures. Absent: all signatures where they fit `DEFAULT_BUDGET`, and else none. */
  tokens?: number | undefined;
  /** How tools that are not shown are found: follows the index. */
  finding: string;
  /** Tokens that something else takes of the room. */
  reserved?: number;
}

/** Signatures that cost no more than this save every agent a look-up. */
const DEFAULT_BUDGET = 3000;

/** With the rest of the default surface this stays under 1,000 tokens. */
const INDEX_BUDGET = 400;

/** No signature takes less, so that servers with too many tools need not be printed to be left out. */
const LEAST_OF_A_TOOL = 8;

/**
 * What a description says of all tools: the signatures of whole servers, in the order of the lockfile, as long as they fit
 * the budget, then an index of the other servers. The same lockfile gives the same text.
 */
export function printTypes(lockfile: Lockfile, { tokens, finding, reserved = 0 }: TypesBudget): string {
  const servers = serversInOrder(lockfile);
  if (servers.length === 0) return "There are no tools: no server is configured, or none of its tools may be called.";
  const whole =
    tokens === undefined ? allOrNone(servers, DEFAULT_BUDGET - reserved) : asManyAsFit(servers, tokens - reserved);
  const others = servers.filter(({ id }) => !whole.has(id));
  if (others.length === 0) return [...whole.values()].join("\n\n");
  const heading = `${whole.size > 0 ? "Further servers" : "Servers"} with the names or the number of their tools:`;
  return [...whole.values(), `${heading}\n${printCompactIndex(others, INDEX_BUDGET - reserved)}\n${finding}`].join(
    "\n\n",
  );
}

function allOrNone(servers: readonly LockedServer[], budget: number): ReadonlyMap<string, string> {
  if (countTools(servers) * LEAST_OF_A_TOOL > budget) return new Map();
  const whole = asManyAsFit(servers, budget);
  return whole.size === servers.length ? whole : new Map();
}

function asManyAsFit(servers: readonly LockedServer[], budget: number): ReadonlyMap<string, string> {
  const whole = new Map<string, string>();
  let left = budget;
  for (const server of servers) {
    const printed = printWhole(server, left);
    if (printed === undefined) continue;
    left -= printed.cost;
    whole.set(server.id, printed.text);
  }
  return whole;
}

/** The signatures of a server; undefined as soon as they turn out to cost more than is left. */
function printWhole({ id, tools }: LockedServer, left: number): { text: string; cost: number } | undefined {
  if (tools.length * LEAST_OF_A_TOOL > left) return undefined;
  const lines = [`// "@codemode/servers/${id}"`];
  let cost = estimateTokens(`${lines[0]}\n`);
  for (const tool of tools) {
    const line = signatureOf(tool);
    cost += costOf(tool, line);
    if (cost > left) return undefined;
    lines.push(line);
  }
  return { text: lines.join("\n"), cost };
}

const costs = new WeakMap<LockedTool, number>();

function costOf(tool: LockedTool, line: string): number {
  const cost = costs.get(tool) ?? estimateTokens(`${line}\n`);
  costs.set(tool, cost);
  return cost;
}

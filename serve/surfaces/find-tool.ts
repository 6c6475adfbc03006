import { nearestTool } from "@codemode/runtime/nearest-name";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import { modulesOfLockfile } from "../../schemas/lock/operations.ts";
import { toSourceLiteral } from "../../schemas/text/visible-text.ts";
import { CallProblem } from "./tool-arguments.ts";

/** How much of a name that an agent made up is repeated to it. */
const LONGEST_NAME = 100;

/** The server that an agent names, or a module of one. */
export function findServer(lockfile: Lockfile, name: string, otherwise: string): LockedServer {
  const modules = modulesOfLockfile(lockfile);
  const server = modules.get(name);
  if (server !== undefined) return server;
  throw new CallProblem(`There is no server ${quote(name)}.`, didYouMean(name, [...modules.keys()], otherwise));
}

/** The tool that an agent names: by its own name, or by that of its export. */
export function findTool(server: LockedServer, name: string, otherwise: string): LockedTool {
  const tool =
    server.tools.find((entry) => entry.name === name) ?? server.tools.find(({ exportName }) => exportName === name);
  if (tool !== undefined) return tool;
  const known = server.tools.map(({ exportName }) => exportName);
  throw new CallProblem(`The server "${server.id}" has no tool ${quote(name)}.`, didYouMean(name, known, otherwise));
}

function didYouMean(name: string, known: readonly string[], otherwise: string): string {
  const nearest = nearestTool(name.slice(0, LONGEST_NAME), known);
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`;
}

function quote(name: string): string {
  return toSourceLiteral(name.slice(0, LONGEST_NAME));
}

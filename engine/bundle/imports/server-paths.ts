import { foldName } from "@codemode/runtime/nearest-name";
import { SERVERS_PREFIX } from "../modules/module-ids.ts";

/** A relative path to a server, in the layout of code execution with files: `./servers/github/index.ts`, `../servers/github/getIssue.js`. */
const SERVER_PATH = /^\.{1,2}\/(?:\.\.\/)*servers\/([^/]+?)((?:\/[^/]+?)*?)(?:\/index)?(?:\.[cm]?[jt]s)?\/?$/;

/**
 * The specifier of the server that a relative path means where no such file is beside the script; undefined for any other path. The file of a tool
 * is its server.
 * @param modules the modules of the locked servers, by id
 */
export function serverOfPath(
  specifier: string,
  modules: ReadonlyMap<string, { tools: readonly { name: string }[] }>,
): string | undefined {
  const [, name = "", rest = ""] = SERVER_PATH.exec(specifier) ?? [];
  const steps = rest.split("/").slice(1);
  const id = findFolded(name, [...modules.keys()]);
  if (id === undefined || steps.length > 1) return undefined;
  const [step] = steps;
  if (step === undefined) return SERVERS_PREFIX + id;
  if (modules.has(`${id}/${step}`)) return `${SERVERS_PREFIX}${id}/${step}`;
  const isTool = findFolded(step, modules.get(id)?.tools.map((tool) => tool.name) ?? []) !== undefined;
  return isTool ? SERVERS_PREFIX + id : undefined;
}

/** The name of the server in such a path; undefined for any other path. */
export function serverNameInPath(specifier: string): string | undefined {
  return SERVER_PATH.exec(specifier)?.[1];
}

function findFolded(name: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(name);
  return candidates.find((one) => one === name) ?? candidates.find((one) => foldName(one) === folded);
}

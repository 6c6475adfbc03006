import { withoutUndefined } from "../json/without-undefined.ts";
import { byCodeUnits } from "../json/canonical-json.ts";
import type { LockedServer, LockedTool, Lockfile } from "./lockfile.ts";
import { claimExportNames, isExportNameOf } from "./names.ts";
import { memoizeByLockfile } from "./memoize-by-lockfile.ts";
import { countOf } from "../text/count-of.ts";

export const RESOURCE_PREFIX = "resource:";

/** The modules of a server beside its tools, and how the names of what is in them begin. A tool with such a name is left out. */
export const OPERATION_LISTS = [
  { list: "resources", prefix: RESOURCE_PREFIX },
  { list: "prompts", prefix: "prompt:" },
] as const;

export type OperationList = (typeof OPERATION_LISTS)[number]["list"];

/** What lists resources. */
export const LIST_RESOURCES = "resource:list";
/** What reads any resource. */
export const READ_RESOURCE = "resource:*";

const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  [LIST_RESOURCES, "list"],
  [READ_RESOURCE, "read"],
]);

/** The list that a name belongs to; undefined for the name of a tool. */
export function listOfName(name: string): OperationList | undefined {
  return OPERATION_LISTS.find(({ prefix }) => name.startsWith(prefix))?.list;
}

/** What a name says without what tells it from a tool's: a URI template, or the name of a prompt. */
export function subjectOfName(name: string): string {
  return listOfName(name) === undefined ? name : name.slice(name.indexOf(":") + 1);
}

/** The MCP method that performs what a name means. */
export function methodOfName(name: string): string {
  const list = listOfName(name);
  if (list === undefined) return "tools/call";
  if (list === "prompts") return "prompts/get";
  return name === LIST_RESOURCES ? "resources/list" : "resources/read";
}

/** Everything of a server that scripts can call: no two have the same name. */
export function operationsOf({ tools, resources = [], prompts = [] }: CallableServer): readonly LockedTool[] {
  return resources.length + prompts.length === 0 ? tools : [...tools, ...resources, ...prompts];
}

type CallableServer = Pick<LockedServer, "tools" | "resources" | "prompts">;

/** What a name means in a server; undefined where it has nothing of that name. */
export function findOperation(server: CallableServer | undefined, name: string): LockedTool | undefined {
  if (server === undefined) return undefined;
  const list = listOfName(name);
  return (list === undefined ? server.tools : server[list])?.find((tool) => tool.name === name);
}

/** The server with its tools, resources and prompts changed. */
export function mapOperations<Tool, Server extends Listed<Tool>>(
  server: Server & Listed<Tool>,
  change: (tools: readonly Tool[]) => readonly Tool[],
): Server {
  const { resources, prompts } = server;
  return {
    ...server,
    tools: change(server.tools),
    ...withoutUndefined({
      resources: resources === undefined ? undefined : change(resources),
      prompts: prompts === undefined ? undefined : change(prompts),
    }),
  };
}

interface Listed<Tool> {
  tools: readonly Tool[];
  resources?: readonly Tool[];
  prompts?: readonly Tool[];
}

/** A tool that is to get an export name, with the one that it had. */
type NamedTool = Pick<LockedTool, "name" | "templateName"> & { exportName?: string | undefined };

/**
 * The export names of one list, by name (specification 6.1). A name in the lockfile stays with its tool; then tools are named in the order of
 * the code units of their names: the first keeps the clean identifier, later ones get `__2`, `__3`. `list` and `read` keep theirs, also where
 * a template has that name.
 */
export function assignOperationNames(tools: readonly NamedTool[]): Map<string, string> {
  const wanted = new Map(
    tools.map(({ name, templateName }) => [name, OWN_NAMES.get(name) ?? templateName ?? subjectOfName(name)]),
  );
  const wantedOf = (name: string): string => wanted.get(name) as string;
  const names = [...wanted.keys()].toSorted(byCodeUnits);
  const former = new Map(
    tools.flatMap(({ name, exportName }) =>
      exportName !== undefined && isExportNameOf(exportName, wantedOf(name)) ? [[name, exportName] as const] : [],
    ),
  );
  const rank = (name: string): number => {
    if (OWN_NAMES.has(name)) return 0;
    return former.has(name) ? 1 : 2;
  };
  return claimExportNames(
    names.toSorted((left, right) => rank(left) - rank(right)),
    wantedOf,
    former,
  );
}

/**
 * The modules that scripts import of a server, each as a server of its own: `files`, `files/resources`, `files/prompts`. What is generated,
 * bundled and shown of a module goes by that id; calls go by the id of the server.
 */
export function modulesOf(server: LockedServer): LockedServer[] {
  const { resources: _, prompts: __, ...plain } = server;
  const others = OPERATION_LISTS.flatMap(({ list }) => {
    const tools = server[list] ?? [];
    return tools.length === 0 ? [] : [{ ...plain, id: `${server.id}/${list}`, tools }];
  });
  return [others.length === 0 ? server : plain, ...others];
}

/** One of a server's modules; undefined where there is nothing in it. */
export function moduleOf(server: LockedServer, list: OperationList): LockedServer | undefined {
  return modulesOf(server).find(({ id }) => id === `${server.id}/${list}`);
}

/** The modules of all servers, by id. */
export const modulesOfLockfile: (lockfile: Lockfile) => ReadonlyMap<string, LockedServer> = memoizeByLockfile(
  ({ servers }) => new Map([...servers.values()].flatMap(modulesOf).map((module) => [module.id, module])),
);

/** The module that has something of a server. */
export function moduleIdOf(serverId: string, name: string): string {
  const list = listOfName(name);
  return list === undefined ? serverId : `${serverId}/${list}`;
}

/** The module that a path begins with, and what follows: `files`, `files/read_file`, `files/prompts/review`. */
export function findModule(lockfile: Lockfile, path: string): { module: LockedServer; rest?: string } | undefined {
  const modules = modulesOfLockfile(lockfile);
  const [server = "", list = ""] = path.split("/");
  const id = modules.has(`${server}/${list}`) ? `${server}/${list}` : server;
  const module = modules.get(id);
  if (module === undefined) return undefined;
  return { module, ...withoutUndefined({ rest: path.length === id.length ? undefined : path.slice(id.length + 1) }) };
}

/** The server of a module's id. */
export function serverIdOf(moduleId: string): string {
  const [serverId = moduleId] = moduleId.split("/");
  return serverId;
}

/** What a server has in all: `12 tools, 4 prompts`. Resources are counted as the functions that read them. */
export function countOperations({ tools, resources, prompts }: LockedServer): string {
  const others = [
    [resources, "resource function"],
    [prompts, "prompt"],
  ] as const;
  return [
    countOf(tools.length, "tool"),
    ...others.flatMap(([list = [], what]) => (list.length === 0 ? [] : [countOf(list.length, what)])),
  ].join(", ");
}

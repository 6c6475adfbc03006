import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { emitServerIndex } from "../../templates/emit.ts";
import { planServer } from "../../templates/plan.ts";
import { type ServerPlan, type ToolPlan, serverSource, toolSource } from "../../templates/server-plan.ts";
import type { ModuleWords } from "./author-files.ts";
import { SERVERS_PREFIX } from "../bundle/modules/module-ids.ts";

/** Gives the declarations of a server as virtual files: exactly what `generate` would write, without reading that. */
export interface ServerTypings {
  /** Those of the tools that one of the modules names. */
  emit(server: LockedServer, modules: readonly ModuleWords[]): Promise<Map<string, string>>;
}

/** The virtual path of the module that a specifier such as `@codemode/servers/files` means. */
export function toTypingsPath(specifier: string): string {
  return `/${specifier}/index.d.ts`;
}

export function makeServerTypings(): ServerTypings {
  const plans = makeRecentValues<ServerPlan>(50);
  const texts = makeRecentValues<Promise<string>>(2000);
  return {
    async emit(server, modules) {
      const plan = plans.get(serverSource(server), () => planServer(server));
      const tools = plan.tools.filter((tool) => isNamed(tool, SERVERS_PREFIX + server.id, modules));
      const index = await emitServerIndex({ ...plan, tools });
      const printed = await Promise.all(
        tools.map(async (tool) => ({
          path: `${tool.moduleId}/${tool.file}.d.ts`,
          text: await texts.get(toolSource(tool), async () =>
            (await import("../../templates/print-tool.ts")).printTypings(tool),
          ),
        })),
      );
      return new Map(
        [...index, ...printed]
          .filter(({ path }) => path.endsWith(".d.ts"))
          .map(({ path, text }) => [`/${SERVERS_PREFIX}${path}`, text]),
      );
    },
  };
}

function isNamed({ exportName, types }: ToolPlan, specifier: string, modules: readonly ModuleWords[]): boolean {
  const names = [exportName, ...types.map(({ name }) => name)];
  return modules.some(
    ({ specifiers, words, usesNamespaces }) =>
      specifiers.has(specifier) && (usesNamespaces || names.some((name) => words.has(name))),
  );
}

/** Values by key, of which the ones that were not asked for the longest are forgotten. */
interface RecentValues<Value> {
  get(key: string, make: () => Value): Value;
}

function makeRecentValues<Value>(most: number): RecentValues<Value> {
  const values = new Map<string, Value>();
  return {
    get(key, make) {
      const known = values.get(key);
      const value = known ?? make();
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > most && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}

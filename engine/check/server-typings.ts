import { LRUCache } from "lru-cache";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { planServer } from "../../templates/plan.ts";
import { type ServerPlan, type ToolPlan, serverSource, toolSource } from "../../templates/server-plan.ts";
import type { ModuleWords } from "./author-files.ts";
import { SERVERS_PREFIX } from "../bundle/modules/module-ids.ts";

export type ServerTypings = ReturnType<typeof makeServerTypings>;

/** The virtual path of the module that a specifier such as `@codemode/servers/files` means. */
export function toTypingsPath(specifier: string): string {
  return `/${specifier}/index.d.ts`;
}

/** Gives the declarations of a server as virtual files: exactly what `generate` would write, without reading that. */
export function makeServerTypings() {
  const plans = new LRUCache<string, ServerPlan>({ max: 50 });
  const texts = new LRUCache<string, string>({ max: 2000 });
  return {
    /** Those of the tools that one of the modules names. */
    async emit(server: LockedServer, modules: readonly ModuleWords[]): Promise<Map<string, string>> {
      const plan = remember(plans, serverSource(server), () => planServer(server));
      const tools = plan.tools.filter((tool) => isNamed(tool, SERVERS_PREFIX + server.id, modules));
      // It brings in two compilers, which nothing but printing needs.
      const { declareTypes, emitServerIndex, printTypings } = await import("../../templates/emit.ts");
      const index = emitServerIndex({ ...plan, tools });
      const declared = await declareTypes(tools.filter((tool) => !texts.has(toolSource(tool))));
      const printed = tools.map((tool) => ({
        path: `${tool.moduleId}/${tool.file}.d.ts`,
        text: remember(texts, toolSource(tool), () => printTypings(tool, declared)),
      }));
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

function remember<Value extends object | string>(
  cache: LRUCache<string, Value>,
  key: string,
  make: () => Value,
): Value {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}

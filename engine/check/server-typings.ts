import { LRUCache } from "lru-cache";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { GeneratedFile } from "../../templates/generated-package.ts";
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
  const files = new LRUCache<string, GeneratedFile>({ max: 2000 });
  return {
    /** The declarations of the tools that one of the modules names, by their paths. */
    async emit(server: LockedServer, modules: readonly ModuleWords[]): Promise<Map<string, string>> {
      const source = serverSource(server);
      const plan = plans.get(source) ?? planServer(server);
      plans.set(source, plan);
      const tools = plan.tools.filter((tool) => isNamed(tool, SERVERS_PREFIX + server.id, modules));
      // It brings in two compilers, which nothing but printing needs.
      const { emitServerIndex, emitServerMeta, emitTypings } = await import("../../templates/emit.ts");
      const shown = { ...plan, tools };
      const known = tools.map((tool) => files.get(toolSource(tool)));
      const missing = tools.filter((_tool, index) => known[index] === undefined);
      const emitted = await emitTypings(missing);
      for (const [index, file] of emitted.entries()) files.set(toolSource(missing[index] as ToolPlan), file);
      return new Map(
        [...emitServerIndex(shown), ...emitServerMeta(shown), ...known, ...emitted]
          .filter((file) => file !== undefined)
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

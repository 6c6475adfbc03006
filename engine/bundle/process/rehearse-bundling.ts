import type { LockedServer, LockedTool } from "../../../schemas/lock/lockfile.ts";
import type { BundleOptions } from "../bundle-script.ts";
import type { Bundler } from "./bundler.ts";
import { SERVERS_PREFIX } from "../modules/module-ids.ts";

/** After so many the engine has compiled most of what bundling runs. */
const REHEARSALS = 12;

/**
 * Bundles some sample scripts, one after the other, and runs none: the first ones in a process take ten times as long as later ones. A
 * script that arrives meanwhile waits for at most one of them.
 */
export async function rehearseBundling(bundler: Pick<Bundler, "bundle">, options: BundleOptions): Promise<void> {
  const tools = [...options.lockfile.servers.values()].flatMap((server) =>
    server.tools.map((tool) => ({ server, tool })),
  );
  if (tools.length === 0) return;
  for (let index = 0; index < REHEARSALS; index += 1) {
    const { server, tool } = tools[index % tools.length] as (typeof tools)[number];
    await bundler.bundle({ name: "script.ts", code: printRehearsal(server, tool, index) }, options);
  }
}

/** What scripts are mostly made of. Every third imports a namespace, which is left to Rollup. */
function printRehearsal({ id }: LockedServer, { exportName }: LockedTool, index: number): string {
  const specifier = JSON.stringify(SERVERS_PREFIX + id);
  const imported =
    index % 3 === 2
      ? `import * as all from ${specifier};\nconst call = all.${exportName};`
      : `import { ${exportName} as call } from ${specifier};`;
  return `${imported}
interface Row { name: string; size?: number }
const rows: Row[] = [];
for (const name of ["a", "b", "c"]) {
  const { text = "", ...rest } = (await call({ name, index: ${index} } as never)) as any;
  if (text.length > 0 && rest.ok !== false) rows.push({ name: \`\${name}: \${text}\`, size: text.length });
}
const sizeOf = (all: readonly Row[]): number => all.reduce((sum, { size }) => sum + (size ?? 0), 0);
try {
  console.log(rows.filter(({ name }) => name !== "").map((row) => row.name));
} catch (error) {
  console.error(String(error));
}
export default { rows, size: sizeOf(rows) };
`;
}

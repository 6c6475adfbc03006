import { ownValue } from "../../../schemas/json/json.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { modulesOf } from "../../../schemas/lock/operations.ts";
import { RUNTIME_VERSION } from "../../../templates/emit.ts";
import type { GeneratedFile } from "../../../templates/generated-file.ts";
import { moduleFolder, type PackageIdentity } from "./print-manifest.ts";

/** Whether JSR takes a package of that name: it has scopes only. */
export function isForJsr(name: string): boolean {
  return name.startsWith("@");
}

/** The `jsr.json` of a package. JSR takes none without a license. */
export function printJsr({ name, version, inherited }: PackageIdentity, server: LockedServer): string {
  const exports = modulesOf(server).map(({ id }) => [moduleFolder(id), `${moduleFolder(id)}/index.js`] as const);
  const license = ownValue(inherited, "license");
  const manifest = {
    name,
    version,
    license: typeof license === "string" ? license : undefined,
    exports: Object.fromEntries(exports),
    imports: { "@codemode/runtime/": `npm:/@codemode/runtime@${RUNTIME_VERSION}/` },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** JSR and Deno find the types of a module in its first line; npm's readers find them beside it. */
export function nameOwnTypes(modules: readonly GeneratedFile[]): GeneratedFile[] {
  const paths = new Set(modules.map(({ path }) => path));
  return modules.map(({ path, text }) => {
    const types = path.replace(/\.js$/, ".d.ts");
    if (types === path || !paths.has(types)) return { path, text };
    return { path, text: `/* @ts-self-types="./${types.slice(types.lastIndexOf("/") + 1)}" */\n${text}` };
  });
}

// The API reference, from the declarations that npm would publish.
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Application } from "typedoc";

/** The declarations of what programs import, in tsconfig.api.json too. */
const MODULES = {
  codemode: "dist/codemode.d.ts",
  "@codemode/runtime/connect": "runtime/bindings/dist/runtime/bindings/connect.d.ts",
  "@codemode/runtime/errors": "runtime/bindings/dist/runtime/bindings/errors.d.ts",
  "@codemode/runtime/discovery": "runtime/bindings/dist/runtime/bindings/discovery.d.ts",
  "@codemode/runtime/v1": "runtime/bindings/dist/runtime/bindings/v1.d.ts",
};

/** What to import from, and the name of its page on the site. */
export const API_PAGES = Object.keys(MODULES).map((label) => ({ label, name: toPage(label) }));

function toPage(label) {
  return `api/${label.replace("@codemode/", "").replaceAll("/", "-")}.md`;
}

/** Writes a page for each module to `api/` below a folder. @returns the texts by name on the site */
export async function generateApi(root, folder) {
  const app = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: Object.values(MODULES).map((file) => join(root, file)),
    tsconfig: join(import.meta.dirname, "tsconfig.api.json"),
    skipErrorChecking: true,
    readme: "none",
    disableSources: true,
    excludeExternals: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    router: "module",
    useCodeBlocks: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    typeDeclarationFormat: "table",
    logLevel: "Error",
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc cannot read the declarations; run `npm run build` first.");
  for (const module of project.children ?? []) module.name = toModuleName(module.name);
  const out = join(folder, "api");
  await app.outputs.writeOutput({ name: "markdown", path: out }, project);
  const texts = new Map();
  for (const { label, name } of API_PAGES) {
    const text = (await readFile(join(folder, name), "utf8")).replace(/^# .*$/m, `# ${label}`);
    await writeFile(join(folder, name), text);
    texts.set(name, text);
  }
  await rm(join(out, "README.md"));
  return texts;
}

/** TypeDoc names a module by its file; its page gets the name of what programs import. */
function toModuleName(file) {
  const [label] = Object.entries(MODULES).find(([, path]) => path === `${file}.d.ts`) ?? [];
  if (label === undefined) throw new Error(`TypeDoc names a module ${file}.`);
  return toPage(label).slice("api/".length, -".md".length);
}

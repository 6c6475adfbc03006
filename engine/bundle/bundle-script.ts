import type { BundleOptions, BundleOutcome, ScriptSource, BundledScript } from "./build.ts";
import { bundleModules } from "./bundle-modules.ts";
import { toModulePath, toScriptId, indexedModule, toServerModuleId } from "./modules/module-ids.ts";
import { isTooDeep } from "./syntax/syntax-error.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Manifest, RUNTIME } from "../../schemas/run/bundle.ts";
import { makeResolution, meaningFor } from "./imports/resolve-imports.ts";
import { prepareModule } from "./imports/author-modules.ts";
import { findUndeclared } from "./imports/describe-undeclared.ts";
import { findCompileError, toFunctionBody } from "./program/compile-program.ts";
import { findRefusedText } from "./program/refused-text.ts";
import { wrapProgram } from "./program/wrap-program.ts";
import { narrowManifest, sortManifest } from "./servers/collect-manifest.ts";
import { linkedNames, linkedRuntimeFile } from "./program/linked-runtime.ts";
import { makeLinkedTools, printOuterLines, TOOLS, readGenerated } from "./servers/linked-tools.ts";
import { warnOfUncalled } from "./syntax/find-uncalled.ts";
import { UNKNOWN_LINE_END } from "./syntax/read-with-acorn.ts";
import { loadParser } from "./syntax/syntax-tree.ts";
import { DEFAULT_VARIABLE, findLinks, type ImportedName } from "./find-links.ts";
import { mapToItself } from "./syntax/source-position.ts";

export type { BundledScript, BundleOptions, BundleOutcome, ScriptSource } from "./build.ts";

/**
 * Makes one program of a script and the server bindings that it uses, with the manifest of the tools that it refers to. The author's own
 * modules are in it whole, so that it computes what they say.
 * The same inputs give the same bytes on every machine. Mistakes of the author's are diagnostics, never exceptions.
 */
export async function bundleScript(script: ScriptSource, options: BundleOptions): Promise<BundleOutcome> {
  const scriptId = toScriptId(toModulePath(script.name));
  const linked = await linkScript(script, scriptId, options).catch((error: unknown) => {
    if (isTooDeep(error)) return undefined; // the bundler says so
    throw error;
  });
  return linked ?? bundleModules(script, scriptId, options);
}

const RESERVED = new Set([TOOLS, RUNTIME, DEFAULT_VARIABLE]);

/**
 * Links a script that imports tools and modules of the runtime by their names, and nothing else: its text stays as it is, and what it imports are constants
 * before it. It never refuses a script: undefined for one with a mistake, and for one that it cannot link, which the bundler takes.
 */
export async function linkScript(
  script: ScriptSource,
  scriptId: string,
  options: BundleOptions,
): Promise<BundledScript | undefined> {
  const parse = await loadParser();
  const resolution = makeResolution(options, script.folder);
  const source = { name: script.name, source: script.code, isScript: true };
  const module = await prepareModule(source, parse, meaningFor(scriptId, resolution), "unnamed");
  if (!module.ok || module.program === undefined) return undefined;
  const { code, program, imports, declarations = { problems: [] } } = module;
  if (findUndeclared([module]).length > 0) return undefined;
  if (findRefusedText(code).length > 0 || UNKNOWN_LINE_END.test(code)) return undefined;
  const found = findLinks(program, RESERVED);
  if (found === undefined) return undefined;

  const generated = readGenerated(options.generatedFolder, options.lockfile);
  const linkedTools = makeLinkedTools({ read: generated.read, parse });
  const tools = new Map<string, Manifest["tools"][number]>();
  /** The expression that an imported name stands for. */
  const bind = ({ specifier, imported, isUsed }: ImportedName): string | undefined => {
    const id = imports.get(specifier) ?? "";
    const runtime = linkedNames(id);
    if (runtime !== undefined)
      return runtime.names.includes(imported) ? `${RUNTIME}.${runtime.name}.${imported}` : undefined;
    const server = resolution.servers.get(indexedModule(id) ?? "");
    const tool = server?.tools.get(imported);
    if (server === undefined || tool === undefined) return undefined;
    const { toolName, exportName, integrity } = tool;
    if (!isUsed) return "";
    const moduleId = toServerModuleId(server.moduleId, tool.module);
    const namespace = linkedTools.link(moduleId);
    if (namespace === undefined || !namespace.names.includes(exportName)) return undefined;
    tools.set(moduleId, { serverId: server.serverId, toolName, exportName, integrity });
    return `${namespace.expression}.${exportName}`;
  };
  // Unused ones must be there too.
  const bindings = found.links.map((link) => ({ ...link, value: bind(link) }));
  if (bindings.some(({ value }) => value === undefined)) return undefined;
  const used = bindings.filter(({ isUsed }) => isUsed);

  const { text } = toFunctionBody(code, program, DEFAULT_VARIABLE);
  const innerLines = used.map(({ local, value }) => `const ${local} = ${value};`);
  const body = `${text}\n${found.result === undefined ? "" : printResult(found.result)}`;
  if (findCompileError(`(async function () {"use strict";\n${innerLines.join("\n")}\n${body}\n})`) !== undefined)
    return undefined;
  const outerLines = await printOuterLines(linkedTools.printLinked([...tools.keys()]), used.length > 0);
  const { names, mappings } = module.map ?? mapToItself(script.name, code);
  const map = { names, mappings, sources: [script.name], sourcesContent: [script.code] };
  const manifest = narrowManifest(sortManifest([...tools.values()]), declarations.requestedCapabilities);
  const { input } = declarations;
  const bundle = { ...wrapProgram({ code: body, map }, outerLines, innerLines), manifest };
  const servers = [...resolution.servers.values()].map((server) => server.source);
  const madeFrom = [...generated.files.values(), ...servers, linkedRuntimeFile()];
  return {
    ok: true,
    bundle: { ...bundle, ...withoutUndefined({ input }) },
    warnings: await warnOfUncalled(module),
    // What a package means, its own file says.
    ...withoutUndefined({ madeFrom: resolution.aliases.size === 0 ? madeFrom : undefined }),
  };
}

/** A default export is the result, where the script itself set none. */
function printResult(name: string): string {
  const declared = name === DEFAULT_VARIABLE ? `var ${name};\n` : "";
  return `${declared}if (globalThis.__codemode_result__ === undefined) globalThis.__codemode_result__ = await ${name};`;
}

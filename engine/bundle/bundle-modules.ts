import type { OutputChunk, RollupLog } from "rollup";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, capDiagnostics } from "../../schemas/run/answer.ts";
import { makeBundlePlugins } from "./bundle-plugins.ts";
import { describeUndeclared } from "./imports/describe-undeclared.ts";
import { type Build, type BundleOptions, type BundleOutcome, makeBuild, type ScriptSource } from "./build.ts";
import {
  ENTRY_ID,
  indexedModule,
  isOwnModule,
  isResultModule,
  moduleOwner,
  toPublicName,
  toScriptPath,
} from "./modules/module-ids.ts";
import { checkProgram } from "./program/compile-program.ts";
import { restoreMeaning } from "./program/restore-meaning.ts";
import { wrapProgram } from "./program/wrap-program.ts";
import { collectManifest, narrowManifest } from "./servers/collect-manifest.ts";
import { linkedNames, linkedRuntimeFile } from "./program/linked-runtime.ts";
import { warnOfUncalled } from "./syntax/find-uncalled.ts";
import { loadParser } from "./syntax/syntax-tree.ts";
import { printOuterLines } from "./servers/linked-tools.ts";
import {
  describeMissingExport,
  describeReassignment,
  findMissingExports,
  toAuthorDiagnostic,
} from "./to-diagnostics.ts";
import { collectPackages } from "./packages/package-modules.ts";

/** Bundles any script with Rollup. `bundleScript` says what comes out of it. */
export async function bundleModules(
  script: ScriptSource,
  scriptId: string,
  options: BundleOptions,
): Promise<BundleOutcome> {
  const { rollup } = await import("rollup");
  const build = makeBuild(script, scriptId, options, await loadParser());
  const refused: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  try {
    const bundle = await rollup({
      input: ENTRY_ID,
      plugins: makeBundlePlugins(build),
      // The function around the modules is called without one.
      context: "this",
      cache: false,
      onLog(_level, log) {
        if (log.code === "ILLEGAL_REASSIGNMENT") refused.push(describeReassignment(log, build));
        if (log.code !== "MISSING_EXPORT") return;
        const finding = describeMissingExport(log, build);
        // In a namespace of the author's own, a name that is not there is `undefined`, as the language has it.
        const exporter = log.exporter ?? "";
        if (indexedModule(exporter) !== undefined || isResultModule(exporter)) refused.push(finding);
        else warnings.push({ ...finding, severity: "warning" });
      },
    });
    const { output } = await bundle.generate({
      format: "es",
      sourcemap: "hidden",
      inlineDynamicImports: true,
      externalLiveBindings: false,
      generatedCode: { preset: "es2015", symbols: false },
      sourcemapPathTransform: (path) => toSourceName(path.replaceAll("\\", "/"), build),
    });
    refused.push(...(await findMissingExports(build)));
    refused.push(...(await describeUndeclared([...build.authors.values()], options.lockfile)));
    const module = build.authors.get(scriptId);
    if (module !== undefined) warnings.push(...(await warnOfUncalled(module)));
    return refused.length > 0 ? refuse(refused) : await finish(build, output[0], capDiagnostics(warnings));
  } catch (error) {
    if (build.diagnostics.length > 0) return refuse(build.diagnostics);
    const diagnostic = toAuthorDiagnostic(error as RollupLog, build);
    if (diagnostic === undefined) throw error;
    return refuse([diagnostic]);
  }
}

/** Makes the bundle of what Rollup printed. */
async function finish(build: Build, chunk: OutputChunk, warnings: Diagnostic[]): Promise<BundleOutcome> {
  const { resolution, linkedTools, authors, generated, exports, constants, scriptId } = build;
  const { input, requestedCapabilities } = authors.get(scriptId)?.declarations ?? {};
  const manifest = narrowManifest(collectManifest(chunk, resolution.servers), requestedCapabilities);
  const packages = collectPackages(chunk, resolution.packages);
  const restored = await restoreMeaning(chunk);
  const tools = linkedTools.printLinked(chunk.moduleIds);
  const needsRuntime = tools.length > 0 || chunk.moduleIds.some((id) => linkedNames(id) !== undefined);
  const outerLines = [
    ...(await printOuterLines(tools, needsRuntime)),
    ...[...constants, ...restored.outerLines].map((text) => ({ text })),
  ];
  const program = wrapProgram(restored, outerLines, restored.innerLines);
  const problem = await checkProgram(program, authors.values());
  if (problem !== undefined) return refuse([problem]);
  const isOwn = (id: string): boolean => id === scriptId || isOwnModule(id);
  const isSelfContained =
    resolution.aliases.size === 0 && resolution.resultCount === 0 && [...exports.names.keys()].every(isOwn);
  const servers = [...resolution.servers.values()].map(({ source }) => source);
  const madeFrom = [...generated.files.values(), ...servers, linkedRuntimeFile()];
  const parts = withoutUndefined({ input, packages: packages.length === 0 ? undefined : packages });
  const bundle = { ...program, manifest, ...parts };
  return { ok: true, bundle, warnings, ...withoutUndefined({ madeFrom: isSelfContained ? madeFrom : undefined }) };
}

function refuse(diagnostics: Diagnostic[]): BundleOutcome {
  return { ok: false, diagnostics: capDiagnostics(diagnostics) };
}

function toSourceName(id: string, { scriptId, script }: Build): string {
  if (id === scriptId) return script.name;
  return moduleOwner(id) === "author" ? toScriptPath(id) : toPublicName(id);
}

import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { RollupLog } from "rollup";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { capDiagnostics } from "../../schemas/run/cap-diagnostics.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { collectManifest, collectPackages, narrowManifest } from "./servers/collect-manifest.ts";
import { checkProgram } from "./program/compile-program.ts";
import { readGenerated } from "./servers/generated-source.ts";
import { makeBundlePlugin } from "./make-bundle-plugin.ts";
import {
  ENTRY_ID,
  indexedModule,
  isOwnModule,
  isResultModule,
  ownerOf,
  toPublicName,
  toScriptPath,
} from "./modules/module-ids.ts";
import { findMissingExports } from "./imports/missing-names.ts";
import { describeUndeclared } from "./imports/describe-undeclared.ts";
import type { PackageScope } from "./packages/package-imports.ts";
import { makeImportResolver } from "./imports/resolve-imports.ts";
import {
  describeMissingExport,
  describeReassignment,
  showExporter,
  toAuthorDiagnostic,
  type RollupContext,
} from "./to-diagnostics.ts";
import { linkedRuntimeFile } from "./servers/linked-runtime.ts";
import type { SourceFile } from "./modules/source-files.ts";
import { restoreMeaning } from "./program/restore-meaning.ts";
import { wrapProgram } from "./program/wrap-program.ts";

/** A script in JavaScript or TypeScript: an ES module with top-level `await`. */
export interface ScriptSource {
  code: string;
  /** Shown in diagnostics, for instance `script.ts`; its ending says whether the code is TypeScript (`.js` and `.mjs` are not). */
  name: string;
  /** The real folder for relative imports. Absent for code that an agent sent: such code has no files. */
  folder?: string;
}

export interface BundleOptions {
  /** The folder of `@codemode/servers`, with one folder for each server. */
  generatedFolder: string;
  lockfile: Lockfile;
  /** Absent where no package can be imported. */
  packages?: PackageScope | undefined;
  /** The earlier results that can be imported. */
  resultIds?: readonly string[] | undefined;
}

export type BundleOutcome = BundledScript | { ok: false; diagnostics: Diagnostic[] };

export interface BundledScript {
  ok: true;
  bundle: Bundle;
  warnings: Diagnostic[];
  /**
   * Present where no file went into it but those that follow from the lockfile and codemode's own, which are listed: the same code gives the
   * same bundle then.
   */
  madeFrom?: readonly SourceFile[] | undefined;
}

/** Bundles any script with Rollup. `bundleScript` says what comes out of it. */
export async function bundleModules(
  script: ScriptSource,
  scriptId: string,
  options: BundleOptions,
): Promise<BundleOutcome> {
  const { rollup } = await import("rollup");
  const resolver = makeImportResolver({ scriptId, folder: script.folder, ...options });
  const module = { name: script.name, source: script.code };
  const { plugin, edits, diagnostics, exports, declarations, authored, generated, printOuterLines } = makeBundlePlugin({
    scriptId,
    script: module,
    generated: readGenerated(options.generatedFolder, options.lockfile),
    resolver,
  });
  const context: RollupContext = { scriptId, scriptName: script.name, resolver, exports };
  const refused: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  try {
    const build = await rollup({
      input: ENTRY_ID,
      plugins: [plugin, ...edits],
      // The function around the modules is called without one.
      context: "this",
      cache: false,
      onLog(_level, log) {
        if (log.code === "ILLEGAL_REASSIGNMENT") refused.push(describeReassignment(log, context));
        if (log.code !== "MISSING_EXPORT") return;
        const finding = describeMissingExport(log, context);
        // In a namespace of the author's own, a name that is not there is `undefined`, as the language has it.
        const exporter = log.exporter ?? "";
        if (indexedModule(exporter) !== undefined || isResultModule(exporter)) refused.push(finding);
        else warnings.push({ ...finding, severity: "warning" });
      },
    });
    const { output } = await build.generate({
      format: "es",
      sourcemap: "hidden",
      inlineDynamicImports: true,
      externalLiveBindings: false,
      generatedCode: { preset: "es2015", symbols: false },
      sourcemapPathTransform: (path) => toSourceName(path.replaceAll("\\", "/"), context),
    });
    const knowledge = { exports, typedText: resolver.typedText, showModule: (id: string) => showExporter(id, context) };
    refused.push(...(await findMissingExports(authored(), knowledge)));
    refused.push(...(await describeUndeclared([...authored()], options.lockfile)));
    if (refused.length > 0) return refuse(refused);
    const { input, requestedCapabilities } = declarations() ?? {};
    const manifest = narrowManifest(collectManifest(output[0], resolver.servers), requestedCapabilities);
    const packages = collectPackages(output[0], resolver.packages);
    const restored = await restoreMeaning(output[0]);
    const outerLines = [
      ...(await printOuterLines(output[0].moduleIds)),
      ...restored.outerLines.map((text) => ({ text })),
    ];
    const program = wrapProgram(restored, outerLines, restored.innerLines);
    const problem = await checkProgram(program, authored());
    if (problem !== undefined) return refuse([problem]);
    const bundle = {
      ...program,
      manifest,
      ...withoutUndefined({ input, packages: packages.length === 0 ? undefined : packages }),
    };
    const isOwn = (id: string): boolean => id === scriptId || isOwnModule(id);
    const isSelfContained =
      resolver.aliases.size === 0 && resolver.resultCount() === 0 && [...exports.names.keys()].every(isOwn);
    const servers = [...resolver.servers.values()].map(({ source }) => source);
    const madeFrom = isSelfContained ? { madeFrom: [...generated(), ...servers, linkedRuntimeFile()] } : {};
    return { ok: true, bundle, warnings: capDiagnostics(warnings), ...madeFrom };
  } catch (error) {
    if (diagnostics.length > 0) return refuse(diagnostics);
    const diagnostic = toAuthorDiagnostic(error as RollupLog, context);
    if (diagnostic === undefined) throw error;
    return refuse([diagnostic]);
  }
}

function refuse(diagnostics: Diagnostic[]): BundleOutcome {
  return { ok: false, diagnostics: capDiagnostics(diagnostics) };
}

function toSourceName(id: string, { scriptId, scriptName }: RollupContext): string {
  if (id === scriptId) return scriptName;
  return ownerOf(id) === "author" ? toScriptPath(id) : toPublicName(id);
}

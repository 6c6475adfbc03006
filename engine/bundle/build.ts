import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { AuthoredModule, AuthorModule, PreparedModule } from "./imports/author-modules.ts";
import { type BundleOptions, makeResolution, type Resolution } from "./imports/resolve-imports.ts";
import { type LinkedTools, makeLinkedTools, type GeneratedModules, readGenerated } from "./servers/linked-tools.ts";
import type { Parse } from "./syntax/syntax-tree.ts";
import type { ModuleExports } from "./syntax/exported-names.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { SourceFile } from "./modules/source-files.ts";

/** A script in JavaScript or TypeScript: an ES module with top-level `await`. */
export interface ScriptSource {
  code: string;
  /** Shown in diagnostics, for instance `script.ts`; its ending says whether the code is TypeScript (`.js` and `.mjs` are not). */
  name: string;
  /** The real folder for relative imports. Absent for code that an agent sent: such code has no files. */
  folder?: string;
}

export type { BundleOptions };

export type BundleOutcome = BundledScript | { ok: false; diagnostics: Diagnostic[] };

export interface BundledScript {
  ok: true;
  bundle: Bundle;
  warnings: Diagnostic[];
  /** Set where it was not bundled here. */
  isPinned?: true;
  /**
   * Present where only files that follow from the lockfile and codemode's own went into it, which are listed: the same code gives the
   * same bundle then.
   */
  madeFrom?: readonly SourceFile[] | undefined;
}

/** One build with Rollup: what it is made of, and what has been found on the way. Maps are by the id of a module. */
export interface Build {
  scriptId: string;
  script: AuthorModule;
  parse: Parse;
  generated: GeneratedModules;
  resolution: Resolution;
  linkedTools: LinkedTools;
  /** Problems of the first module that has any; the build ends there. */
  diagnostics: Diagnostic[];
  exports: ModuleExports;
  /** The author's modules, the script among them, as soon as they are being prepared. */
  prepared: Map<string, Promise<PreparedModule>>;
  authors: Map<string, AuthoredModule>;
  /** What the specifiers of a module of the author's or of a package mean. */
  importsOf: Map<string, ReadonlyMap<string, string>>;
  /** Of a package's module, the module that imported it first. */
  importers: Map<string, string>;
  /** Modules whose default export has no name. */
  nameless: Set<string>;
  /** Declarations of what was rewritten for SES. */
  constants: string[];
}

export function makeBuild(script: ScriptSource, scriptId: string, options: BundleOptions, parse: Parse): Build {
  const generated = readGenerated(options.generatedFolder, options.lockfile);
  return {
    scriptId,
    script: { name: script.name, source: script.code, isScript: true },
    parse,
    generated,
    resolution: makeResolution(options, script.folder),
    linkedTools: makeLinkedTools({ read: generated.read, parse }),
    diagnostics: [],
    exports: { names: new Map(), stars: new Map() },
    prepared: new Map(),
    authors: new Map(),
    importsOf: new Map(),
    importers: new Map(),
    nameless: new Set(),
    constants: [],
  };
}

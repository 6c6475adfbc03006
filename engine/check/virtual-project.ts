import { LIBRARY_FOLDER, readLibrary, ts } from "./typescript.ts";

/** What one check looks at: texts by virtual path. Nothing else can be read. */
export interface VirtualFiles {
  texts: ReadonlyMap<string, string>;
  /** Files that are checked though nothing imports them. */
  roots: readonly string[];
  /** Finds the virtual file that a specifier means to the file that imports it. */
  resolve(specifier: string, importer: string): string | undefined;
}

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  // What is thrown in a script is nearly always an Error, and a handler that reads its message is no mistake.
  useUnknownInCatchVariables: false,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ["lib.es2023.d.ts"],
  types: [],
  allowJs: true,
  checkJs: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  allowSyntheticDefaultImports: true,
  skipLibCheck: true,
  noErrorTruncation: false,
};

/** A program that lives on between checks: what did not change is not parsed again. */
export function makeVirtualProject() {
  let files: VirtualFiles = { texts: new Map(), roots: [], resolve: () => undefined };
  let snapshots = new Map<string, { text: string; version: number }>();
  let lastVersion = 0;
  const textOf = (path: string): string | undefined => files.texts.get(path) ?? readLibrary(path);

  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => OPTIONS,
    getCurrentDirectory: () => "/",
    getDefaultLibFileName: () => `${LIBRARY_FOLDER}lib.es2023.d.ts`,
    getScriptFileNames: () => [...files.roots],
    getScriptVersion: (path) => String(snapshots.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => textOf(path) !== undefined,
    readFile: textOf,
    directoryExists: () => false,
    getDirectories: () => [],
    readDirectory: () => [],
    resolveModuleNameLiterals: (literals, importer) =>
      literals.map(({ text }) => ({ resolvedModule: toResolved(files.resolve(text, importer)) })),
    resolveTypeReferenceDirectiveReferences: (references) =>
      references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };
  const service = ts.createLanguageService(host, ts.createDocumentRegistry());

  return {
    update(next: VirtualFiles): ts.LanguageService {
      files = next;
      const known = snapshots;
      snapshots = new Map(
        [...next.texts].map(([path, text]) => {
          const before = known.get(path);
          return [path, before?.text === text ? before : { text, version: (lastVersion += 1) }];
        }),
      );
      return service;
    },
  };
}

function toResolved(path: string | undefined): ts.ResolvedModuleFull | undefined {
  if (path === undefined) return undefined;
  const extension = /(?:\.d)?\.[a-z]+$/.exec(path)?.[0] ?? ".ts";
  return { resolvedFileName: path, extension, isExternalLibraryImport: false };
}

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { CompletionList, WordView } from "../../schemas/editor.ts";
import { type AuthorFile, readAuthorFiles } from "./author-files.ts";
import { type CheckRequest, UNCHECKABLE } from "./check-request.ts";
import { completeAt, describeAt, type EditorPlace, nothingAt } from "./editor-answers.ts";
import { findTypeErrors, type PlacedFinding, toDiagnostics } from "./find-type-errors.ts";
import { SANDBOX_GLOBALS } from "./sandbox-globals.ts";
import { makeServerTypings, type ServerTypings, toTypingsPath } from "./server-typings.ts";
import type { ts } from "./typescript.ts";
import { makeVirtualProject, type VirtualFiles } from "./virtual-project.ts";
import type { LockedServer, LockedTool } from "../../schemas/lock/lockfile.ts";
import { OPERATION_LISTS } from "../../schemas/lock/operations.ts";
import { findImported, type PackageScope } from "../bundle/packages/package-imports.ts";
import { serverOfPath } from "../bundle/imports/server-paths.ts";
import { parsePackageSpecifier } from "../bundle/packages/find-package.ts";
import { matchServer, readPublishedServer } from "../bundle/packages/published-server.ts";
import { formatObserved } from "../../schemas/observed/observed-results.ts";
import { runtimeFolder, SERVERS_PREFIX, RESULTS_PREFIX } from "../bundle/modules/module-ids.ts";

/** Type-checks scripts, and remembers between them what does not change. */
export interface ScriptChecker {
  /**
   * The type errors of a script against the locked declarations: `TYPE_ERROR`, in the order of the source. Errors of syntax and
   * imports are left to the bundler, which finds them too.
   */
  check(request: CheckRequest): Promise<Diagnostic[]>;
  /** What may be written at a place of the script; nothing where that cannot be found out. */
  complete(request: CheckRequest, offset: number): Promise<CompletionList>;
  /** What is known of the word at a place of the script. */
  describe(request: CheckRequest, offset: number): Promise<WordView | undefined>;
}

export function makeScriptChecker(): ScriptChecker {
  const typings = makeServerTypings();
  const fixed = readFixedFiles();
  let project = makeVirtualProject();
  /** Asks the compiler; undefined where the script is too much for it. */
  const ask = async <Answer>(
    request: CheckRequest,
    question: (service: ts.LanguageService, authored: ReadonlyMap<string, AuthorFile>) => Answer,
  ): Promise<Answer | undefined> => {
    try {
      const authored = readAuthorFiles(request.script);
      const files = await layOutFiles(authored, request, { typings, fixed });
      return question(project.update(files), authored);
    } catch (error) {
      // A compiler that was thrown out of its work half way is not asked again.
      project = makeVirtualProject();
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  };
  const findErrors = (request: CheckRequest): Promise<PlacedFinding[] | undefined> =>
    ask(request, (service, authored) => findTypeErrors(service, authored, request));
  return {
    check: async (request) => {
      let findings = await findErrors(request);
      if (findings === undefined) return [UNCHECKABLE];
      let { servers } = request;
      for (const { isOf, soften } of SUPPOSITIONS) {
        if (findings.every(({ severity }) => severity !== "error")) break;
        if (!request.servers.some(({ tools }) => tools.some(isOf))) continue;
        servers = servers.map((server) => supposeAnything(server, isOf));
        findings = soften(findings, (await findErrors({ ...request, servers })) ?? []);
      }
      return toDiagnostics(findings);
    },
    complete: async (request, offset) =>
      (await ask(request, (service, authored) => completeAt(service, placeIn(authored, request, offset)))) ??
      nothingAt(offset),
    describe: (request, offset) =>
      ask(request, (service, authored) => describeAt(service, placeIn(authored, request, offset))),
  };
}

/** A place in the script itself, which is the first of its files. */
function placeIn(
  authored: ReadonlyMap<string, AuthorFile>,
  { exportNames }: CheckRequest,
  offset: number,
): EditorPlace {
  const [[path, { text }]] = [...authored] as [[string, AuthorFile]];
  return { path, offset: Math.min(Math.max(offset, 0), text.length), exportNames };
}

/** Modules of codemode's own that scripts import, and their declarations. */
const RUNTIME_MODULES = new Map([
  ["@codemode/errors", "errors.d.ts"],
  ["@codemode/discovery", "discovery.d.ts"],
  ["@codemode/runtime/results", "results.d.ts"],
  ["@codemode/results", "results.d.ts"],
]);

const GLOBALS_PATH = "/@codemode/globals.d.ts";

function readFixedFiles(): Map<string, string> {
  const runtime = [...RUNTIME_MODULES].map(
    ([specifier, file]) => [toTypingsPath(specifier), readFileSync(join(runtimeFolder(), file), "utf8")] as const,
  );
  return new Map([[GLOBALS_PATH, SANDBOX_GLOBALS], ...runtime]);
}

async function layOutFiles(
  authored: ReadonlyMap<string, AuthorFile>,
  { servers, script, packages, resultTypes = new Map() }: CheckRequest,
  { typings, fixed }: { typings: ServerTypings; fixed: ReadonlyMap<string, string> },
): Promise<VirtualFiles> {
  const specifiers = [...authored.values()].flatMap(({ words }) => [...words.specifiers]);
  const aliases = new Map([
    ...(packages === undefined ? [] : findServerAliases(specifiers, { servers, script }, packages)),
    ...findServerPaths(authored, servers),
  ]);
  const modules = [...authored.values()].map(({ words }) => ({
    ...words,
    specifiers: new Set([...words.specifiers].map((specifier) => aliases.get(specifier) ?? specifier)),
  }));
  const imported = servers.filter(({ id }) => modules.some(({ specifiers }) => specifiers.has(SERVERS_PREFIX + id)));
  const emitted = await Promise.all(imported.map((server) => typings.emit(server, modules)));
  const texts = new Map([
    ...fixed,
    ...emitted.flatMap((files) => [...files]),
    ...[...resultTypes].map(([id, type]) => [toTypingsPath(RESULTS_PREFIX + id), declareResult(type)] as const),
    ...[...authored].map(([path, { text }]) => [path, text] as const),
  ]);
  return {
    texts,
    roots: [GLOBALS_PATH, ...authored.keys()],
    resolve(specifier, importer) {
      const author = authored.get(importer);
      if (author === undefined) return resolveInTypings(specifier, importer);
      const path = author.imports.get(specifier) ?? toTypingsPath(aliases.get(specifier) ?? specifier);
      return texts.has(path) ? path : undefined;
    },
  };
}

function declareResult(type: string): string {
  return `declare const result: ${type};\nexport default result;\n`;
}

/** Generated declarations import each other by the names that they have once compiled. */
function resolveInTypings(specifier: string, importer: string): string {
  if (RUNTIME_MODULES.has(specifier)) return toTypingsPath(specifier);
  return posix.join(importer, "..", specifier).replace(/\.js$/, ".d.ts");
}

/** The server modules that relative paths stand for where no such file is beside the script. */
function findServerPaths(
  authored: ReadonlyMap<string, AuthorFile>,
  servers: readonly LockedServer[],
): Map<string, string> {
  const modules = new Map(servers.map((server) => [server.id, server]));
  const unfound = [...authored.values()].flatMap(({ words, imports }) =>
    [...words.specifiers].filter((specifier) => specifier.startsWith(".") && !imports.has(specifier)),
  );
  return new Map(
    unfound.flatMap((specifier) => {
      const server = serverOfPath(specifier, modules);
      return server === undefined ? [] : [[specifier, server] as const];
    }),
  );
}

/** The server modules that server packages stand for, by the packages' names. What the bundler refuses is left to it. */
function findServerAliases(
  specifiers: readonly string[],
  { servers, script }: Pick<CheckRequest, "servers" | "script">,
  packages: PackageScope,
): Map<string, string> {
  const lockfile = { servers: new Map(servers.map((server) => [server.id, server])) };
  const aliases = new Map<string, string>();
  for (const specifier of new Set(specifiers)) {
    const { name, subpath } = parsePackageSpecifier(specifier) ?? { name: "", subpath: "" };
    const isModule = subpath === "." || OPERATION_LISTS.some(({ list }) => subpath === `./${list}`);
    if (specifier.startsWith("@codemode/") || !isModule) continue;
    const installed = findImported(name, packages, script.folder);
    const published = installed === undefined ? undefined : readPublishedServer(installed);
    if (published?.ok !== true) continue;
    const match = matchServer(published.server, lockfile);
    if (match.kind === "found") aliases.set(specifier, SERVERS_PREFIX + match.server.id + subpath.slice(1));
  }
  return aliases;
}

/** What tools without a promised type return, and what findings count for that rest on it alone. */
interface Supposition {
  isOf(tool: LockedTool): boolean;
  /** @param promised the findings if the results of these tools are `any` */
  soften(findings: readonly PlacedFinding[], promised: readonly PlacedFinding[]): PlacedFinding[];
}

/** Nothing is known of the result: one finding says so, and what follows from it would only distract. */
const UNKNOWN: Supposition = {
  isOf: ({ outputSchema, observed }) => outputSchema === undefined && observed === undefined,
  soften(findings, promised) {
    const supposed = findings.filter((finding) => restsOnResults(finding, promised));
    const [first] = supposed;
    return findings
      .filter((finding) => finding === first || !supposed.includes(finding))
      .map((finding) => (finding === first ? { ...finding, severity: "warning" } : finding));
  },
};

/** What was observed is no promise. */
const OBSERVED: Supposition = {
  isOf: ({ observed }) => observed !== undefined,
  soften: (findings, promised) =>
    findings.flatMap((finding) => {
      if (finding.severity !== "error" || !restsOnResults(finding, promised)) return [finding];
      const { ifObserved, hint } = finding;
      return ifObserved === undefined ? [] : [{ ...finding, severity: ifObserved, hint: `${hint} ${NO_PROMISE}` }];
    }),
};

const SUPPOSITIONS: readonly Supposition[] = [UNKNOWN, OBSERVED];

const NO_PROMISE = "The server does not promise this type: it was observed in results.";

function restsOnResults({ file, start, severity }: PlacedFinding, promised: readonly PlacedFinding[]): boolean {
  return !promised.some(
    (other) => other.severity === severity && other.file.name === file.name && other.start === start,
  );
}

const ANYTHING = formatObserved({ sources: new Map([["0".repeat(16), 1]]), shape: { structured: { any: true } } });

/** The server as if these results had been anything: their type is `any`. */
function supposeAnything(server: LockedServer, isSupposed: (tool: LockedTool) => boolean): LockedServer {
  return { ...server, tools: server.tools.map((tool) => (isSupposed(tool) ? { ...tool, observed: ANYTHING } : tool)) };
}

import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { CompletionItem, CompletionList, WordView } from "../../schemas/editor.ts";
import { ts } from "./typescript.ts";
import { SERVERS_PREFIX } from "../bundle/modules/module-ids.ts";

/** A place in a file of the language service, and the names of all locked tools by server id. */
export interface EditorPlace {
  path: string;
  offset: number;
  exportNames: ReadonlyMap<string, readonly string[]>;
}

/** More would not be read. */
const MOST_ITEMS = 500;
/** Each costs the look at a type. */
const MOST_DETAILS = 60;
const LONGEST_TEXT = 2000;

/** What may be written at a place. Tools can be completed before they are imported. */
export function completeAt(service: ts.LanguageService, place: EditorPlace): CompletionList {
  const { path, offset } = place;
  const file = service.getProgram()?.getSourceFile(path);
  if (file === undefined) return nothingAt(offset);
  const word = /(?<![\w$])[\w$]*$/.exec(file.text.slice(0, offset))?.[0] ?? "";
  const from = offset - word.length;
  const declaration = file.statements.find(
    (statement) => ts.isImportDeclaration(statement) && statement.getStart(file) < offset && offset <= statement.end,
  );
  if (declaration !== undefined) return completeImport(declaration as ts.ImportDeclaration, file, from, place);

  const found = service.getCompletionsAtPosition(path, offset, {});
  if (found === undefined || /\d\.?$/.test(file.text.slice(0, from + 1).trimEnd())) return nothingAt(from);
  const entries = found.entries.filter(({ kind }) => kind !== ts.ScriptElementKind.warning).slice(0, MOST_ITEMS);
  const start = entries[0]?.replacementSpan?.start ?? found.optionalReplacementSpan?.start ?? from;
  const isGlobal = !found.isMemberCompletion && found.entries.some(({ name }) => name === "globalThis");
  const items = entries.map((entry, index): CompletionItem => {
    const item: CompletionItem = { label: entry.name, kind: kindOf(entry.kind), rank: rankOf(entry) };
    const isDetailed = !isGlobal && index < MOST_DETAILS;
    return isDetailed ? { ...item, ...detailsOf(service, place, entry.name) } : item;
  });
  return { from: start, isAnything: isGlobal, items: isGlobal ? [...items, ...toolsToImport(entries, place)] : items };
}

/** The answer if there is nothing to complete, or no checker. */
export function nothingAt(from: number): CompletionList {
  return { from, isAnything: false, items: [] };
}

/** What is known of the word at a place. */
export function describeAt(service: ts.LanguageService, { path, offset }: EditorPlace): WordView | undefined {
  const found = service.getQuickInfoAtPosition(path, offset);
  if (found === undefined) return undefined;
  const { textSpan, displayParts, documentation } = found;
  return {
    from: textSpan.start,
    to: textSpan.start + textSpan.length,
    signature: toSignature(toText(displayParts)),
    info: toText(documentation),
  };
}

/** Where the name was imported says the script already. */
function toSignature(text: string): string {
  return text.replace(/^\(alias\) /, "").replace(/\nimport [\w$]+$/, "");
}

/** Inside of an import: the names of a server's tools, or the modules that there are. */
function completeImport(
  declaration: ts.ImportDeclaration,
  file: ts.SourceFile,
  from: number,
  { offset, exportNames }: EditorPlace,
): CompletionList {
  const { moduleSpecifier, importClause } = declaration;
  if (moduleSpecifier.getStart(file) < offset && offset <= moduleSpecifier.end) {
    const modules = [...[...exportNames.keys()].map((id) => SERVERS_PREFIX + id), ...OWN_MODULES];
    const items = modules.map((label): CompletionItem => ({ label, kind: "module", rank: 0 }));
    return { from: moduleSpecifier.getStart(file) + 1, isAnything: false, items };
  }
  const clause = importClause?.namedBindings;
  const specifier = ts.isStringLiteralLike(moduleSpecifier) ? moduleSpecifier.text : "";
  if (clause === undefined || !ts.isNamedImports(clause) || !specifier.startsWith(SERVERS_PREFIX)) {
    return nothingAt(from);
  }
  const names = exportNames.get(specifier.slice(SERVERS_PREFIX.length)) ?? [];
  const written = new Set(clause.elements.filter(({ end }) => end !== offset).map(({ name }) => name.text));
  const free = names.filter((name) => !written.has(name)).slice(0, MOST_ITEMS);
  return { from, isAnything: false, items: free.map((label) => ({ label, kind: "tool", rank: 0 })) };
}

const OWN_MODULES = ["@codemode/errors", "@codemode/discovery", "@codemode/results"];

function toolsToImport(entries: readonly ts.CompletionEntry[], { exportNames }: EditorPlace): CompletionItem[] {
  const known = new Set(entries.map(({ name }) => name));
  const tools = [...exportNames].flatMap(([serverId, names]) =>
    names
      .filter((name) => !known.has(name))
      .map((label): CompletionItem => {
        return { label, kind: "tool", detail: serverId, rank: 1, importFrom: SERVERS_PREFIX + serverId };
      }),
  );
  return tools.slice(0, MOST_ITEMS);
}

function detailsOf(
  service: ts.LanguageService,
  { path, offset }: EditorPlace,
  name: string,
): Pick<CompletionItem, "detail" | "info"> {
  const details = service.getCompletionEntryDetails(path, offset, name, {}, undefined, {}, undefined);
  if (details === undefined) return {};
  // `(property) path: string` says twice what the list says already.
  const detail = toText(details.displayParts)
    .replace(/^\([^)]*\) [^:(]*:? ?/, "")
    .replace(/ \| undefined$/, "");
  const info = toText(details.documentation);
  return withoutUndefined({ detail: detail === "" ? undefined : detail, info: info === "" ? undefined : info });
}

function toText(parts: readonly ts.SymbolDisplayPart[] | undefined): string {
  return ts.displayPartsToString(parts === undefined ? undefined : [...parts]).slice(0, LONGEST_TEXT);
}

const KINDS: Readonly<Record<string, CompletionItem["kind"]>> = {
  [ts.ScriptElementKind.keyword]: "keyword",
  [ts.ScriptElementKind.functionElement]: "function",
  [ts.ScriptElementKind.memberFunctionElement]: "function",
  [ts.ScriptElementKind.memberVariableElement]: "property",
  [ts.ScriptElementKind.memberGetAccessorElement]: "property",
  [ts.ScriptElementKind.interfaceElement]: "type",
  [ts.ScriptElementKind.typeElement]: "type",
  [ts.ScriptElementKind.primitiveType]: "type",
  [ts.ScriptElementKind.moduleElement]: "module",
  [ts.ScriptElementKind.string]: "constant",
};

function kindOf(kind: string): CompletionItem["kind"] {
  return KINDS[kind] ?? "variable";
}

/** What the script declares itself is likelier meant than what the language has, and keywords come last. */
function rankOf({ sortText, kind, kindModifiers = "" }: ts.CompletionEntry): number {
  if (kind === ts.ScriptElementKind.keyword) return 4;
  if (kindModifiers.includes("declare") && /^1[5-9]/.test(sortText)) return 3;
  return kindModifiers.includes("optional") ? 1 : 0;
}

import type { Diagnostic } from "../../schemas/run/answer.ts";
import { formatPath, positionAt } from "../bundle/syntax/source-position.ts";
import type { AuthorFile } from "./author-files.ts";
import type { CheckRequest } from "./check-request.ts";
import { findCodeBehind } from "./code-behind.ts";
import { findNearKeys, findUnawaited, type Finding } from "./find-likely-mistakes.ts";
import type { HintContext } from "./hints/hint-context.ts";
import { hintFor } from "./hints/hint-for.ts";
import { nodeAt } from "./type-questions.ts";
import { judgeObserved } from "./judge-observed.ts";
import { isLeftToBundler, isOfUnknownCall, isStyle } from "./error-codes.ts";
import { ts } from "./typescript.ts";

/** More would not be read. */
const MOST_FINDINGS = 12;

/** A finding in one of the author's files. */
export interface PlacedFinding extends Finding {
  file: AuthorFile;
}

/** The type errors of the author's files that can have to do with a failure, in the order of the source; without one, all of them. */
export function findTypeErrors(
  service: ts.LanguageService,
  authored: ReadonlyMap<string, AuthorFile>,
  { exportNames, failedAt }: Pick<CheckRequest, "exportNames" | "failedAt">,
): PlacedFinding[] {
  const sources = [...authored].filter(([path]) => !path.endsWith(".json"));
  // The bundler has a syntax error to tell; what the checker makes of the rest would only be noise.
  if (sources.some(([path]) => service.getSyntacticDiagnostics(path).length > 0)) return [];
  const program = service.getProgram();
  if (program === undefined) return [];
  const checker = program.getTypeChecker();
  const files = new Map(
    sources.flatMap(([path, { name }]) => {
      const file = program.getSourceFile(path);
      return file === undefined ? [] : [[name, file] as const];
    }),
  );
  const isRelated = failedAt === undefined ? () => true : findCodeBehind(failedAt, files, checker);
  return sources.flatMap(([path, author]) => {
    const file = files.get(author.name);
    if (file === undefined) return [];
    const errors = service
      .getSemanticDiagnostics(path)
      .map((error) => toFinding(error, { file, checker, exportNames }))
      .filter((finding) => finding !== undefined);
    const own = [...findNearKeys(file, checker), ...findUnawaited(file, checker)];
    const places = new Set(errors.map(({ start }) => start));
    return [...errors, ...own.filter(({ start }) => !places.has(start))]
      .filter(({ start }) => isRelated(file, start))
      .toSorted((left, right) => left.start - right.start)
      .map((finding) => ({ ...finding, file: author }));
  });
}

function toFinding(error: ts.Diagnostic, scope: Omit<HintContext, "node">): Finding | undefined {
  const { start = 0, length = 0, code } = error;
  const node = nodeAt(scope.file, start, length);
  if (isLeftToBundler(code, node, scope.checker) || isOfUnknownCall(code, node, scope.checker)) return undefined;
  const context = { ...scope, node };
  const hint = hintFor(code, context);
  return {
    start,
    severity: isStyle(code, node, scope.checker) ? "info" : "error",
    message: toPlainMessage(error.messageText),
    hint,
    ifObserved: judgeObserved(context, hint),
  };
}

/** The findings for the answer; of very many the first. */
export function toDiagnostics(findings: readonly PlacedFinding[]): Diagnostic[] {
  return findings.slice(0, MOST_FINDINGS).map(({ severity, message, hint, start, file: { name, text } }) => {
    return { severity, code: "TYPE_ERROR", message, hint, path: formatPath(name, positionAt(text, start)) };
  });
}

const MAX_LENGTH = 400;

/** Parts of TypeScript's messages that are no help in a sandbox. */
const NOISE = / (?:Do you need to (?:install|change)|Try `npm i|Consider using the 'skipLib).*$/s;

/** TypeScript's message on one line: what is wrong, and the innermost reason of it. */
function toPlainMessage(message: string | ts.DiagnosticMessageChain): string {
  const head = clean(typeof message === "string" ? message : message.messageText);
  const leaf = clean(innermost(message));
  const text = leaf === head ? head : `${head} ${leaf}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

function innermost(message: string | ts.DiagnosticMessageChain): string {
  if (typeof message === "string") return message;
  // Of overloads the last one takes most.
  const next = message.next?.at(-1);
  return next === undefined ? message.messageText : innermost(next);
}

/** Modules are called by the names that scripts import; of a type its own name is enough. */
function clean(text: string): string {
  return text
    .replace(NOISE, "")
    .replaceAll("[k: string]: unknown; ", "")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/import\("\/(@codemode\/(?:servers\/)?[^"/]+)[^"]*"\)/g, 'import("$1")')
    .replaceAll('import("/script/', 'import("./')
    .replace(/\s+/g, " ");
}

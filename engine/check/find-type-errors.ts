import type { Diagnostic } from "../../schemas/run/answer.ts";
import { formatPath, positionAt } from "../bundle/syntax/source-position.ts";
import type { AuthorFile } from "./author-files.ts";
import { findNearKeys } from "./find-near-keys.ts";
import { findUnawaited } from "./find-unawaited.ts";
import type { Finding } from "./finding.ts";
import { hintFor } from "./hints/hint-for.ts";
import { nodeAt } from "./hints/node-at.ts";
import { isStyle } from "./is-style.ts";
import { isLeftToBundler } from "./left-to-bundler.ts";
import { toPlainMessage } from "./plain-message.ts";
import { ts } from "./typescript.ts";

/** More would not be read. */
const MOST_FINDINGS = 12;

/** The type errors of the author's files, in the order of the source. */
export function findTypeErrors(
  service: ts.LanguageService,
  authored: ReadonlyMap<string, AuthorFile>,
  exportNames: ReadonlyMap<string, readonly string[]>,
): Diagnostic[] {
  const sources = [...authored].filter(([path]) => !path.endsWith(".json"));
  // The bundler has a syntax error to tell; what the checker makes of the rest would only be noise.
  if (sources.some(([path]) => service.getSyntacticDiagnostics(path).length > 0)) return [];
  const program = service.getProgram();
  if (program === undefined) return [];
  const checker = program.getTypeChecker();
  return sources
    .flatMap(([path, { name, text }]) => {
      const file = program.getSourceFile(path);
      if (file === undefined) return [];
      const errors = service
        .getSemanticDiagnostics(path)
        .map((error) => toFinding(error, { file, checker, exportNames }))
        .filter((finding) => finding !== undefined);
      const own = [...findNearKeys(file, checker), ...findUnawaited(file, checker)];
      const places = new Set(errors.map(({ start }) => start));
      return [...errors, ...own.filter(({ start }) => !places.has(start))]
        .toSorted((left, right) => left.start - right.start)
        .map((finding) => toDiagnostic(finding, name, text));
    })
    .slice(0, MOST_FINDINGS);
}

interface ErrorScope {
  file: ts.SourceFile;
  checker: ts.TypeChecker;
  exportNames: ReadonlyMap<string, readonly string[]>;
}

function toFinding(error: ts.Diagnostic, scope: ErrorScope): Finding | undefined {
  const { start = 0, length = 0, code } = error;
  const node = nodeAt(scope.file, start, length);
  if (isLeftToBundler(code, node, scope.checker)) return undefined;
  return {
    start,
    severity: isStyle(code, node, scope.checker) ? "info" : "error",
    message: toPlainMessage(error.messageText),
    hint: hintFor(code, { ...scope, node }),
  };
}

function toDiagnostic({ start, severity, message, hint }: Finding, name: string, text: string): Diagnostic {
  return { severity, code: "TYPE_ERROR", message, hint, path: formatPath(name, positionAt(text, start)) };
}

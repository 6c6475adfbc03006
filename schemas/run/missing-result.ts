import type { Diagnostic, RunAnswer } from "./answer.ts";

/** What sets a result, in the text of a script. */
const SETS_RESULT = /\bexport\s+default\b|\bas\s+default\b|__codemode_result__/;

/** Whether a script says in its text that it sets a result. */
export function setsResult(code: string): boolean {
  return SETS_RESULT.test(code);
}

/** An exported function, as other systems call one themselves. */
const EXPORTED_FUNCTION =
  /\bexport\s+(?:(?:async\s+)?function\b\s*|const\s+(?=[\w$]+\s*=\s*(?:async|function)\b))([\w$]+)/;

/** A script that says nothing at all may have lost what it read: the info says how a script answers. */
export function describeMissingResult(code: string, { result, logs, diagnostics }: RunAnswer): Diagnostic[] {
  const isSilent = logs.length === 0 && diagnostics.every((found) => found.code === "MISSING_AWAIT");
  if (result !== null || !isSilent || SETS_RESULT.test(code)) return [];
  const lost = findLostCall(code);
  if (diagnostics.length > 0 && lost === undefined) return [];
  const [, name = ""] = EXPORTED_FUNCTION.exec(code) ?? [];
  const isCalled = name === "" || code.split(name).length > 2;
  return [
    {
      severity: "info",
      code: "RESULT_MISSING",
      message: "The script has run, and sets no result.",
      hint: hintFor(lost, isCalled ? undefined : name),
    },
  ];
}

function hintFor(lost: string | undefined, uncalled: string | undefined): string {
  if (lost !== undefined)
    return `The value of \`${lost}\` is lost: write \`export default await ${lost}\` in its place.`;
  if (uncalled !== undefined) return `No line calls \`${uncalled}\`: add \`export default await ${uncalled}()\`.`;
  return "If its values are needed, write `export default VALUE`.";
}

/** The call with which a script ends: of a function around everything, or of one that it declares. Undefined where it ends otherwise. */
function findLostCall(code: string): string | undefined {
  let end = code.slice(-MAX_CALL).trimEnd();
  while (end.endsWith(";")) end = end.slice(0, -1).trimEnd();
  if (!/\breturn\b|=>/.test(code)) return undefined;
  if (end.endsWith(")()") || end.endsWith("}())")) return "(async () => { … })()";
  const [, name] = /(?:^|[\s;}])([A-Za-z_$][\w$]*)\(\)$/.exec(end) ?? [];
  const isDeclared = name !== undefined && [`function ${name}`, `const ${name} =`].some((text) => code.includes(text));
  return isDeclared ? `${name}()` : undefined;
}

/** More than a call with a long name, and white space behind it. */
const MAX_CALL = 400;

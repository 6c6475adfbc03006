import type { Diagnostic, RunAnswer } from "./answer.ts";

/** What sets a result, in the text of a script. */
const SETS_RESULT = /\bexport\s+default\b|\bas\s+default\b|__codemode_result__/;

/** An exported function, as other systems call one themselves. */
const EXPORTED_FUNCTION =
  /\bexport\s+(?:(?:async\s+)?function\b\s*|const\s+(?=[\w$]+\s*=\s*(?:async|function)\b))([\w$]+)/;

/** A script that says nothing at all may have lost what it read: the info says how a script answers. */
export function describeMissingResult(code: string, { result, logs, diagnostics }: RunAnswer): Diagnostic[] {
  if (result !== null || logs.length > 0 || diagnostics.length > 0 || SETS_RESULT.test(code)) return [];
  const [, name = ""] = EXPORTED_FUNCTION.exec(code) ?? [];
  const isCalled = name === "" || code.split(name).length > 2;
  return [
    {
      severity: "info",
      code: "RESULT_MISSING",
      message: "The script has run, and sets no result.",
      hint: isCalled
        ? "If its values are needed, write `export default VALUE`."
        : `No line calls \`${name}\`: add \`export default await ${name}()\`.`,
    },
  ];
}

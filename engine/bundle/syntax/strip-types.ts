import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { formatPath, positionAt, type ModuleMap } from "./source-position.ts";
import { syntaxError } from "./syntax-error.ts";

export type StripOutcome = { ok: true; code: string; map: ModuleMap } | { ok: false; diagnostics: Diagnostic[] };

export type ScriptLanguage = "ts" | "js";

/**
 * Turns TypeScript into JavaScript of the same language level, and finds the syntax errors of both.
 * `keepUnusedImports` leaves every import that is not marked `type`, as the author wrote it.
 */
export async function stripTypes(
  name: string,
  source: string,
  { language, keepUnusedImports }: { language: ScriptLanguage; keepUnusedImports: boolean },
): Promise<StripOutcome> {
  const { transformSync } = await import("oxc-transform");
  const { code, map, errors } = transformSync(`script.${language}`, source, {
    lang: language,
    sourceType: "module",
    sourcemap: true,
    target: "esnext",
    typescript: { onlyRemoveTypeImports: keepUnusedImports },
  });
  if (errors.length === 0 && map !== undefined) return { ok: true, code, map };
  const diagnostics = new Map<string, Diagnostic>();
  for (const { message, labels, helpMessage } of errors) {
    // Of what is there twice, the second place is the mistake.
    const isDouble = message.includes("multiple default exports");
    const label = labels.find((one) => one.message?.includes("redeclared")) ?? labels.at(isDouble ? -1 : 0);
    const path = formatPath(name, positionAt(source, toTextOffset(source, label?.start ?? 0)));
    // The parser may have several complaints about one place: the first is the plainest.
    if (!diagnostics.has(path)) diagnostics.set(path, syntaxError(message, path, helpMessage));
  }
  return { ok: false, diagnostics: [...diagnostics.values()] };
}

/** The parser counts bytes of UTF-8, positions count UTF-16 units. */
function toTextOffset(source: string, byteOffset: number): number {
  return Buffer.from(source).subarray(0, byteOffset).toString().length;
}

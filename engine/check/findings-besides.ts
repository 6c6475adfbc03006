import type { Diagnostic } from "../../schemas/run/answer.ts";

/**
 * The type errors at places of which nothing is said yet. What was thrown somewhere does not say that its types are wrong, and what was too much for the
 * bundler need not be too much for the checker as well.
 */
export function findingsBesides(typeErrors: readonly Diagnostic[], said: readonly Diagnostic[]): Diagnostic[] {
  const places = new Set(said.filter(({ code }) => code !== "UNCAUGHT_EXCEPTION").map(({ path }) => path));
  const isRefused = said.some(({ code }) => code === "SYNTAX_ERROR" || code === "BUNDLE_FAILURE");
  return typeErrors.filter(
    ({ code, path }) => (path === undefined || !places.has(path)) && !(isRefused && code === "CHECK_INCOMPLETE"),
  );
}

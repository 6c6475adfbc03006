import type { Diagnostic } from "../../schemas/run/answer.ts";

/** The type errors at places of which nothing is said yet. What was thrown somewhere does not say that its types are wrong. */
export function findingsBesides(typeErrors: readonly Diagnostic[], said: readonly Diagnostic[]): Diagnostic[] {
  const places = new Set(said.filter(({ code }) => code !== "UNCAUGHT_EXCEPTION").map(({ path }) => path));
  return typeErrors.filter(({ path }) => path === undefined || !places.has(path));
}

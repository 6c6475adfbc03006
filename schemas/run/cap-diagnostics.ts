import type { Diagnostic } from "./answer.ts";

/** More of one script help no reader, and fill the context of an agent. */
export const MAX_DIAGNOSTICS = 50;

/** The first diagnostics of a script, with a last one that says how many more there are. */
export function capDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const [next, ...others] = diagnostics.slice(MAX_DIAGNOSTICS);
  if (next === undefined || others.length === 0) return diagnostics;
  return [...diagnostics.slice(0, MAX_DIAGNOSTICS), describeMore(others.length + 1, next)];
}

/** Stands for so many diagnostics, of which this is the first. */
export function describeMore(count: number, { severity, code }: Pick<Diagnostic, "severity" | "code">): Diagnostic {
  return { severity, code, message: `And ${count} more findings.`, hint: "Fix the first ones, and try again." };
}

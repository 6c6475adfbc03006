import { oneLine } from "../schemas/escape-invisible.ts";
import type { Diagnostic } from "../schemas/answer.ts";

/** A diagnostic as lines for the terminal. */
export function printDiagnostic({ severity, path, code, message, hint }: Diagnostic): string[] {
  const place = path === undefined ? "" : `${path} `;
  return [
    `${severity}: ${place}${code}: ${oneLine(message)}`,
    ...(hint === undefined ? [] : [`hint: ${oneLine(hint)}`]),
  ];
}

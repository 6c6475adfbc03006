import { oneLine } from "../json/escape-invisible.ts";
import type { Diagnostic } from "./answer.ts";

/** A diagnostic as lines for the terminal. */
export function printDiagnostic({ severity, path, code, message, hint }: Diagnostic): string[] {
  const place = path === undefined ? "" : `${path} `;
  return [
    `${severity}: ${place}${code}: ${oneLine(message)}`,
    ...(hint === undefined ? [] : [`hint: ${oneLine(hint)}`]),
  ];
}

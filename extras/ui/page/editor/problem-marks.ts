import type { Diagnostic as Mark } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import { escapeInvisible } from "../../../../schemas/json/escape-invisible.ts";

/** A place in the author's source, both from 1. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/** The place that a diagnostic names, where it names one. */
export function placeOf({ path }: Diagnostic): SourcePlace | undefined {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(path ?? "") ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

/** Marks for the diagnostics of one file: each reaches to the end of the word where it begins. */
export function toMarks(diagnostics: readonly Diagnostic[], file: string, text: Text): Mark[] {
  return diagnostics.flatMap((diagnostic): Mark[] => {
    const place = placeOf(diagnostic);
    if (place === undefined || place.file !== file) return [];
    const from = offsetOf(place, text);
    const line = text.lineAt(from);
    const word = /^(?:[\w$]+|.)/u.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
    const { severity, message, hint } = diagnostic;
    return [{ from, to: from + word, severity, message: escapeInvisible([message, hint].filter(Boolean).join("\n")) }];
  });
}

/** The offset of a place; the nearest there is where the text is shorter now. */
export function offsetOf({ line, column }: SourcePlace, text: Text): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  return Math.min(found.from + column - 1, found.to);
}

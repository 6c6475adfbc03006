import type { Diagnostic } from "../../../../schemas/run/answer.ts";

/** What is known to be wrong with the draft: from the last look at it, and from the last run of exactly this text. */
export interface Findings {
  fromReview(code: string, diagnostics: readonly Diagnostic[]): void;
  fromRun(code: string, diagnostics: readonly Diagnostic[]): void;
  /** Of a text, without what is said twice. */
  of(code: string): Diagnostic[];
}

interface Looked {
  code: string;
  diagnostics: readonly Diagnostic[];
}

export function makeFindings(): Findings {
  let review: Looked = { code: "", diagnostics: [] };
  let run: Looked = { code: "", diagnostics: [] };
  return {
    fromReview: (code, diagnostics) => void (review = { code, diagnostics }),
    fromRun: (code, diagnostics) => void (run = { code, diagnostics }),
    of(code) {
      const all = [run, review].flatMap((looked) => (looked.code === code ? looked.diagnostics : []));
      const keys = all.map(({ code: kind, path, message }) => JSON.stringify([kind, path, message]));
      return all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
    },
  };
}

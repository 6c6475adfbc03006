import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import type { ReportedSource } from "../../../../schemas/run/run-report.ts";

/** Where a diagnostic points: which of the sources, and line and column from 1. */
export interface Place {
  source: number;
  line: number;
  column: number;
}

const PATH = /^([^]+):(\d{1,9}):(\d{1,9})$/;

/** The place in the sources that a diagnostic is about; undefined where it has none, or one that is not there. */
export function findPlace({ path }: Diagnostic, sources: readonly ReportedSource[]): Place | undefined {
  const [, name, line, column] = PATH.exec(path ?? "") ?? [];
  const source = sources.findIndex((candidate) => candidate.name === name);
  const place = { source, line: Number(line), column: Number(column) };
  const lines = sources[source]?.text.split("\n").length ?? 0;
  return place.line >= 1 && place.line <= lines && place.column >= 1 ? place : undefined;
}

/** The id of a line of a source in the page. */
export function lineId({ source, line }: Pick<Place, "source" | "line">): string {
  return `line-${source}-${line}`;
}

import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import type { RunReport, ReportedSource } from "../run-report.ts";
import { formatNumberOf } from "../format/format-amounts.ts";
import { type Markup, markup } from "../html/markup.ts";
import { cutToUtf8 } from "../../../../schemas/json/utf8.ts";

const MAX_SHOWN = 200;

/** What is to be said of the run, worst first as it came; each with its hint and a link to its place. Nothing where there is nothing. */
export function printDiagnostics({
  diagnostics,
  sources,
}: Pick<RunReport, "diagnostics" | "sources">): Markup | undefined {
  if (diagnostics.length === 0) return undefined;
  const shown = diagnostics.slice(0, MAX_SHOWN);
  const left = diagnostics.length - shown.length;
  return markup`<section class="card" aria-labelledby="diagnostics">
<h2 id="diagnostics">${formatNumberOf(diagnostics.length, "diagnostic")}</h2>
<ul class="diagnostics">
${shown.map((diagnostic) => markup`<li class="is-${diagnostic.severity}">${printFinding(diagnostic)}${printPath(diagnostic, sources)}</li>\n`)}
</ul>
${left === 0 ? undefined : markup`<p class="left-out">${formatNumberOf(left, "further diagnostic")} left out.</p>`}
</section>`;
}

/** A diagnostic in two lines. */
function printFinding({ severity, code, message, hint }: Diagnostic): Markup {
  return markup`<p class="finding"><span class="severity">${SIGNS[severity]} ${severity}</span> <code>${code}</code> ${message}</p>${
    hint === undefined ? undefined : markup`<p class="hint"><b>Hint:</b> ${hint}</p>`
  }`;
}

const SIGNS: Readonly<Record<Diagnostic["severity"], string>> = { error: "✕", warning: "▲", info: "●" };

function printPath(diagnostic: Diagnostic, sources: RunReport["sources"]): Markup | undefined {
  if (diagnostic.path === undefined) return undefined;
  const place = findPlace(diagnostic, sources);
  return place === undefined
    ? markup`<p class="path">at ${diagnostic.path}</p>`
    : markup`<p class="path">at <a href="#${lineId(place)}">${diagnostic.path}</a></p>`;
}

/** Where a diagnostic points: which of the sources, and line and column from 1. */
export interface Place {
  source: number;
  line: number;
  column: number;
}

const PATH = /^([^]+):(\d{1,9}):(\d{1,9})$/;

/** The place in the sources that a diagnostic is about; undefined where it has none, or one that is not there. */
function findPlace({ path }: Diagnostic, sources: readonly ReportedSource[]): Place | undefined {
  const [, name, line, column] = PATH.exec(path ?? "") ?? [];
  const source = sources.findIndex((candidate) => candidate.name === name);
  const place = { source, line: Number(line), column: Number(column) };
  const lines = sources[source]?.text.split("\n").length ?? 0;
  return place.line >= 1 && place.line <= lines && place.column >= 1 ? place : undefined;
}

/** The id of a line of a source in the page. */
function lineId({ source, line }: Pick<Place, "source" | "line">): string {
  return `line-${source}-${line}`;
}

/** Of a longer source the lines around what is said of it are shown, and its beginning. */
const MAX_LINES = 1500;
const LINES_AROUND = 20;
const MAX_LINE_BYTES = 2000;

type Finding = Place & { diagnostic: Diagnostic };

/** The script and its modules with the numbers of their lines; what is said of a line stands below it. */
export function printSources({ sources, diagnostics }: Pick<RunReport, "sources" | "diagnostics">): Markup {
  const findings = diagnostics.flatMap((diagnostic) => {
    const place = findPlace(diagnostic, sources);
    return place === undefined ? [] : [{ ...place, diagnostic }];
  });
  return markup`<section class="card" aria-labelledby="source">
<h2 id="source">Source</h2>
${sources.map((source, index) =>
  printSource(
    source,
    index,
    findings.filter((finding) => finding.source === index),
  ),
)}
</section>`;
}

/** The modules of a script are folded unless something is said of them. */
function printSource({ name, text }: ReportedSource, index: number, findings: readonly Finding[]): Markup {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const listing = markup`<div class="source-frame" role="region" aria-label="Source of ${name}" tabindex="0"><ol class="source">
${linesToShow(lines.length, findings).map((line) =>
  typeof line === "number"
    ? printLine(lines[line - 1] ?? "", { source: index, line }, findings)
    : markup`<li class="left-out">${formatNumberOf(line.left, "line")} left out</li>\n`,
)}</ol></div>`;
  const title = markup`<code>${name}</code>, ${formatNumberOf(lines.length, "line")}`;
  if (index === 0) return markup`<h3>${title}</h3>${listing}`;
  if (findings.length > 0) return markup`<details open><summary>${title}</summary>${listing}</details>`;
  return markup`<details><summary>${title}</summary>${listing}</details>`;
}

/** Line numbers from 1, and between them how many are left out. */
function linesToShow(count: number, findings: readonly Finding[]): (number | { left: number })[] {
  const isShown = (line: number): boolean =>
    count <= MAX_LINES ||
    line <= MAX_LINES / 2 ||
    findings.some((finding) => Math.abs(finding.line - line) <= LINES_AROUND);
  const shown: (number | { left: number })[] = [];
  for (let line = 1; line <= count; line += 1) {
    const last = shown.at(-1);
    if (isShown(line)) shown.push(line);
    else if (typeof last === "object") last.left += 1;
    else shown.push({ left: 1 });
  }
  return shown;
}

function printLine(text: string, place: Pick<Place, "source" | "line">, findings: readonly Finding[]): Markup {
  const own = findings.filter(({ line }) => line === place.line);
  const shown = cutToUtf8(text, MAX_LINE_BYTES);
  const cut = shown === text ? undefined : markup`<span class="left-out">… cut</span>`;
  const [first] = own;
  const code = first === undefined ? markup`<code>${shown}</code>` : printMarked(shown, first.column);
  const notes = own.map(
    ({ diagnostic }) => markup`<div class="note is-${diagnostic.severity}">${printFinding(diagnostic)}</div>`,
  );
  const marked = first === undefined ? "" : ` marked is-${first.diagnostic.severity}`;
  return markup`<li id="${lineId(place)}" class="line${marked}"><span class="line-number">${place.line}</span>${code}${cut}${notes}</li>
`;
}

/** The word at the place, or the one sign where there is none. */
function printMarked(text: string, column: number): Markup {
  const start = Math.min(column - 1, text.length);
  const [spot = ""] = /^(?:[\p{L}\p{N}_$]+|\S)/u.exec(text.slice(start)) ?? [];
  const mark = spot === "" ? markup`<mark> </mark>` : markup`<mark>${spot}</mark>`;
  return markup`<code>${text.slice(0, start)}${mark}${text.slice(start + spot.length)}</code>`;
}

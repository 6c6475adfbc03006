import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import type { RunReport } from "../../../../schemas/run/run-report.ts";
import { formatNumberOf } from "../format/format-size.ts";
import { type Markup, markup } from "../html/markup.ts";
import { findPlace, lineId } from "./find-place.ts";

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
export function printFinding({ severity, code, message, hint }: Diagnostic): Markup {
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

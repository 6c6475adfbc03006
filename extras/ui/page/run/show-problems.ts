import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import { placeOf, type SourcePlace } from "../editor/problem-marks.ts";
import { button, element } from "../elements.ts";
import { shownText } from "../shown-text.ts";

/** A list of problems; each one with a position links to it in the draft. */
export function showProblems(
  section: HTMLElement,
  diagnostics: readonly Diagnostic[],
  options: { fileName: string; onPlace: (place: SourcePlace) => void },
): void {
  section.hidden = diagnostics.length === 0;
  section.querySelector("ul")?.replaceChildren(...diagnostics.map((diagnostic) => toItem(diagnostic, options)));
}

function toItem(
  diagnostic: Diagnostic,
  { fileName, onPlace }: { fileName: string; onPlace: (place: SourcePlace) => void },
): HTMLElement {
  const { severity, code, message, hint, path } = diagnostic;
  const place = placeOf(diagnostic);
  const shown = path === undefined ? undefined : shownText(path);
  const where =
    place === undefined || place.file !== fileName
      ? shown
      : button(shown, () => onPlace(place), { class: "link", "aria-label": `${path ?? ""}: Go to line ${place.line}` });
  return element(
    "li",
    { class: severity },
    element("span", { class: `badge ${severity}` }, severity),
    " ",
    element("span", { class: "code-name" }, code),
    " ",
    where,
    element("p", { class: "said" }, shownText(message)),
    hint === undefined ? undefined : element("p", { class: "hint" }, shownText(hint)),
  );
}

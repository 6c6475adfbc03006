import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import type { DraftReview } from "../../messages/ui-messages.ts";
import { verdictBadge } from "../browse/show-tool.ts";
import { element, button, shownText } from "../elements.ts";
import { placeOf, type SourcePlace } from "../editor/make-editor.ts";

interface Looked {
  code: string;
  diagnostics: readonly Diagnostic[];
}

/** What is known to be wrong with the draft: from the last look at it, and from the last run of exactly this text. */
export function makeFindings() {
  let review: Looked = { code: "", diagnostics: [] };
  let run: Looked = { code: "", diagnostics: [] };
  return {
    fromReview: (code: string, diagnostics: readonly Diagnostic[]) => void (review = { code, diagnostics }),
    fromRun: (code: string, diagnostics: readonly Diagnostic[]) => void (run = { code, diagnostics }),
    /** Of a text, without what is said twice. */
    of(code: string): Diagnostic[] {
      const all = [run, review].flatMap((looked) => (looked.code === code ? looked.diagnostics : []));
      const keys = all.map(({ code: kind, path, message }) => JSON.stringify([kind, path, message]));
      return all.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
    },
  };
}

/** What a draft may call, before it runs. */
export function showManifest(parent: HTMLElement, tools: DraftReview["tools"]): void {
  if (tools === undefined) return parent.replaceChildren("The script cannot be bundled: see Problems.");
  if (tools.length === 0) return parent.replaceChildren("This script calls no tools.");
  parent.replaceChildren(
    "May call ",
    ...tools.flatMap(({ serverId, toolName, policy }, index) => [
      ...(index === 0 ? [] : [", "]),
      element("code", {}, shownText(`${serverId}/${toolName}`)),
      ...(policy === "allow" ? [] : [" ", verdictBadge(policy)]),
    ]),
  );
}

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

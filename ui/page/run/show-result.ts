import type { JsonValue } from "../../../schemas/json/json.ts";
import { shownText } from "../shown-text.ts";

/** UTF-16 units: a browser lays out no more than this at once without being felt. */
const LONGEST = 200_000;

/** The result of a run as JSON. */
export function showResult(section: HTMLElement, result: JsonValue): void {
  const text = JSON.stringify(result, null, 2);
  const cut = text.length > LONGEST ? `\n… ${text.length - LONGEST} more characters` : "";
  section.hidden = false;
  section.querySelector("pre")?.replaceChildren(shownText(text.slice(0, LONGEST)), cut);
}

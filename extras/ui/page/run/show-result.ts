import type { JsonValue } from "../../../../schemas/json/json.ts";
import { showJson } from "./show-json.ts";

/** The result of a run as JSON, with the pictures in it and the JSON in its strings. */
export function showResult(section: HTMLElement, result: JsonValue): void {
  section.hidden = false;
  section.querySelector(".json")?.replaceChildren(...showJson(result));
}

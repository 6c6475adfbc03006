import type { LogEntry } from "../../../../schemas/run/answer.ts";
import { element } from "../elements.ts";
import { shownText } from "../shown-text.ts";

/** Console lines as they come. */
export interface LogView {
  clear(): void;
  add(entry: LogEntry): void;
  /** A line of codemode's own. */
  note(text: string): void;
}

export function makeLogView(section: HTMLElement): LogView {
  const list = section.querySelector("ol");
  const append = (item: HTMLElement): void => {
    section.hidden = false;
    list?.append(item);
  };
  return {
    clear() {
      section.hidden = true;
      list?.replaceChildren();
    },
    add: ({ level, message, timeMs }) =>
      append(
        element(
          "li",
          { class: level },
          element("span", { class: "time" }, `${timeMs} ms`),
          level === "log" ? undefined : element("span", { class: `badge ${level}` }, level),
          element("span", { class: "message" }, shownText(message)),
        ),
      ),
    note: (text) => append(element("li", { class: "note" }, element("span", { class: "message" }, shownText(text)))),
  };
}

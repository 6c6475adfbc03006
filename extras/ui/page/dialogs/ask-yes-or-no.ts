import { element, fill, part, shownText } from "../elements.ts";
import { askInDialog } from "./ask-in-dialog.ts";

/** A question that is answered by one of two buttons. */
export interface YesOrNo {
  title: string;
  /** What is asked, in a sentence. */
  message: string;
  /** What it is about, one line for each. */
  lines?: readonly string[];
  /** The words of the buttons. */
  no: string;
  yes: string;
}

/** Asks the person at the page. The focused button says no, like closing the dialog. */
export function showYesOrNo({ title, message, lines = [], no, yes }: YesOrNo, signal?: AbortSignal): Promise<boolean> {
  return askInDialog(
    "choice",
    {
      fill() {
        part("choice-title").textContent = title;
        fill(
          part("choice-message"),
          element("p", {}, shownText(message)),
          lines.length === 0
            ? undefined
            : element("ul", {}, ...lines.map((line) => element("li", {}, shownText(line)))),
        );
        part("choice-no").textContent = no;
        part("choice-yes").textContent = yes;
      },
      focused: "choice-no",
      closed: false,
      listen(settle, options) {
        part("choice-yes").addEventListener("click", () => settle(true), options);
        part("choice-no").addEventListener("click", () => settle(false), options);
      },
    },
    signal,
  );
}

/** Asks for the approval of a run, with the content of a client's approval form. Stopping the run refuses. */
export function showApproval(form: string, signal: AbortSignal): Promise<boolean> {
  const [message = "", ...tools] = form.split("\n");
  const lines = tools.map((line) => line.replace(/^- /, ""));
  const words = { title: "Allow these calls?", no: "Do not allow", yes: "Allow in this run" };
  return showYesOrNo({ ...words, message, lines }, signal);
}

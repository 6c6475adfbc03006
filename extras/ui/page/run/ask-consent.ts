import { element, part, partOf } from "../elements.ts";
import { shownText } from "../shown-text.ts";
import { askInDialog } from "./ask-in-dialog.ts";

/**
 * Asks the person at the page, with the content of a client's approval form. The focused button refuses; closing the dialog and stopping
 * the run refuse too.
 */
export function askConsent(message: string, signal: AbortSignal): Promise<boolean> {
  const dialog = partOf(HTMLDialogElement, "consent");
  const [question = "", ...tools] = message.split("\n");
  part("consent-message").replaceChildren(
    element("p", {}, shownText(question)),
    element("ul", {}, ...tools.map((line) => element("li", {}, shownText(line.replace(/^- /, ""))))),
  );
  return askInDialog(dialog, signal, {
    focused: "consent-refuse",
    closed: false,
    listen(settle, options) {
      part("consent-allow").addEventListener("click", () => settle(true), options);
      part("consent-refuse").addEventListener("click", () => settle(false), options);
    },
  });
}

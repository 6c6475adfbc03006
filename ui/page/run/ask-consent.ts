import { element, part, partOf } from "../elements.ts";
import { shownText } from "../shown-text.ts";

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
  return new Promise((resolve) => {
    const listening = new AbortController();
    const settle = (isAllowed: boolean): void => {
      listening.abort();
      dialog.close();
      resolve(isAllowed);
    };
    const on = { signal: listening.signal };
    part("consent-allow").addEventListener("click", () => settle(true), on);
    part("consent-refuse").addEventListener("click", () => settle(false), on);
    dialog.addEventListener("close", () => settle(false), on);
    signal.addEventListener("abort", () => settle(false), on);
    dialog.showModal();
    part("consent-refuse").focus();
  });
}

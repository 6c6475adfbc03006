import { part } from "../elements.ts";

/** What a person can do in a dialog. */
export interface DialogChoices<Answer> {
  /** The id of the button that has the focus at first: one that refuses. */
  focused: string;
  /** The answer where the dialog is closed or the run is stopped. */
  closed: Answer;
  /** Listens to the buttons, with these options, and settles on an answer. */
  listen(settle: (answer: Answer) => void, options: AddEventListenerOptions): void;
}

/** Opens a dialog until the person answers in it, closes it, or the run stops. */
export function askInDialog<Answer>(
  dialog: HTMLDialogElement,
  signal: AbortSignal,
  { focused, closed, listen }: DialogChoices<Answer>,
): Promise<Answer> {
  return new Promise((resolve) => {
    const listening = new AbortController();
    const settle = (answer: Answer): void => {
      listening.abort();
      dialog.close();
      resolve(answer);
    };
    const options = { signal: listening.signal };
    listen(settle, options);
    dialog.addEventListener("close", () => settle(closed), options);
    signal.addEventListener("abort", () => settle(closed), options);
    dialog.showModal();
    part(focused).focus();
  });
}

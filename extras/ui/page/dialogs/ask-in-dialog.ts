import { makeTurns } from "../../../../schemas/turns.ts";
import { part, partOf } from "../elements.ts";

/** What a person can do in a dialog. */
export interface DialogChoices<Answer> {
  /** Fills the dialog, right before it opens. */
  fill(): void;
  /** The id of the button that has the focus at first: one that changes nothing. */
  focused: string;
  /** The answer where the dialog is closed, or no longer wanted. */
  closed: Answer;
  /** Listens to the buttons, with these options, and settles on an answer. */
  listen(settle: (answer: Answer) => void, options: AddEventListenerOptions): void;
}

/** One dialog at a time: a second one would take the place of the first, and its answer. */
const inTurn = makeTurns();

/**
 * Opens a dialog until the person answers in it, closes it, or the signal is aborted. The focus stays in it, and then goes back to where it
 * was.
 */
export function askInDialog<Answer>(id: string, choices: DialogChoices<Answer>, signal?: AbortSignal): Promise<Answer> {
  return inTurn(() => openDialog(partOf(HTMLDialogElement, id), choices, signal));
}

function openDialog<Answer>(
  dialog: HTMLDialogElement,
  { fill, focused, closed, listen }: DialogChoices<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal?.aborted === true) return Promise.resolve(closed);
  return new Promise((resolve) => {
    const listening = new AbortController();
    const before = document.activeElement;
    const settle = (answer: Answer): void => {
      listening.abort();
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      resolve(answer);
    };
    const options = { signal: listening.signal };
    listen(settle, options);
    dialog.addEventListener("close", () => settle(closed), options);
    dialog.addEventListener("keydown", (event) => keepFocusInside(dialog, event), options);
    signal?.addEventListener("abort", () => settle(closed), options);
    fill();
    dialog.showModal();
    part(focused).focus();
  });
}

const FOCUSABLE = "button, input, select, textarea, [tabindex='0']";

/** From the last control Tab goes to the first one; a browser would leave the page between them. */
function keepFocusInside(dialog: HTMLDialogElement, event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const controls = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((control) => control.checkVisibility());
  const [from, to] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]];
  if (document.activeElement !== from && dialog.contains(document.activeElement)) return;
  event.preventDefault();
  to?.focus();
}

import type { JsonObject, JsonValue } from "../../../../schemas/json/json.ts";
import { type PersonsReply, type QuestionField, type ServerQuestion, fits } from "../../../../schemas/run/question.ts";
import { element, part, partOf, shownText } from "../elements.ts";

/** Asks the person at the page what a server wants to know. Closing the dialog and stopping the run are no answer; nothing is opened. */
export function answerQuestion(question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> {
  const dialog = partOf(HTMLDialogElement, "question");
  const { serverId, lines, isOwn } = question;
  const fields = question.mode === "form" ? question.fields : [];
  const inputs = fields.map((field) => makeInput(field));
  part("question-title").textContent = isOwn ? "A call waits for you" : `The server "${serverId}" asks you`;
  part("question-message").replaceChildren(
    isOwn ? "" : element("p", {}, "These are its words, and not codemode's:"),
    element("ul", {}, ...lines.map((line) => element("li", {}, shownText(line)))),
    ...(question.mode === "url"
      ? [
          element("p", {}, `It wants you to open this page of ${question.host} yourself:`),
          element("ul", {}, element("li", {}, question.url)),
        ]
      : []),
  );
  part("question-fields").replaceChildren(...inputs.map(({ label }) => label));
  part("question-problem").textContent = "";
  part("question-send").textContent = question.mode === "url" ? "Go on" : isOwn ? "Answer" : "Send to the server";
  return askInDialog<PersonsReply>(dialog, signal, {
    focused: "question-decline",
    closed: { action: "cancel" },
    listen(settle, options) {
      const send = (event: Event): void => {
        event.preventDefault();
        const misfit = inputs.find(({ isFit }) => !isFit());
        if (misfit === undefined) settle({ action: "accept", content: toContent(inputs) });
        else part("question-problem").textContent = `"${misfit.field.title ?? misfit.field.name}" does not fit.`;
      };
      part("question-form").addEventListener("submit", send, options);
      part("question-decline").addEventListener("click", () => settle({ action: "decline" }), options);
    },
  });
}

/** `read` gives undefined where the field is left out. */
function makeInput(field: QuestionField) {
  const { name, title = name, description, isRequired } = field;
  const { control, read } = makeControl(field);
  const isFit = (): boolean => {
    const value = read();
    return value === undefined ? !isRequired : fits(value, field);
  };
  const label = element(
    "label",
    {},
    element("span", {}, shownText(isRequired ? `${title} (required)` : title)),
    control,
    description === undefined ? undefined : element("small", {}, shownText(description)),
  );
  return { field, label, read, isFit };
}

function makeControl(field: QuestionField): { control: HTMLElement; read: () => JsonValue | undefined } {
  if (field.kind === "boolean") {
    const input = element("input", { type: "checkbox" });
    input.checked = field.preset === true;
    return { control: input, read: () => input.checked };
  }
  if (field.kind === "choice" || field.kind === "choices") {
    const isMany = field.kind === "choices";
    const presets: readonly string[] = typeof field.preset === "string" ? [field.preset] : (field.preset ?? []);
    const select = element("select", {}, ...(isMany || field.isRequired ? [] : [element("option", { value: "" }, "")]));
    select.multiple = isMany;
    for (const { value, title } of field.choices) {
      const option = element("option", { value }, shownText(title));
      option.selected = presets.includes(value);
      select.append(option);
    }
    const read = (): JsonValue | undefined =>
      isMany ? [...select.selectedOptions].map(({ value }) => value) : select.value === "" ? undefined : select.value;
    return { control: select, read };
  }
  const isText = field.kind === "text";
  const input = element("input", {
    type: isText ? "text" : "number",
    value: field.preset === undefined ? "" : `${field.preset}`,
  });
  if (!isText) input.step = field.kind === "integer" ? "1" : "any";
  const read = (): JsonValue | undefined => {
    if (input.value === "") return isText && field.isRequired ? "" : undefined;
    return isText ? input.value : Number(input.value);
  };
  return { control: input, read };
}

function toContent(inputs: readonly ReturnType<typeof makeInput>[]): JsonObject {
  const given = inputs.flatMap(({ field, read }) => {
    const value = read();
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(given);
}

/** What a person can do in a dialog. */
interface DialogChoices<Answer> {
  /** The id of the button that has the focus at first: one that refuses. */
  focused: string;
  /** The answer where the dialog is closed or the run is stopped. */
  closed: Answer;
  /** Listens to the buttons, with these options, and settles on an answer. */
  listen(settle: (answer: Answer) => void, options: AddEventListenerOptions): void;
}

/** Opens a dialog until the person answers in it, closes it, or the run stops. */
function askInDialog<Answer>(
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

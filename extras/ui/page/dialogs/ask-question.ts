import type { JsonObject, JsonValue } from "../../../../schemas/json/json.ts";
import { type PersonsReply, type QuestionField, type ServerQuestion, fits } from "../../../../schemas/run/question.ts";
import { element, fill, part, shownText } from "../elements.ts";
import { askInDialog } from "./ask-in-dialog.ts";

/** Asks the person at the page what a server wants to know. Closing the dialog and stopping the run are no answer; nothing is opened. */
export function askServerQuestion(question: ServerQuestion, signal: AbortSignal): Promise<PersonsReply> {
  const inputs = question.mode === "form" ? question.fields.map((field) => makeInput(field)) : [];
  const send = (settle: (reply: PersonsReply) => void): void => {
    const misfit = inputs.find(({ isFit }) => !isFit());
    if (misfit === undefined) settle({ action: "accept", content: toContent(inputs) });
    else showInvalidAnswer(misfit);
  };
  return askInDialog<PersonsReply>(
    "question",
    {
      fill: () => showQuestion(question, inputs),
      focused: "question-decline",
      closed: { action: "cancel" },
      listen(settle, options) {
        part("question-send").addEventListener("click", () => send(settle), options);
        part("question-decline").addEventListener("click", () => settle({ action: "decline" }), options);
      },
    },
    signal,
  );
}

type Input = ReturnType<typeof makeInput>;

function showQuestion(question: ServerQuestion, inputs: readonly Input[]): void {
  const { serverId, lines, isOwn, mode } = question;
  part("question-title").textContent = isOwn ? "A call waits for you" : `The server "${serverId}" asks you`;
  fill(
    part("question-message"),
    isOwn ? undefined : element("p", {}, "The server wrote this text; codemode did not:"),
    element("ul", {}, ...lines.map((line) => element("li", {}, shownText(line)))),
    ...(mode === "url"
      ? [
          element("p", {}, `The server asks you to open this page of ${question.host} yourself:`),
          element("ul", {}, element("li", {}, question.url)),
        ]
      : []),
  );
  part("question-fields").replaceChildren(...inputs.map(({ label }) => label));
  part("question-problem").textContent = "";
  part("question-send").textContent = mode === "url" ? "Continue" : isOwn ? "Answer" : "Send to the server";
}

/** The focus goes to the field, which names what is wrong. */
function showInvalidAnswer({ field, control }: Input): void {
  const problem = part("question-problem");
  problem.textContent = `"${field.title ?? field.name}" is missing, or its value is not valid.`;
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", problem.id);
  control.focus();
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
  control.addEventListener("input", () => control.removeAttribute("aria-invalid"));
  return { field, control, label, read, isFit };
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

function toContent(inputs: readonly Input[]): JsonObject {
  const given = inputs.flatMap(({ field, read }) => {
    const value = read();
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(given);
}

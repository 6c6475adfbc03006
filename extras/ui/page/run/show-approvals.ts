import type { PageAnswer, ApprovalRow } from "../../messages/ui-messages.ts";
import { type Api, ApiError } from "../api.ts";
import { button, element, part, shownText } from "../elements.ts";

const LOOK_EVERY_MS = 2000;

/** Shows the approvals that runs of `codemode serve` wait for, as long as there are any. The section stands hidden in the page. */
export function watchApprovals(section: HTMLElement, api: Pick<Api, "approvals" | "approve">): void {
  const list = section.querySelector("ul") as HTMLUListElement;
  let shown = new Map<string, HTMLElement>();
  const look = async (): Promise<void> => {
    // A page that is not seen asks nothing; a program that has ended says so elsewhere.
    const rows = document.hidden ? undefined : await api.approvals().catch(() => undefined);
    if (rows === undefined) return;
    // An item stays while others come and go: an answer may be half typed in it. Another question with the same id is another item.
    const items = new Map(
      rows.map((row) => [row.digest, shown.get(row.digest) ?? toItem(row, (given) => answer(row, given))]),
    );
    if ([...items.keys()].join(" ") === [...shown.keys()].join(" ")) return;
    const isFocused = list.contains(document.activeElement);
    for (const [digest, item] of shown) if (!items.has(digest)) item.remove();
    list.append(...[...items].flatMap(([digest, item]) => (shown.has(digest) ? [] : [item])));
    shown = items;
    if (isFocused && !list.contains(document.activeElement)) focusNext(list);
    section.hidden = rows.length === 0;
  };
  const answer = async (row: ApprovalRow, given: PageAnswer): Promise<string | undefined> => {
    try {
      await api.approve(row, given);
    } catch (error) {
      return error instanceof ApiError ? error.message : String(error);
    } finally {
      await look();
    }
    return undefined;
  };
  setInterval(() => void look(), LOOK_EVERY_MS);
  void look();
}

/** The item of the focus is gone: it goes to the next one, or to the script. */
function focusNext(list: HTMLElement): void {
  (list.querySelector("select") ?? part("script")).focus();
}

/** @param onAnswer gives what is wrong with the answer */
function toItem(
  { id, kind, client, lines, script, choices }: ApprovalRow,
  onAnswer: (answer: PageAnswer) => Promise<string | undefined>,
): HTMLElement {
  const asks = client === undefined ? "A script" : `A script of the client "${client}"`;
  // Nothing is chosen at first: a key that is pressed too early allows nothing.
  const decision = element(
    "select",
    { id: `decision-${id}` },
    element("option", { value: "" }, "Choose"),
    ...choices.map(({ value, title }) => element("option", { value }, title)),
  );
  const text = element("textarea", { id: `text-${id}`, rows: "2", spellcheck: "false" });
  const passphrase = element("input", { type: "password", id: `passphrase-${id}`, autocomplete: "off" });
  const ofText = labelled("Text", text);
  const ofPassphrase = labelled("Your passphrase for approvals", passphrase);
  const showFields = (): void => {
    const { value } = decision;
    ofText.hidden = value === "" || value.startsWith("allow");
    ofPassphrase.hidden = value === "" || value === "refuse";
  };
  showFields();
  decision.addEventListener("change", showFields);
  const problem = element("p", { role: "alert", class: "quiet" });
  const send = async (): Promise<void> => {
    problem.textContent = "";
    const answer = { decision: decision.value, text: text.value, passphrase: passphrase.value };
    problem.textContent = (await onAnswer(answer)) ?? "";
  };
  return element(
    "li",
    {},
    element("p", {}, shownText(`${asks} ${WHAT[kind]}:`)),
    showBlock("group", "The question", lines),
    script.length === 0 ? undefined : showScript(script),
    labelled("Your answer", decision),
    ofText,
    ofPassphrase,
    element(
      "div",
      { class: "buttons" },
      button("Answer", () => void send()),
    ),
    problem,
  );
}

const WHAT: Record<ApprovalRow["kind"], string> = {
  script: "asks to call these tools, any number of times in its run",
  call: "asks to make this call",
  server: "waits for what a server asks you",
};

function showScript(script: readonly string[]): HTMLElement {
  return element(
    "details",
    {},
    element("summary", {}, "The script, its input and its digest"),
    showBlock("region", "The script", script),
  );
}

/** Lines in a block of its own height: what comes after it is seen without scrolling. */
function showBlock(role: "group" | "region", label: string, lines: readonly string[]): HTMLElement {
  return element("pre", { tabindex: "0", role, "aria-label": label }, shownText(lines.join("\n")));
}

function labelled(label: string, control: HTMLElement): HTMLElement {
  return element("div", {}, element("label", { for: control.id }, label), control);
}

import type { ApprovalRow } from "../../messages/ui-messages.ts";
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
    // An item stays while others come and go: a passphrase may be half typed in it.
    const items = new Map(
      rows.map((row) => [row.id, shown.get(row.id) ?? toItem(row, (passphrase) => answer(row.id, passphrase))]),
    );
    if ([...items.keys()].join(" ") === [...shown.keys()].join(" ")) return;
    const isFocused = list.contains(document.activeElement);
    for (const [id, item] of shown) if (!items.has(id)) item.remove();
    list.append(...[...items].flatMap(([id, item]) => (shown.has(id) ? [] : [item])));
    shown = items;
    if (isFocused && !list.contains(document.activeElement)) focusNext(list);
    section.hidden = rows.length === 0;
  };
  const answer = async (id: string, passphrase: string | undefined): Promise<string | undefined> => {
    try {
      await api.approve(id, passphrase);
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
  (list.querySelector("input") ?? part("script")).focus();
}

/** @param onAnswer gives what is wrong with the answer */
function toItem(
  { id, client, tools, isCall }: ApprovalRow,
  onAnswer: (passphrase: string | undefined) => Promise<string | undefined>,
): HTMLElement {
  const asks = client === undefined ? "A script asks" : `A script of the client "${client}" asks`;
  const passphrase = element("input", { type: "password", id: `passphrase-${id}`, autocomplete: "off" });
  const problem = element("p", { role: "alert", class: "quiet" });
  const send = async (text: string | undefined): Promise<void> => {
    problem.textContent = (await onAnswer(text)) ?? "";
  };
  return element(
    "li",
    {},
    element(
      "p",
      {},
      shownText(isCall ? `${asks} to make this call:` : `${asks} to call these tools, any number of times in its run:`),
    ),
    element("ul", {}, ...tools.map((tool) => element("li", {}, shownText(tool)))),
    element("label", { for: `passphrase-${id}` }, "Your passphrase for approvals"),
    passphrase,
    element(
      "div",
      { class: "buttons" },
      button("Do not allow", () => void send(undefined)),
      button(isCall ? "Allow this call" : "Allow in this run", () => void send(passphrase.value)),
    ),
    problem,
  );
}

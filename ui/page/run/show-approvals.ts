import type { ApprovalRow } from "../../../schemas/ui-messages.ts";
import type { Api } from "../api.ts";
import { button, element } from "../elements.ts";
import { shownText } from "../shown-text.ts";

const LOOK_EVERY_MS = 2000;

/** Shows the consents that runs of `codemode serve` wait for, as long as there are any. The section stands hidden in the page. */
export function watchApprovals(section: HTMLElement, api: Pick<Api, "approvals" | "approve">): void {
  const list = section.querySelector("ul") as HTMLUListElement;
  let shown = "";
  const look = async (): Promise<void> => {
    // A page that is not seen asks nothing; a program that has ended says so elsewhere.
    const rows = document.hidden ? undefined : await api.approvals().catch(() => undefined);
    if (rows === undefined) return;
    const ids = rows.map(({ id }) => id).join(" ");
    if (ids === shown) return;
    shown = ids;
    section.hidden = rows.length === 0;
    list.replaceChildren(...rows.map((row) => toItem(row, (isAllowed) => void answer(row.id, isAllowed))));
  };
  const answer = async (id: string, isAllowed: boolean): Promise<void> => {
    await api.approve(id, isAllowed).catch(() => undefined); // It may have been answered elsewhere.
    await look();
  };
  setInterval(() => void look(), LOOK_EVERY_MS);
  void look();
}

function toItem({ client, tools }: ApprovalRow, onAnswer: (isAllowed: boolean) => void): HTMLElement {
  const asks = client === undefined ? "A script asks" : `A script of the client "${client}" asks`;
  return element(
    "li",
    {},
    element("p", {}, shownText(`${asks} to call these tools, any number of times in its run:`)),
    element("ul", {}, ...tools.map((tool) => element("li", {}, shownText(tool)))),
    element(
      "div",
      { class: "buttons" },
      button("Do not allow", () => onAnswer(false)),
      button("Allow in this run", () => onAnswer(true)),
    ),
  );
}

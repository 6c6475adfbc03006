import type { JsonValue } from "../../../../schemas/json/json.ts";
import type { DurableView } from "../../messages/ui-messages.ts";
import { section } from "../browse/show-tool.ts";
import { button, type Child, element, fill, shownText } from "../elements.ts";
import { showYesOrNo, type YesOrNo } from "../dialogs/ask-yes-or-no.ts";
import { showResult } from "./show-json.ts";

interface RunActions {
  /** Each rejects with what is wrong, in words. */
  cancel: () => Promise<void>;
  remove: () => Promise<void>;
}

const CANCEL: YesOrNo = {
  title: "Cancel this run?",
  message: "A cancelled run cannot be resumed.",
  no: "Keep the run",
  yes: "Cancel the run",
};
const REMOVE: YesOrNo = {
  title: "Remove this run?",
  message: "Its time line and its result are deleted.",
  no: "Keep the run",
  yes: "Remove the run",
};

/** One durable run. Its buttons stay while the rest is replaced, so that the focus does. */
export function makeRunView({ cancel, remove }: RunActions) {
  const said = element("p", { role: "status", class: "quiet" });
  const problem = element("p", { role: "alert", class: "problem" });
  const act = async (question: YesOrNo, action: () => Promise<void>, outcome: string): Promise<void> => {
    if (!(await showYesOrNo(question))) return;
    [said.textContent, problem.textContent] = ["", ""];
    await action().then(
      () => void (said.textContent = outcome),
      (error: unknown) => problem.replaceChildren(shownText(error instanceof Error ? error.message : String(error))),
    );
  };
  const cancelButton = button("Cancel the run", () => {
    void act(CANCEL, cancel, "Cancelled. If a process has the run, it ends the run soon.");
  });
  const removeButton = button("Remove the run", () => {
    void act(REMOVE, remove, "Removed.");
  });
  const head = element("div");
  const body = element("div");
  const actions = element("div", { class: "run-actions" }, cancelButton, removeButton, said, problem);
  const root = element("div", {}, head, actions, body);
  let shown = "";

  return {
    root,
    show(view: DurableView): void {
      const text = JSON.stringify(view);
      if (text === shown) return;
      shown = text;
      const isFocused = document.activeElement === cancelButton;
      cancelButton.hidden = view.hasEnded;
      removeButton.hidden = !view.hasEnded;
      if (isFocused && view.hasEnded) removeButton.focus();
      fill(head, ...headOf(view));
      fill(body, ...partsOf(view));
    },
    showRemoved(): void {
      cancelButton.hidden = true;
      removeButton.hidden = true;
      fill(body);
    },
  };
}

function headOf({ id, script, client, state, begun }: DurableView): Node[] {
  return [
    element("p", { class: "place" }, "Durable run"),
    element("h2", {}, shownText(script)),
    element("p", {}, shownText(state)),
    element("p", { class: "quiet" }, shownText(client === undefined ? begun : `${begun}, of the client "${client}"`)),
    element("p", { class: "digest" }, shownText(id)),
  ];
}

function partsOf({ questions, resume, steps, before, result }: DurableView): Child[] {
  return [
    ...questions.map((lines, at) =>
      section("A person is asked", scrolled(`Question ${at + 1}`, element("ul", {}, ...lines.map(toItem)))),
    ),
    resume === undefined
      ? undefined
      : section(
          "Resume",
          element("p", {}, "Unless another process resumes it, type in a terminal:"),
          element("pre", { class: "code" }, shownText(resume)),
        ),
    section(
      "Time line",
      before === 0 ? undefined : element("p", { class: "quiet" }, `${before} earlier lines are not shown.`),
      steps.length === 0
        ? element("p", { class: "quiet" }, "There are no steps yet.")
        : scrolled("Time line", element("ol", {}, ...steps.map(toItem))),
    ),
    result === undefined ? undefined : resultOf(result),
  ];
}

function toItem(line: string): HTMLElement {
  return element("li", {}, shownText(line));
}

/** What scrolls can be reached by keyboard. */
function scrolled(label: string, child?: HTMLElement): HTMLElement {
  const attributes = { class: "json code run-part", tabindex: "0", role: "region", "aria-label": label };
  return element("div", attributes, child);
}

function resultOf(result: JsonValue): HTMLElement {
  const made = section("Result", scrolled("Result of the run"));
  showResult(made, result);
  return made;
}

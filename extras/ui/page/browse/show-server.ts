import type { DriftView, ServerView } from "../../messages/ui-messages.ts";
import { button, element, fill, shownText } from "../elements.ts";
import { section } from "./show-tool.ts";
import { diffWordsWithSpace } from "diff";
import { type Change, CHANGE_SEVERITY_NAMES } from "../../../../schemas/diff/change.ts";

/** The self-description of a server, and on request its differences from the lockfile. */
export function showServer(
  parent: HTMLElement,
  server: ServerView,
  findDrift: () => Promise<DriftView | { problem: string }>,
): void {
  const { id, title, source, protocolVersion, instructions } = server;
  const result = element("div", { role: "status" });
  const show = async (): Promise<void> => {
    const view = await findDrift();
    compare.disabled = false;
    showDrift(result, view);
  };
  const compare = button(
    "Compare with the live server",
    () => {
      compare.disabled = true;
      result.replaceChildren(element("p", { class: "quiet" }, "Starting the server and reading its tools…"));
      void show();
    },
    { class: "use" },
  );
  fill(
    parent,
    element("p", { class: "place" }, "Server"),
    element("h2", {}, shownText(id)),
    element("p", {}, shownText(title), element("span", { class: "quiet" }, ` · MCP ${protocolVersion}`)),
    section("Source", element("p", { class: "digest" }, shownText(source))),
    section("Drift", element("p", {}, compare), result),
    instructions === undefined
      ? undefined
      : section("Instructions", element("p", { class: "said" }, shownText(instructions))),
  );
}

/** How a live server differs from the lockfile: each change with both sides, and hidden characters shown. */
function showDrift(parent: HTMLElement, view: DriftView | { problem: string }): void {
  if ("problem" in view) return parent.replaceChildren(element("p", { class: "problem" }, shownText(view.problem)));
  if (view.change === undefined) {
    return parent.replaceChildren(element("p", {}, "The live server matches the lockfile."));
  }
  const { changes } = view.change;
  parent.replaceChildren(
    element(
      "p",
      {},
      `${changes.length} ${changes.length === 1 ? "change" : "changes"}. `,
      "`codemode lock` accepts them.",
    ),
    element("ul", { class: "changes" }, ...changes.map(toItem)),
  );
}

function toItem(change: Change): HTMLElement {
  const { severity, summary, pointer, verdict } = change;
  return element(
    "li",
    {},
    element("span", { class: `badge ${severity}` }, CHANGE_SEVERITY_NAMES[severity]),
    " ",
    element("span", {}, shownText(summary)),
    element("p", { class: "digest" }, shownText(pointer)),
    verdict === undefined
      ? undefined
      : element("p", {}, `The project's policy: ${verdict.before ?? "no such tool"} before, ${verdict.after} now.`),
    toSides(change),
  );
}

function toSides({ before, after }: Change): HTMLElement {
  if (typeof before === "string" && typeof after === "string") {
    const parts = diffWordsWithSpace(before, after).map(({ value, added, removed }) => {
      if (added) return element("ins", {}, shownText(value));
      return removed ? element("del", {}, shownText(value)) : shownText(value);
    });
    return element("p", { class: "said" }, ...parts);
  }
  return element(
    "div",
    {},
    before === undefined ? undefined : element("del", { class: "side" }, shownText(JSON.stringify(before, null, 1))),
    after === undefined ? undefined : element("ins", { class: "side" }, shownText(JSON.stringify(after, null, 1))),
  );
}

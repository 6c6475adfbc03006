import type { ToolView } from "../../messages/ui-messages.ts";
import { button, type Child, element, fill, shownText } from "../elements.ts";
import { highlightTypeScript } from "../highlight-code.ts";
import type { PolicyVerdict } from "../../../../schemas/access/policy.ts";

/** All about one tool. What its server says is text, and stands apart from what codemode says. */
export function showTool(parent: HTMLElement, tool: ToolView, onUse: () => void): void {
  const { serverId, toolName, title, description, annotations } = tool;
  fill(
    parent,
    element("p", { class: "place" }, shownText(serverId)),
    element("h2", {}, shownText(toolName)),
    element(
      "p",
      {},
      verdictBadge(tool.verdict),
      " ",
      element("span", { class: "claims" }, `The server ${tool.claims}.`),
    ),
    tool.verdict === "deny" ? undefined : button("Use in the script", onUse, { class: "use" }),
    title === undefined ? undefined : section("Title", element("p", {}, shownText(title))),
    section(
      "What the server says",
      description === undefined
        ? element("p", { class: "quiet" }, "Nothing.")
        : element("p", { class: "said" }, shownText(description)),
    ),
    section(
      "What a script sees",
      codeBlock(highlightTypeScript(tool.declarations), "Declarations"),
      tool.observed === undefined ? undefined : element("p", { class: "quiet" }, `Results: ${tool.observed}`),
    ),
    annotations === undefined
      ? undefined
      : section("Annotations", codeBlock(shownText(JSON.stringify(annotations, null, 2)), "Annotations")),
    section("Integrity", element("p", { class: "digest" }, tool.integrity)),
  );
}

export function section(title: string, ...children: readonly Child[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), ...children);
}

/** Code that scrolls sideways can be reached by keyboard. */
function codeBlock(content: Node, label: string): HTMLElement {
  return element("pre", { class: "code", tabindex: "0", role: "region", "aria-label": label }, content);
}

const WORDS: Readonly<Record<PolicyVerdict, string>> = {
  allow: "allowed",
  ask: "asks first",
  askEach: "asks each time",
  deny: "denied",
};

/** What the policy says of a tool, in a word. */
export function verdictBadge(verdict: PolicyVerdict): HTMLElement {
  return element("span", { class: `badge ${verdict}` }, WORDS[verdict]);
}

import type { DraftReview } from "../../../../schemas/ui-messages.ts";
import { verdictBadge } from "../browse/verdict-badge.ts";
import { element } from "../elements.ts";
import { shownText } from "../shown-text.ts";

/** What a draft may call, before it runs. */
export function showManifest(parent: HTMLElement, tools: DraftReview["tools"]): void {
  if (tools === undefined) return parent.replaceChildren("The script cannot be bundled as it is.");
  if (tools.length === 0) return parent.replaceChildren("This script calls no tools.");
  parent.replaceChildren(
    "May call ",
    ...tools.flatMap(({ serverId, toolName, policy }, index) => [
      ...(index === 0 ? [] : [", "]),
      element("code", {}, shownText(`${serverId}/${toolName}`)),
      ...(policy === "allow" ? [] : [" ", verdictBadge(policy)]),
    ]),
  );
}

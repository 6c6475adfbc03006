import type { PolicyVerdict } from "../../../../schemas/access/policy.ts";
import { element } from "../elements.ts";

const WORDS: Readonly<Record<PolicyVerdict, string>> = { allow: "allowed", ask: "asks first", deny: "denied" };

/** What the policy says of a tool, in a word. */
export function verdictBadge(verdict: PolicyVerdict): HTMLElement {
  return element("span", { class: `badge ${verdict}` }, WORDS[verdict]);
}

import type { Markup } from "../../report/html/markup.ts";

/** What the type of `innerHTML` is to a browser that asks for trusted types; TypeScript's declarations do not have them yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string };
}

// The policy of the page lets text become HTML by this rule alone, which nothing else can reach.
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes | undefined }).trustedTypes;
const rule = trustedTypes?.createPolicy("timeline", { createHTML: (html) => html });

/** Nodes from HTML of our own: every value in it has been escaped by `markup`. */
export function fromMarkup({ html }: Markup): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = rule?.createHTML(html) ?? html;
  return template.content;
}

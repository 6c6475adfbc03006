import { escapeInvisible } from "../../../../schemas/json/escape-invisible.ts";

/** HTML that is fit to stand in a page as it is. Only `markup` and `trustedMarkup` make it. */
export interface Markup {
  readonly [IS_MARKUP]: true;
  readonly html: string;
}

const IS_MARKUP = Symbol("markup");

/** What can be put into HTML: texts are escaped, so that none of them is anything but text. */
export type Part = Markup | string | number | undefined | readonly Part[];

/**
 * HTML from a template. Each value in it is text and becomes text, or the value of an attribute that has quotes around it; what is
 * invisible or turns the order of text around is shown as an escape.
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let html = strings[0] ?? "";
  for (const [index, part] of parts.entries()) html += toHtml(part) + (strings[index + 1] ?? "");
  return trustedMarkup(html);
}

/** HTML of our own, which holds no text of anybody else. */
export function trustedMarkup(html: string): Markup {
  return { [IS_MARKUP]: true, html };
}

function toHtml(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escapeHtml(part);
  return IS_MARKUP in part ? part.html : part.map(toHtml).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return escapeInvisible(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

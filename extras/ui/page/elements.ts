import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";
import { hasInvisibleText } from "../../../schemas/text/visible-text.ts";

/** Attributes that our own code may set: none of them can hold a script, a style or an address. */
export type AttributeName =
  | "autocomplete"
  | "class"
  | "for"
  | "hidden"
  | "id"
  | "open"
  | "role"
  | "rows"
  | "spellcheck"
  | "tabindex"
  | "type"
  | "value"
  | `aria-${string}`
  | `data-${string}`;

export type Attributes = { [Name in AttributeName]?: string | undefined };

export type Child = Node | string | undefined;

/** Makes an element. Texts become text nodes: nothing that is passed here is ever read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(attribute, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Replaces the children of an element. */
export function fill(parent: HTMLElement, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter((child) => child !== undefined));
}

/** A button that does something. */
export function button(label: Child, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}

/** Marks the one of the left column whose details are shown. */
export function markCurrent(chosen: HTMLElement): void {
  for (const other of part("browse").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
  chosen.setAttribute("aria-current", "true");
}

/** An element of `index.html`. */
export function part(id: string): HTMLElement {
  return partOf(HTMLElement, id);
}

/** An element of `index.html` that is of a kind, such as `HTMLButtonElement`. */
export function partOf<Kind extends HTMLElement>(kind: new () => Kind, id: string): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no such #${id}`);
  return found;
}

/** Untrusted text: invisible characters are shown as marked escapes. */
export function shownText(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  if (!hasInvisibleText(text)) {
    fragment.append(text);
    return fragment;
  }
  let plain = "";
  for (const character of text) {
    const shown = escapeInvisible(character);
    if (shown === character) {
      plain += character;
    } else {
      fragment.append(plain, element("mark", { class: "hidden-character" }, shown));
      plain = "";
    }
  }
  fragment.append(plain);
  return fragment;
}

import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";
import { hasInvisibleText } from "../../../schemas/text/visible-text.ts";
import { element } from "./elements.ts";

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

import { typescriptLanguage } from "@codemirror/lang-javascript";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";
import { element } from "./elements.ts";

/** TypeScript as coloured text. */
export function highlightTypeScript(code: string): DocumentFragment {
  const shown = escapeInvisible(code);
  const fragment = document.createDocumentFragment();
  highlightCode(
    shown,
    typescriptLanguage.parser.parse(shown),
    classHighlighter,
    (text, classes) => fragment.append(classes === "" ? text : element("span", { class: classes }, text)),
    () => fragment.append("\n"),
  );
  return fragment;
}

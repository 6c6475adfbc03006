import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours are the page's custom properties, so light and dark come from one place. */
export const THEME: Extension = [
  EditorView.theme({
    "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--text)", fontSize: "13px" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
    ".cm-content": { padding: "12px 0", caretColor: "var(--accent)" },
    ".cm-line": { padding: "0 16px 0 8px" },
    ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
    ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "none" },
    // Lines of code do not wrap; this one would make a narrow window scroll. The gutters and margins take less than what is left out.
    ".cm-placeholder": { color: "var(--muted)", whiteSpace: "normal", maxWidth: "calc(100vw - 96px)" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--wash)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      background: "var(--selection)",
    },
    ".cm-tooltip": {
      backgroundColor: "var(--raised)",
      color: "var(--text)",
      border: "1px solid var(--line)",
      borderRadius: "8px",
      boxShadow: "var(--shadow)",
    },
    ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12.5px", maxHeight: "16em" },
    ".cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
    ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
    ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", marginLeft: "1em" },
    "li[aria-selected] .cm-completionDetail": { color: "inherit" },
    ".cm-completionIcon": { opacity: "0.7", width: "1.1em" },
    ".cm-completionIcon-tool:after": { content: "'⚒'" },
    ".cm-tooltip.cm-completionInfo": { padding: "8px 12px", maxWidth: "28em", whiteSpace: "pre-wrap" },
    // Below the list: the place beside the chosen one covers those after it.
    ".cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow": { top: "100% !important" },
    ".cm-diagnostic": { padding: "6px 12px", whiteSpace: "pre-wrap" },
    ".cm-lintRange-error": { backgroundImage: "none", borderBottom: "2px solid var(--bad)" },
    ".cm-lintRange-warning": { backgroundImage: "none", borderBottom: "2px solid var(--warn)" },
    ".cm-lintRange-info": { backgroundImage: "none", borderBottom: "2px dotted var(--muted)" },
    ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
    ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
    ".cm-lint-marker": { content: "none", width: "0.55em", height: "0.55em", borderRadius: "50%" },
    ".cm-lint-marker-error": { background: "var(--bad)" },
    ".cm-lint-marker-warning": { background: "var(--warn)" },
    ".cm-lint-marker-info": { background: "var(--muted)" },
    ".cm-gutter-lint": { width: "1em" },
    ".cm-gutter-lint .cm-gutterElement": { display: "flex", alignItems: "center", justifyContent: "center" },
    ".cm-specialChar": { color: "var(--bad)" },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: "var(--code-keyword)" },
      { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--code-string)" },
      { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
      { tag: [tags.typeName, tags.className], color: "var(--code-type)" },
      { tag: tags.function(tags.variableName), color: "var(--code-function)" },
      { tag: tags.propertyName, color: "var(--code-property)" },
      { tag: tags.comment, color: "var(--muted)" },
    ]),
  ),
];

import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { forceLinting, lintGutter, linter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from "@codemirror/view";
import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import type { CompletionList, WordView } from "../../../../schemas/ui-messages.ts";
import { completion } from "./complete.ts";
import { hover } from "./hover.ts";
import { placeImport } from "./place-import.ts";
import { offsetOf, type SourcePlace, toMarks } from "./problem-marks.ts";
import { THEME } from "./theme.ts";

export interface Editor {
  code(): string;
  setCode(code: string): void;
  /** Imports a tool, and writes a call of it where the cursor is. */
  insertCall(specifier: string, exportName: string): void;
  /** Marks the findings of a run until something is written. */
  showFindings(diagnostics: readonly Diagnostic[]): void;
  reveal(place: SourcePlace): void;
  focus(): void;
}

export interface EditorOptions {
  parent: HTMLElement;
  /** Of the page's policy for style sheets. */
  nonce: string;
  /** The name of the file in diagnostics. */
  fileName: () => string;
  review: (code: string) => Promise<readonly Diagnostic[]>;
  complete: (code: string, offset: number) => Promise<CompletionList>;
  describe: (code: string, offset: number) => Promise<WordView | null>;
  onRun: () => void;
  onChange: () => void;
}

/** Idle time before the text is checked. */
const CHECK_DELAY_MS = 400;

const PLACEHOLDER = "Choose a tool, or begin to write its name.";

/** The editor of scripts. What it knows of types comes from the program that serves the page. */
export function makeEditor(options: EditorOptions): Editor {
  const run = (): boolean => {
    options.onRun();
    return true;
  };
  const check = linter(
    async ({ state }) => toMarks(await options.review(state.doc.toString()), options.fileName(), state.doc),
    { delay: CHECK_DELAY_MS },
  );
  const extensions = [
    EditorView.cspNonce.of(options.nonce),
    EditorView.contentAttributes.of({ "aria-label": "Script", tabindex: "0" }),
    keymap.of([
      { key: "Mod-Enter", run },
      { key: "Tab", run: acceptCompletion },
    ]),
    placeholder(PLACEHOLDER),
    // Below the toolbar, so that nothing covers its buttons.
    tooltips({
      tooltipSpace: ({ dom }) => ({
        top: dom.getBoundingClientRect().top,
        left: 0,
        bottom: document.documentElement.clientHeight,
        right: document.documentElement.clientWidth,
      }),
    }),
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    javascript({ typescript: true }),
    completion(options.complete),
    hover(options.describe),
    lintGutter(),
    check,
    THEME,
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(({ docChanged }) => docChanged && options.onChange()),
  ];
  const makeState = (code: string): EditorState => EditorState.create({ doc: code, extensions });
  const view = new EditorView({ parent: options.parent, state: makeState("") });

  return {
    code: () => view.state.doc.toString(),
    setCode(code) {
      view.setState(makeState(code));
      forceLinting(view);
    },
    insertCall(specifier, exportName) {
      const { state } = view;
      const imported = placeImport(state.doc.toString(), specifier, exportName);
      const line = state.doc.lineAt(state.selection.main.head);
      // Not between the imports.
      const isAmongImports = imported !== undefined && line.to <= imported.from;
      const end = isAmongImports ? state.doc.length : line.to;
      const call = `\nconst result = await ${exportName}({  });`;
      const changes = state.changes([...(imported === undefined ? [] : [imported]), { from: end, insert: call }]);
      const anchor = changes.mapPos(end, 1) - 3;
      view.dispatch({ changes, selection: { anchor }, scrollIntoView: true, userEvent: "input" });
      view.focus();
    },
    showFindings(diagnostics) {
      view.dispatch(setDiagnostics(view.state, toMarks(diagnostics, options.fileName(), view.state.doc)));
    },
    reveal(place) {
      view.dispatch({ selection: { anchor: offsetOf(place, view.state.doc) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
  };
}

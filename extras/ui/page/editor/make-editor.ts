import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import {
  forceLinting,
  lintGutter,
  linter,
  lintKeymap,
  setDiagnostics,
  type Diagnostic as Mark,
} from "@codemirror/lint";
import { EditorState, type Extension, type Text } from "@codemirror/state";
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
  hoverTooltip,
} from "@codemirror/view";
import type { Diagnostic } from "../../../../schemas/run/answer.ts";
import type { CompletionList, WordView, CompletionItem } from "../../../../schemas/editor.ts";
import { placeImport } from "./place-import.ts";
import { THEME } from "./theme.ts";
import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import { escapeInvisible } from "../../../../schemas/json/escape-invisible.ts";
import { element, shownText } from "../elements.ts";
import { highlightTypeScript } from "../highlight-code.ts";

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

const PLACEHOLDER = "Choose a tool from the list, or type its name.";

/** The editor of scripts. What it knows of types comes from the program that serves the page. */
export function makeEditor(options: EditorOptions) {
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
    setCode(code: string): void {
      view.setState(makeState(code));
      forceLinting(view);
    },
    /** Imports a tool, and writes a call of it where the cursor is. */
    insertCall(specifier: string, exportName: string): void {
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
    /** Marks the findings of a run until something is written. */
    showFindings(diagnostics: readonly Diagnostic[]): void {
      view.dispatch(setDiagnostics(view.state, toMarks(diagnostics, options.fileName(), view.state.doc)));
    },
    reveal(place: SourcePlace): void {
      view.dispatch({ selection: { anchor: offsetOf(place, view.state.doc) }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
  };
}

/** Completion that asks the type checker; a tool that is not imported yet is imported with it. */
function completion(ask: (code: string, offset: number) => Promise<CompletionList>): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos, explicit } = context;
    const word = context.matchBefore(/[\w$]+/);
    if (!explicit && word === null && context.matchBefore(/[.{,"'@/]\s?/) === null) return null;
    const list = await ask(state.doc.toString(), pos);
    if (list.items.length === 0 || (list.isAnything && word === null && !explicit)) return null;
    return { from: list.from, options: list.items.map(toCompletion), validFor: /^[\w$@/-]*$/ };
  };
  return autocompletion({ override: [source], icons: true, maxRenderedOptions: 60 });
}

function toCompletion(item: CompletionItem): Completion {
  const { label, kind, detail, info, rank, importFrom } = item;
  return {
    label,
    // Names of properties and types come from servers.
    displayLabel: escapeInvisible(label),
    type: kind,
    boost: -rank,
    ...withoutUndefined({
      detail: detail === undefined ? undefined : escapeInvisible(detail),
      info: info === undefined ? undefined : () => element("div", {}, shownText(info)),
      apply: importFrom === undefined ? undefined : applyWithImport(importFrom),
    }),
  };
}

function applyWithImport(specifier: string) {
  return (view: EditorView, completion: Completion, from: number, to: number): void => {
    const imported = placeImport(view.state.doc.toString(), specifier, completion.label);
    const changes = view.state.changes([
      { from, to, insert: completion.label },
      ...(imported === undefined ? [] : [imported]),
    ]);
    const anchor = changes.mapPos(to, 1);
    view.dispatch({
      changes,
      selection: { anchor },
      annotations: pickedCompletion.of(completion),
      userEvent: "input.complete",
    });
  };
}

const DELAY_MS = 350;

/** Shows the type of the word under the pointer. */
function hover(ask: (code: string, offset: number) => Promise<WordView | null>): Extension {
  return hoverTooltip(
    async (view, offset) => {
      const word = await ask(view.state.doc.toString(), offset).catch(() => null);
      if (word === null) return null;
      const dom = element(
        "div",
        { class: "word" },
        element("pre", {}, highlightTypeScript(word.signature)),
        word.info === "" ? undefined : element("p", {}, shownText(word.info)),
      );
      return { pos: word.from, end: word.to, above: true, create: () => ({ dom }) };
    },
    { hoverTime: DELAY_MS },
  );
}

/** A place in the author's source, both from 1. */
export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/** The place that a diagnostic names, where it names one. */
export function placeOf({ path }: Diagnostic): SourcePlace | undefined {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(path ?? "") ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

/** Marks for the diagnostics of one file: each reaches to the end of the word where it begins. */
function toMarks(diagnostics: readonly Diagnostic[], file: string, text: Text): Mark[] {
  return diagnostics.flatMap((diagnostic): Mark[] => {
    const place = placeOf(diagnostic);
    if (place === undefined || place.file !== file) return [];
    const from = offsetOf(place, text);
    const line = text.lineAt(from);
    const word = /^(?:[\w$]+|.)/u.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
    const { severity, message, hint } = diagnostic;
    return [{ from, to: from + word, severity, message: escapeInvisible([message, hint].filter(Boolean).join("\n")) }];
  });
}

/** The offset of a place; the nearest there is where the text is shorter now. */
function offsetOf({ line, column }: SourcePlace, text: Text): number {
  const found = text.line(Math.min(Math.max(line, 1), text.lines));
  return Math.min(found.from + column - 1, found.to);
}

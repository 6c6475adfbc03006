import { withoutUndefined } from "../../../../schemas/json/without-undefined.ts";
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { CompletionItem, CompletionList } from "../../../../schemas/ui-messages.ts";
import { escapeInvisible } from "../../../../schemas/json/escape-invisible.ts";
import { element } from "../elements.ts";
import { shownText } from "../shown-text.ts";
import { placeImport } from "./place-import.ts";

/** Completion that asks the type checker; a tool that is not imported yet is imported with it. */
export function completion(ask: (code: string, offset: number) => Promise<CompletionList>): Extension {
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

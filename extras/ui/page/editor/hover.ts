import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { WordView } from "../../../../schemas/ui-messages.ts";
import { element } from "../elements.ts";
import { highlightTypeScript } from "../highlight-code.ts";
import { shownText } from "../shown-text.ts";

const DELAY_MS = 350;

/** Shows the type of the word under the pointer. */
export function hover(ask: (code: string, offset: number) => Promise<WordView | null>): Extension {
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

import { type Sealer, sealFor } from "../../../engine/store-plan.ts";
import { storeInvalid } from "../../../schemas/config/serve-errors.ts";

/** What a sealed text begins with: no JSON does. */
const MARK = "sealed:";

/** What a text of a batch belongs to: it can be read at no other place. */
interface TextPlace {
  batch: number;
  column: "input" | "result";
  line: number;
}

/** How inputs and results are kept: encrypted where the project has a `serve.storeKey`. What was kept without one is read all the same. */
export interface KeptTexts {
  toKept(text: string, place: TextPlace): string;
  /** @throws CodemodeError `STORE_INVALID` where the text is encrypted with another key, or was moved or changed */
  fromKept(kept: string, place: TextPlace): string;
}

export function makeKeptTexts(sealer: Sealer | undefined, project: string): KeptTexts {
  const sealing = sealer && sealFor(project, sealer);
  const nameOf = ({ batch, column, line }: TextPlace): string => `batch/${batch}/${column}/${line}`;
  return {
    toKept: (text, place) =>
      sealing === undefined ? text : MARK + sealing.seal(nameOf(place), Buffer.from(text)).toString("base64"),
    fromKept(kept, place) {
      if (!kept.startsWith(MARK)) return kept;
      if (sealing === undefined) throw storeInvalid("storeKey", "is needed: the inputs of this batch are encrypted");
      const opened = sealing.open(nameOf(place), Buffer.from(kept.slice(MARK.length), "base64"));
      if (opened === undefined)
        throw storeInvalid(
          "storeKey",
          `does not open the ${place.column} of line ${place.line}: another key has encrypted it`,
        );
      return opened.toString("utf8");
    },
  };
}

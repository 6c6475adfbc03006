import { type Sealer, sealFor } from "../../../engine/store-plan.ts";
import { storeInvalid } from "../../../schemas/config/serve-errors.ts";

/** What a sealed text begins with: no JSON does. */
const MARK = "sealed:";

type Column = "input" | "result";

export type KeptTexts = ReturnType<typeof makeKeptTexts>;

/**
 * How inputs and results of a batch are kept: encrypted where the project has a `serve.storeKey`, each to be read at its place alone. What was kept
 * without one is read all the same.
 */
export function makeKeptTexts(sealer: Sealer | undefined, project: string, batch: number) {
  const sealing = sealer && sealFor(project, sealer);
  const nameOf = (column: Column, line: number): string => `batch/${batch}/${column}/${line}`;
  return {
    toKept: (text: string, column: Column, line: number): string =>
      sealing === undefined ? text : MARK + sealing.seal(nameOf(column, line), Buffer.from(text)).toString("base64"),
    /** @throws CodemodeError `STORE_INVALID` where the text is encrypted with another key, or was moved or changed */
    fromKept(kept: string, column: Column, line: number): string {
      if (!kept.startsWith(MARK)) return kept;
      if (sealing === undefined) throw storeInvalid("storeKey", "is needed: the inputs of this batch are encrypted");
      const opened = sealing.open(nameOf(column, line), Buffer.from(kept.slice(MARK.length), "base64"));
      if (opened === undefined)
        throw storeInvalid("storeKey", `does not open the ${column} of line ${line}: another key has encrypted it`);
      return opened.toString("utf8");
    },
  };
}

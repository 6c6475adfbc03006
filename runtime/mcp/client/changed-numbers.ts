import { type ChangedNumber, findChangedNumber, isChanged } from "../../../schemas/json/changed-number.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import { decodeUtf8 } from "./decode-text.ts";
import { printedContent } from "./printed-content.ts";

const found = new WeakMap<JsonObject, ChangedNumber>();

/** Notes where the structured content of a result has a number that is another one since its answer was parsed. */
export function noteChangedNumber(result: JsonObject, answer: string): void {
  const changed = findChangedNumber(answer, "/result/structuredContent");
  if (changed !== undefined) found.set(result, changed);
}

/** The same for a result that was made of another one. */
export function keepChangedNumber(from: JsonObject, to: JsonObject): void {
  const changed = found.get(from);
  if (changed !== undefined) found.set(to, changed);
}

/** The first such number of a result. */
export function changedNumberOf(result: JsonObject): ChangedNumber | undefined {
  const printed = printedContent(result);
  return found.get(result) ?? (printed && findChangedNumber(decodeUtf8(printed))) ?? readNoted(result);
}

/** What a server says of a number that it has read of somewhere else itself, as `@codemode/openapi` does. */
function readNoted(result: JsonObject): ChangedNumber | undefined {
  const meta = ownValue(result, "_meta");
  const noted = isJsonObject(meta) ? ownValue(meta, "dev.codemode/changed-number") : undefined;
  if (!isJsonObject(noted)) return undefined;
  const { pointer, written, read } = noted;
  const isNoted = typeof pointer === "string" && typeof written === "string" && typeof read === "string";
  return isNoted && isChanged(written) ? { pointer, written, read: String(Number(written)) } : undefined;
}

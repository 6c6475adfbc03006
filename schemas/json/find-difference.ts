import { byCodeUnits } from "./canonical-json.ts";
import { pointerStep } from "./pointer-step.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "./json.ts";

/** The first place where two JSON values differ; undefined stands for what is not there. */
export interface JsonDifference {
  /** JSON Pointer (RFC 6901); empty for the whole. */
  pointer: string;
  expected: JsonValue | undefined;
  received: JsonValue | undefined;
}

/** Whether a text is to count as the same as another value. */
export type IsSameText = (expected: string, received: JsonValue) => boolean;

/**
 * Finds the first difference of two JSON values, by their order in canonical JSON (RFC 8785). The order of members counts for nothing.
 * `isSameText` may take texts for equal that are not.
 */
export function findDifference(
  expected: JsonValue,
  received: JsonValue,
  isSameText: IsSameText = (left, right) => left === right,
): JsonDifference | undefined {
  const compare = (
    left: JsonValue | undefined,
    right: JsonValue | undefined,
    pointer: string,
  ): JsonDifference | undefined => {
    if (left === undefined || right === undefined) return { pointer, expected: left, received: right };
    if (typeof left === "string" && isSameText(left, right)) return undefined;
    if (Array.isArray(left) && Array.isArray(right)) {
      const length = Math.max(left.length, right.length);
      return firstOf(length, (index) => compare(left[index], right[index], pointer + pointerStep(index)));
    }
    if (isJsonObject(left) && isJsonObject(right)) {
      const names = memberNames(left, right);
      return firstOf(names.length, (index) => {
        const name = names[index] as string;
        return compare(ownValue(left, name), ownValue(right, name), pointer + pointerStep(name));
      });
    }
    return left === right ? undefined : { pointer, expected: left, received: right };
  };
  return compare(expected, received, "");
}

function memberNames(left: JsonObject, right: JsonObject): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted(byCodeUnits);
}

function firstOf<Found>(count: number, find: (index: number) => Found | undefined): Found | undefined {
  for (let index = 0; index < count; index += 1) {
    const found = find(index);
    if (found !== undefined) return found;
  }
  return undefined;
}

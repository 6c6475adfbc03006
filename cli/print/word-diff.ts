import { diffWordsWithSpace } from "diff";

/** A stretch of two texts: in both (`same`), or in one of them. */
export interface Stretch {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Beyond it two long texts of a hostile server would take minutes to compare. */
const MOST_EDITS = 500;

/** Compares two texts word by word; texts that have little in common are one stretch each. */
export function compareWords(before: string, after: string): Stretch[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return parts.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

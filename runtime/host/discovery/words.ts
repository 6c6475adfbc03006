import { stemmer } from "stemmer";

/** Words that say nothing of a tool. */
const STOP_WORDS = new Set(
  (
    "a all an and any are as at be by can could did do does done for from have how i if in into is it let me my need no not of on " +
    "or our please should so some tell that the their them there these they this to up us use used using want was we were what " +
    "when which who why will with would you your"
  ).split(" "),
);

/** Longer ones are encoded data. */
const LONGEST_WORD = 40;

/** `readTextFile`, `read_text_file` and `read text file` are the same three words. */
export function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word.length <= LONGEST_WORD);
}

/** `files` finds `file` and `creating` finds `create` (Porter's algorithm); null for what is not worth finding. */
export function toStem(word: string): string | null {
  const lower = word.toLowerCase();
  return STOP_WORDS.has(lower) ? null : stemmer(lower);
}

/** More different words than any honest set of tools has. */
const MAX_KNOWN = 50_000;

/** Makes a function that gives the stems of a text in their order; it remembers words, of which most come often. */
export function makeStemmer(): (text: string) => string[] {
  const known = new Map<string, string | null>();
  return (text) => {
    const stems: string[] = [];
    for (const word of splitWords(text)) {
      let stem = known.get(word);
      if (stem === undefined) {
        stem = toStem(word);
        if (known.size < MAX_KNOWN) known.set(word, stem);
      }
      if (stem !== null) stems.push(stem);
    }
    return stems;
  };
}

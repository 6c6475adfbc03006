import SearchableMap from "minisearch/SearchableMap";

/** Texts by their position, with how well they match one word. */
export type Matches = ReadonlyMap<number, number>;

/** Finds texts by single words, as BM25 weighs them, with fields that count differently (BM25F). */
export interface WordIndex {
  readonly size: number;
  hasWord(word: string): boolean;
  /** The texts that hold the word, or a word that begins with it; where no text does, one that is spelled nearly so. */
  matchesOf(word: string): Matches;
}

/** From here on a further mention of a word says little more. */
const SATURATION = 4;
/** How much a word in a long field counts less, from 0 to 1. */
const LENGTH_PENALTY = 0.6;

/** What a match counts that is not of the word itself. */
const PREFIX_WEIGHT = 0.2;
const TYPO_WEIGHT = 0.5;

/** Words whose matches are kept, so that the words of all queries cost nothing. */
const MAX_KEPT = 1000;

/**
 * Indexes texts; a text's position is its place in the list.
 * @param boosts what a word in a field counts
 * @param toWords the words of a text, in the form in which they are looked up
 */
export function makeWordIndex<Field extends string>(
  texts: readonly Readonly<Record<Field, string>>[],
  boosts: Readonly<Record<Field, number>>,
  toWords: (text: string) => readonly string[],
): WordIndex {
  const fields = Object.keys(boosts) as Field[];
  const words = texts.map((text) => fields.map((field) => toWords(text[field])));
  const meanLengths = fields.map(
    (_, field) => words.reduce((sum, ofText) => sum + (ofText[field]?.length ?? 0), 0) / Math.max(1, texts.length),
  );
  const frequencies = new Map<string, Map<number, number>>();
  words.forEach((ofText, position) =>
    ofText.forEach((ofField, field) => {
      const relativeLength = ofField.length / (meanLengths[field] || 1);
      const boost = boosts[fields[field] as Field] / (1 - LENGTH_PENALTY + LENGTH_PENALTY * relativeLength);
      for (const word of ofField) {
        const ofWord = frequencies.get(word) ?? new Map<number, number>();
        frequencies.set(word, ofWord.set(position, (ofWord.get(position) ?? 0) + boost));
      }
    }),
  );
  const tree = new SearchableMap<ReadonlyMap<number, number>>();
  for (const [word, ofWord] of frequencies) tree.set(word, ofWord);

  const find = (word: string): Matches => {
    const matches = new Map<number, number>();
    const add = (found: ReadonlyMap<number, number>, weight: number): void => {
      const rarity = Math.log(1 + (texts.length - found.size + 0.5) / (found.size + 0.5));
      for (const [position, frequency] of found) {
        const score = (weight * rarity * frequency * (SATURATION + 1)) / (frequency + SATURATION);
        if (score > (matches.get(position) ?? 0)) matches.set(position, score);
      }
    };
    const own = frequencies.get(word);
    if (own !== undefined) add(own, 1);
    if (word.length > 2) {
      for (const [longer, found] of tree.atPrefix(word)) {
        if (longer !== word) add(found, (PREFIX_WEIGHT * word.length) / longer.length);
      }
    }
    // What is a word of some text is not taken for a mistake.
    if (own === undefined && word.length > 3) {
      for (const [found, distance] of tree.fuzzyGet(word, word.length > 7 ? 2 : 1).values()) {
        add(found, (TYPO_WEIGHT * word.length) / (word.length + distance));
      }
    }
    return matches;
  };

  const kept = new Map<string, Matches>();
  return {
    size: texts.length,
    hasWord: (word) => frequencies.has(word),
    matchesOf(word) {
      const matches = kept.get(word) ?? find(word);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(word, matches);
      return matches;
    },
  };
}

import { SHORTEST } from "./shortest.ts";
import { type FindForms, type FoundForm, formsOf, makeFinder } from "./find-values.ts";

/** Values by the names to show instead. Of two names for one value the first is shown. */
export type NamedValues = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

/** Masks these values, in each of their forms. */
export interface ValueMask {
  /** Whether there is none that is long enough to be looked for. */
  isEmpty: boolean;
  /** The text with `[redacted: NAME]` in the place of each value. */
  text(text: string): string;
  /** The parts of a text: a value is one, by its name. */
  split(text: string): (string | { credential: string })[];
  /** Whether `text` might find something in a string of this JSON text, in bytes. It may say so in vain. */
  mayHold(json: { includes(text: string): boolean }): boolean;
  /** Masks a text that comes in chunks. */
  chunks(): ChunkMask;
}

/** Masks a text that comes in chunks, as a whole would be: a value is found where they cut it in two. */
export interface ChunkMask {
  /** What can be shown by now: a text that could be the beginning of a value waits for the next chunk. */
  push(chunk: string): string;
  /** The rest. The text has ended there. */
  end(): string;
}

/** Makes a mask for exact values, such as the secrets of the configuration. It skips values shorter than `SHORTEST.anywhere`. */
export function makeValueMask(values: NamedValues): ValueMask {
  const named: readonly (readonly [string, string])[] = isList(values) ? values : Object.entries(values);
  const names = new Map<string, string>();
  for (const [name, value] of named) {
    if (value.length < SHORTEST.anywhere) continue;
    for (const form of formsOf(value)) {
      if (form.length >= SHORTEST.anywhere && !names.has(form)) names.set(form, name);
    }
  }
  const forms = [...names.keys()];
  const find = makeFinder(forms);
  const show = ({ form }: FoundForm): string => `[redacted: ${names.get(form)}]`;
  // Escapes that JSON does not ask for can hide any character.
  const inJson = [...new Set([...forms.map((form) => JSON.stringify(form).slice(1, -1)), "\\u", "\\/"])];
  return {
    isEmpty: forms.length === 0,
    text: (text) => replaceFound(text, find(text), show),
    split: (text) => splitAt(text, find(text), ({ form }) => ({ credential: names.get(form) ?? "" })),
    mayHold: (json) => forms.length > 0 && inJson.some((form) => json.includes(form)),
    chunks: () => makeChunkMask(forms, find, show),
  };
}

function isList(values: NamedValues): values is readonly (readonly [string, string])[] {
  return Array.isArray(values);
}

/** The text with another one in the place of each that was found. */
export function replaceFound(text: string, found: readonly FoundForm[], show: (found: FoundForm) => string): string {
  return splitAt(text, found, show).join("");
}

function splitAt<Shown>(
  text: string,
  found: readonly FoundForm[],
  show: (found: FoundForm) => Shown,
): (string | Shown)[] {
  const parts: (string | Shown)[] = [];
  let from = 0;
  for (const each of found) {
    if (each.start > from) parts.push(text.slice(from, each.start));
    parts.push(show(each));
    from = each.end;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

function makeChunkMask(forms: readonly string[], find: FindForms, show: (found: FoundForm) => string): ChunkMask {
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  const starts = new Set(forms.map((form) => form.charCodeAt(0)));
  let held = "";
  /** Where the first form could begin of which the rest is in the next chunk. */
  const findOpen = (text: string, from: number): number => {
    for (let at = Math.max(from, text.length - longest + 1); at < text.length; at += 1) {
      if (!starts.has(text.charCodeAt(at))) continue;
      const end = text.slice(at);
      if (forms.some((form) => form.length > end.length && form.startsWith(end))) return at;
    }
    return text.length;
  };
  return {
    push(chunk) {
      const text = held + chunk;
      const found: FoundForm[] = [];
      let open = findOpen(text, 0);
      for (const each of find(text)) {
        if (each.start >= open) break;
        found.push(each);
        open = findOpen(text, each.end);
      }
      held = text.slice(open);
      return replaceFound(text.slice(0, open), found, show);
    },
    end() {
      const rest = held;
      held = "";
      return replaceFound(rest, find(rest), show);
    },
  };
}

import { isDeepStrictEqual } from "node:util";
import { parse } from "jsonc-parser";
import { languageOf } from "../../engine/project/clients/client-files.ts";
import { type ServersPlace, listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { type ClientEntry, entryPath, MergeRefusal } from "./client-entry.ts";
import { mergeJsonEntry } from "./json-entry.ts";
import { removeJsonProperty } from "../../schemas/json/remove-json-property.ts";
import { mergeTomlEntry, printTomlEntry, removeTomlEntry } from "./toml-entry.ts";
import { mergeYamlEntry, printYamlEntry, removeYamlEntry } from "./yaml-entry.ts";

/** Puts an entry into the text of a client's file. Throws a `MergeRefusal` where it cannot take the entry. */
export function putEntry(text: string, entry: ClientEntry, force: boolean): string {
  const merge = { json: mergeJsonEntry, toml: mergeTomlEntry, yaml: mergeYamlEntry }[languageOf(entry.format)];
  return merge(text, entry, force);
}

/**
 * Takes an entry out of the text of a client's file; the other entries, comments and format stay. Throws a `MergeRefusal` where that cannot
 * be proved of the result.
 */
export function removeEntry(text: string, place: ServersPlace, name: string): string {
  const before = listClientEntries(text, place);
  if (!before.some(([other]) => other === name)) return text;
  const remove = { json: removeJsonEntry, toml: removeTomlEntry, yaml: removeYamlEntry }[languageOf(place.format)];
  const removed = remove(text, { ...place, name });
  const left = before.filter(([other]) => other !== name);
  if (!isDeepStrictEqual(listClientEntries(removed, place), left)) {
    throw new MergeRefusal(`stores "${name}" in a form that cannot be edited`, "Take the entry out by hand.");
  }
  return removed;
}

function removeJsonEntry(text: string, place: Omit<ClientEntry, "value">): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  return mark + removeJsonProperty(body, entryPath(parse(body), place));
}

/** The entry as a file of the client would hold it. */
export function printEntry(entry: ClientEntry): string {
  const language = languageOf(entry.format);
  if (language === "toml") return printTomlEntry(...(entryPath({}, entry) as [string, string]), entry.value).trimEnd();
  if (language === "yaml") return printYamlEntry(entry).trimEnd();
  const nested = entryPath({}, entry).reduceRight<object>((inner, key) => ({ [key]: inner }), entry.value);
  return JSON.stringify(nested, null, 2);
}

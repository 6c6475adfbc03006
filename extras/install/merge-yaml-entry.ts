import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isSeq, parse, parseDocument, type YAMLMap } from "yaml";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { addToYamlText, removeFromYamlText, type YamlPlace } from "./edit-yaml-text.ts";
import { type ClientEntry, entryPath, MergeRefusal, updateEntry } from "./client-entry.ts";

/** Puts an entry into YAML, in a map or a list of entries with names; comments stay. Throws a `MergeRefusal` where that cannot be. */
export function mergeYamlEntry(text: string, entry: ClientEntry, force: boolean): string {
  const document = parseRoot(text);
  const existing = find(document, entry);
  const value = updateEntry(existing, entry, force);
  if (isDeepStrictEqual(existing, value)) return text;
  const added = existing === undefined ? addToYamlText(text, placeOf(entry), value) : undefined;
  set(document, entry, value);
  const merged = keepIfSame(added, document) ?? printDocument(document);
  if (!isDeepStrictEqual(find(parseRoot(merged), entry), value)) {
    throw new MergeRefusal(`cannot take the entry "${entry.name}"`, "Add the entry by hand: --print shows it.");
  }
  return merged;
}

/** Takes an entry out. */
export function removeYamlEntry(text: string, { format, within, name }: Omit<ClientEntry, "value">): string {
  const document = parseRoot(text);
  const [container = ""] = entryPath({}, { format, within, name });
  const found: unknown = document.get(container);
  if (isMap(found)) found.delete(name);
  if (isSeq(found)) found.items = found.items.filter((item) => !(isMap(item) && item.get("name") === name));
  const removed = removeFromYamlText(text, placeOf({ format, within, name }));
  return keepIfSame(removed, document) ?? printDocument(document);
}

function placeOf(entry: Omit<ClientEntry, "value">): YamlPlace {
  const [container = ""] = entryPath({}, entry);
  return { container, name: entry.name, isList: entry.format === "continue" };
}

/** A text that was edited as text, if it says what the document says. */
function keepIfSame(text: string | undefined, document: Document): string | undefined {
  if (text === undefined) return undefined;
  const edited = parseDocument(text);
  const isSame = edited.errors.length === 0 && isDeepStrictEqual(edited.toJS(), document.toJS());
  return isSame ? text : undefined;
}

/** The entry as a file of its own. */
export function printYamlEntry(entry: ClientEntry): string {
  const document = parseRoot("");
  set(document, entry, entry.value);
  return printDocument(document);
}

function parseRoot(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    throw new MergeRefusal(`is not valid YAML in line ${line}`, "Fix the syntax error there; nothing was written.");
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new MergeRefusal("does not contain a YAML mapping", "Fix the file; nothing was written.");
  }
  return document;
}

function find(document: Document, { format, within, name }: ClientEntry): JsonValue | undefined {
  const [container = ""] = entryPath({}, { format, within, name });
  const root = (parse(String(document)) ?? {}) as JsonObject;
  const found = ownValue(root, container) ?? (format === "continue" ? [] : {});
  if (Array.isArray(found)) return found.find((item) => isJsonObject(item) && ownValue(item, "name") === name);
  if (isJsonObject(found)) return ownValue(found, name);
  throw new MergeRefusal(`has a value other than entries at "${container}"`, "Fix the file; nothing was written.");
}

function set(document: Document, { format, within, name }: ClientEntry, value: JsonObject): void {
  const [container = ""] = entryPath({}, { format, within, name });
  const node = document.createNode(value) as YAMLMap;
  if (format !== "continue") {
    // A key without a value is null, below which nothing can be set.
    if (isMap(document.get(container))) document.setIn([container, name], node);
    else document.set(container, document.createNode({ [name]: value }));
    return;
  }
  const list: unknown = document.get(container);
  if (!isSeq(list)) {
    document.set(container, document.createNode([value]));
    return;
  }
  const at = list.items.findIndex((item) => isMap(item) && item.get("name") === name);
  if (at < 0) list.items.push(node);
  else list.items[at] = node;
}

/** Long texts stay on their line: a folded command is hard to read. */
function printDocument(document: Document): string {
  return document.contents === null ? "" : document.toString({ lineWidth: 0 });
}

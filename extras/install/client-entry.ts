import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { type ClientFormat, CONTAINERS } from "../../engine/project/clients/client-files.ts";
import { commandOf, urlOf, isOwnCommand } from "../../engine/project/clients/entry-parts.ts";

/** One entry, and where it belongs in a file. */
export interface ClientEntry {
  format: ClientFormat;
  /** The keys above the servers, see `ClientFile`. */
  within?: readonly string[] | undefined;
  name: string;
  value: JsonObject;
}

/** Why a file cannot take an entry. Its message begins in the middle of a sentence, after the file's name. */
export class MergeRefusal extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = "MergeRefusal";
    this.hint = hint;
  }
}

/** The keys that lead to the entry in a file with this content. */
export function entryPath(root: JsonObject, { format, within = [], name }: Omit<ClientEntry, "value">): string[] {
  const container = CONTAINERS[format];
  const found = ownValue(root, container);
  // The second form of opencode keeps its servers one level deeper.
  const isNested =
    format === "opencode" &&
    isJsonObject(found ?? null) &&
    isJsonObject(ownValue(found as JsonObject, "servers") ?? null);
  return isNested ? [container, "servers", name] : [...within, container, name];
}

/**
 * Merges our entry into an existing one of the same name: the new command, and all additions of the user. Throws a `MergeRefusal` for a
 * foreign entry, unless `force` is set, which replaces it.
 */
export function updateEntry(existing: JsonValue | undefined, { name, value }: ClientEntry, force: boolean): JsonObject {
  if (existing === undefined || force) return value;
  const old = isJsonObject(existing) ? existing : {};
  if (!isOurs(old, value)) {
    throw new MergeRefusal(
      `has a server "${name}" already, which is not codemode, or serves another project`,
      "Choose another name with --name, or replace that entry with --force.",
    );
  }
  return mergeObjects(old, value);
}

/** Ours starts `codemode serve` for the same project, or has the address that is about to be written. */
function isOurs(old: JsonObject, value: JsonObject): boolean {
  const url = urlOf(value);
  if (url !== undefined) return urlOf(old) === url;
  const words = commandOf(old);
  const [before, now] = [folderOf(words), folderOf(commandOf(value))];
  return isOwnCommand(words) && (before === undefined || now === undefined || before === now);
}

function folderOf(words: readonly string[]): string | undefined {
  const at = words.indexOf("--cwd");
  return at < 0 ? undefined : words[at + 1];
}

function mergeObjects(old: JsonObject, value: JsonObject): JsonObject {
  const merged = { ...old };
  for (const [key, item] of Object.entries(value)) {
    const before = ownValue(old, key);
    merged[key] = before !== undefined && isJsonObject(before) && isJsonObject(item) ? { ...before, ...item } : item;
  }
  return merged;
}

import { RANGES, type ServerEntry } from "../../../schemas/config/config-file.ts";
import { asJson, isJsonObject, type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { toOwnWords } from "./entry-parts.ts";

/** What clients call the tools that an agent may see, and the tools that it may not. */
const INCLUDE_KEYS = [
  "includeTools",
  "enabled_tools",
  "enabledTools",
  "allowedTools",
  "allowed_tools",
  "available_tools",
  "tools",
];
const EXCLUDE_KEYS = ["excludeTools", "disabled_tools", "disabledTools", "excluded_tools"];

/** How clients write that an entry is off, with the value that says so. */
const OFF: readonly (readonly [key: string, value: boolean])[] = [
  ["disabled", true],
  ["enabled", false],
  ["isActive", false],
];

/** Keys that restrict an entry: each is read. */
export const LIMITING_KEYS = [
  ...OFF.map(([key]) => key),
  ...INCLUDE_KEYS,
  ...EXCLUDE_KEYS,
  "timeout",
  "tool_timeout_sec",
];

/** Keys that say nothing about the server: its place in a list, its name, its picture. */
export const DESCRIBING_KEYS = [
  ...["name", "description", "displayName", "display_name", "id", "icon", "version", "gallery", "$schema", "bundled"],
];

/** Keys by which a client asks less, or waits for the start of a server. Without them nothing more is allowed. */
const LOOSENING_KEYS = [
  "autoApprove",
  "alwaysAllow",
  "trust",
  "startup_timeout_sec",
  "initTimeout",
  "watchPaths",
  "dev",
  "alwaysLoad",
];

/** Whether an entry is off, the filter of its tools, and the limit of a call. Some clients write `timeout` in seconds: no limit of a call is below one second. */
export function limitsOf(entry: JsonObject): Pick<ServerEntry, "tools" | "timeoutMs" | "disabled"> {
  const chosen = INCLUDE_KEYS.map((key) => textsIn(entry, key)).find((list) => list !== undefined);
  const exclude = EXCLUDE_KEYS.flatMap((key) => textsIn(entry, key) ?? []);
  // An empty list of a client means all of its tools, or none: neither is what an empty pattern list here says.
  const include = chosen === undefined || chosen.length === 0 || chosen.includes("*") ? undefined : chosen;
  const tools = withoutUndefined({ include, exclude: exclude.length === 0 ? undefined : exclude });
  const [ms, seconds] = [ownValue(entry, "timeout"), ownValue(entry, "tool_timeout_sec")];
  const limit =
    typeof seconds === "number" ? seconds * 1000 : typeof ms === "number" ? (ms < 1000 ? ms * 1000 : ms) : 0;
  return withoutUndefined({
    tools: Object.keys(tools).length === 0 ? undefined : tools,
    timeoutMs: limit >= 1 ? Math.min(Math.round(limit), RANGES.mcpServers.each.timeoutMs.most) : undefined,
    disabled: OFF.some(([key, value]) => ownValue(entry, key) === value) ? true : undefined,
  });
}

/** The texts of a list; undefined where the entry has no such list. */
export function textsIn(entry: JsonObject, key: string): string[] | undefined {
  const list = ownValue(entry, key);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : undefined;
}

/**
 * An entry of the configuration as it was pasted from a client: in the configuration's own words, with the restrictions of the client, and the
 * keys that mean nothing here. What is not understood stays, to be refused: it may be a restriction.
 */
export function readPastedEntry(pasted: JsonObject): { entry: JsonObject; ignored: string[] } {
  const ignored = [...LOOSENING_KEYS, ...DESCRIBING_KEYS].filter((key) => Object.hasOwn(pasted, key));
  const { tools, timeoutMs, disabled } = limitsOf(pasted);
  const found = asJson({ tools, timeoutMs, disabled });
  const taken = LIMITING_KEYS.filter((key) => Object.hasOwn(pasted, key) && isUnderstood(key, pasted, found));
  const left = new Set([...ignored, ...taken]);
  const rest = Object.fromEntries(Object.entries(toOwnWords(pasted)).filter(([key]) => !left.has(key)));
  return { entry: { ...withoutUndefined(found), ...rest }, ignored };
}

/** Whether a restriction of a client is whole in what was read of it. The entry's own words for it, where it has them, are not added to. */
function isUnderstood(key: string, pasted: JsonObject, { tools }: JsonObject): boolean {
  const value = ownValue(pasted, key);
  if (OFF.some(([off]) => off === key)) return typeof value === "boolean";
  if (key === "timeout" || key === "tool_timeout_sec")
    return typeof value === "number" && !Object.hasOwn(pasted, "timeoutMs");
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  return (
    isList &&
    !isJsonObject(ownValue(pasted, "tools") ?? null) &&
    (tools !== undefined || value.length === 0 || value.includes("*"))
  );
}

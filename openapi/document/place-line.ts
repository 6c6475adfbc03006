import { isCollection, isNode, LineCounter, parseDocument as parseYaml } from "yaml";
import { OpenApiError } from "../openapi-error.ts";
import { namesOf } from "./pointer.ts";

/** In a longer text the path alone is the place. */
export const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** Adds file and line to an error that starts with a pointer. */
export function placeLine(error: unknown, text: string | undefined, source: string): unknown {
  if (!(error instanceof OpenApiError) || !error.message.startsWith("#")) return error;
  const [pointer = ""] = error.message.split(/:? /, 1);
  const line = text === undefined ? undefined : findLine(text, namesOf(pointer));
  return new OpenApiError(error.code, `${source}${line === undefined ? "" : `:${line}`}: ${error.message}`, error.hint);
}

/** The line of the last member on a path that the text has. */
function findLine(text: string, names: string[]): number | undefined {
  const lineCounter = new LineCounter();
  const document = parseYaml(text, { lineCounter, logLevel: "silent" });
  for (let length = names.length; length > 0; length -= 1) {
    const path = names.slice(0, length);
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    if (!isCollection(parent)) continue;
    const start = startOf(parent, path.at(-1) ?? "");
    if (start !== undefined) return lineCounter.linePos(start).line;
  }
  return undefined;
}

/** Where the key of a member, or an item, begins. */
function startOf(parent: { items: unknown[] }, name: string): number | undefined {
  for (const [index, item] of parent.items.entries()) {
    if (isNode(item)) {
      if (String(index) === name) return item.range?.[0];
      continue;
    }
    const { key } = item as { key: unknown };
    if (isNode(key) && "value" in key && String(key.value) === name) return key.range?.[0];
  }
  return undefined;
}

import { OpenApiError } from "./openapi-error.ts";
import type { Operation } from "./operations.ts";

/** Selects operations: all that an `include` pattern matches (all, where there is none), and no `exclude` pattern matches. */
export function selectOperations(operations: Operation[], include: string[], exclude: string[]): Operation[] {
  const included = include.map(toPredicate);
  const excluded = exclude.map(toPredicate);
  const selected = operations.filter(
    (operation) =>
      (included.length === 0 || included.some((matches) => matches(operation))) &&
      !excluded.some((matches) => matches(operation)),
  );
  if (selected.length > 0) return selected;
  const cause = `no operation of ${operations.length} is left by --include and --exclude`;
  throw new OpenApiError(
    "COMMAND_INVALID",
    cause,
    "Patterns are tag:NAME, METHOD /path, /path or an operation id, each with *.",
  );
}

function toPredicate(pattern: string): (operation: Operation) => boolean {
  const tag = /^tag:(.*)$/s.exec(pattern)?.[1];
  if (tag !== undefined) return ({ tags }) => tags.some((name) => matchGlob(tag, name));
  const [, method, path] = /^([A-Z]+|\*) +(.*)$/s.exec(pattern) ?? [];
  if (method !== undefined && path !== undefined) {
    return (operation) => matchGlob(method, operation.method) && matchGlob(path, operation.path);
  }
  if (pattern.startsWith("/")) return (operation) => matchGlob(pattern, operation.path);
  return (operation) => operation.id !== undefined && matchGlob(pattern, operation.id);
}

/** `*` stands for any characters, also `/`. Matched from both ends, so that no pattern takes long. */
function matchGlob(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

import { PLACEHOLDER } from "../../../schemas/config/placeholder.ts";

/** Where the values of placeholders come from. */
export interface PlaceholderValues {
  /** Environment variables. */
  env: { readonly [name: string]: string | undefined };
  workspaceFolder: string;
  userHome: string;
  /** Called for each variable that was inserted into a text, so that its value can be masked later. */
  onUsed?: (variable: string, value: string) => void;
}

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${workspaceFolder}` and `${userHome}`.
 * `onUnset` makes the error for a name that has neither value nor default.
 */
export function replacePlaceholders(
  text: string,
  values: PlaceholderValues,
  onUnset: (variable: string) => Error,
): string {
  return text.replace(PLACEHOLDER, (_, name: string, fallback: string | undefined) => {
    const value = lookUp(name, values) ?? fallback;
    if (value === undefined) throw onUnset(name);
    if (Object.hasOwn(values.env, name)) values.onUsed?.(name, value);
    return value;
  });
}

function lookUp(name: string, values: PlaceholderValues): string | undefined {
  if (name === "workspaceFolder") return values.workspaceFolder;
  if (name === "userHome") return values.userHome;
  return Object.hasOwn(values.env, name) ? values.env[name] : undefined;
}

/** Where the values of placeholders come from. */
export interface PlaceholderValues {
  /** Environment variables. */
  env: { readonly [name: string]: string | undefined };
  workspaceFolder: string;
  userHome: string;
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
  return text.replace(
    /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, fallback: string | undefined) => {
      const value = lookUp(name, values) ?? fallback;
      if (value === undefined) throw onUnset(name);
      return value;
    },
  );
}

function lookUp(name: string, values: PlaceholderValues): string | undefined {
  if (name === "workspaceFolder") return values.workspaceFolder;
  if (name === "userHome") return values.userHome;
  return Object.hasOwn(values.env, name) ? values.env[name] : undefined;
}

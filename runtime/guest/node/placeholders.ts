import { homedir } from "node:os";

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${workspaceFolder}` and `${userHome}`, as codemode does when it reads
 * the same configuration. `onUnset` makes the error for a name that has neither value nor default.
 */
export function replacePlaceholders(text: string, folder: string, onUnset: (variable: string) => Error): string {
  return text.replace(
    /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, fallback: string | undefined) => {
      const value = lookUp(name, folder) ?? fallback;
      if (value === undefined) throw onUnset(name);
      return value;
    },
  );
}

function lookUp(name: string, folder: string): string | undefined {
  if (name === "workspaceFolder") return folder;
  if (name === "userHome") return homedir();
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined;
}

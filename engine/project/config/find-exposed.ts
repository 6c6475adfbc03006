import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { replacePlaceholders } from "@codemode/runtime/placeholders";
import { isInside, realPlace } from "../../../runtime/files/real-place.ts";
import type { Config, ServerSource } from "../../../schemas/config/config.ts";

/**
 * The words of a server's entry that name a folder which holds the project's configuration, or belongs to its packages. Who writes there can
 * replace the policy, the generated bindings, and codemode itself.
 */
export function findExposed(
  { file, folder, out }: Pick<Config, "file" | "folder" | "out">,
  { source }: { source: ServerSource },
): string[] {
  const { roots = [] } = source;
  const words = source.transport === "stdio" ? [...source.args, ...roots] : roots;
  const base = resolve(folder, (source.transport === "stdio" ? source.cwd : undefined) ?? ".");
  const packages = [resolve(folder, "node_modules"), resolve(folder, out)].map((path) => realPlace(path));
  const isExposed = (path: string): boolean => {
    const place = realPlace(path);
    const holds = isFolder(place) && isInside(place, realPlace(file));
    return holds || (isFolder(place) && packages.some((own) => isInside(own, place)));
  };
  const values = { env: {}, workspaceFolder: folder, userHome: homedir() };
  return words.filter((word) => {
    const filled = fill(word, values);
    return filled !== undefined && pathsIn(filled).some((path) => isExposed(resolve(base, path)));
  });
}

/** A word may be a path, or have one after `--option=` or before the `:` of a mount. Undefined where variables make it. */
function fill(word: string, values: Parameters<typeof replacePlaceholders>[1]): string | undefined {
  try {
    return replacePlaceholders(word, values, (name) => new Error(name));
  } catch {
    return undefined;
  }
}

function pathsIn(word: string): string[] {
  const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  const paths = [value, value.split(":")[0] as string].filter((path) => path !== "" && !path.startsWith("-"));
  return paths.map((path) => path.replace(/^file:\/\//, "").replace(/^~(?=\/|$)/, homedir()));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

import { isAbsolute, posix, win32 } from "node:path";
import type { ConfigFile } from "../../../schemas/config/config.ts";
import { toNamedScripts } from "../../../schemas/config/named-scripts.ts";

/** Says the first named script whose file is not below the folder of the configuration: a project is to be moved as a whole. */
export function explainScriptProblem({ scripts }: ConfigFile): { cause: string; hint: string } | undefined {
  for (const { name, file, source } of toNamedScripts(scripts).values()) {
    const outside = [file, source].find((path) => path !== undefined && !isBelow(path));
    if (outside !== undefined) {
      return {
        cause: `the script "${name}" has a file that is not below the folder of the configuration: ${outside}`,
        hint: "Write a path relative to that folder, without leaving it.",
      };
    }
    if (source !== undefined && !file.endsWith(".json")) {
      return {
        cause: `the script "${name}" has a "source", and its "file" is not a pinned bundle: ${file}`,
        hint: 'Name a "file" that ends in .json, which `codemode bundle` writes; or leave "source" out.',
      };
    }
  }
  return undefined;
}

/** On every machine alike, wherever the project is. */
function isBelow(file: string): boolean {
  if (isAbsolute(file) || win32.isAbsolute(file) || /^[A-Za-z]:/.test(file)) return false;
  const [first] = posix.normalize(file.replaceAll("\\", "/")).split("/");
  return first !== ".." && first !== "" && first !== ".";
}

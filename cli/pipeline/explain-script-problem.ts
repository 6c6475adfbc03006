import { isAbsolute, posix, win32 } from "node:path";
import type { ConfigFile } from "../../schemas/config.ts";
import { toNamedScripts } from "../../schemas/named-scripts.ts";

/** Says the first named script whose file is not below the folder of the configuration: a project is to be moved as a whole. */
export function explainScriptProblem({ scripts }: ConfigFile): { cause: string; hint: string } | undefined {
  for (const { name, file } of toNamedScripts(scripts).values()) {
    if (isBelow(file)) continue;
    return {
      cause: `the script "${name}" has a file that is not below the folder of the configuration: ${file}`,
      hint: "Write a path relative to that folder, without leaving it.",
    };
  }
  return undefined;
}

/** On every machine alike, wherever the project is. */
function isBelow(file: string): boolean {
  if (isAbsolute(file) || win32.isAbsolute(file) || /^[A-Za-z]:/.test(file)) return false;
  const [first] = posix.normalize(file.replaceAll("\\", "/")).split("/");
  return first !== ".." && first !== "" && first !== ".";
}

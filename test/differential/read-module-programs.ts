import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toModule } from "./read-programs.ts";

/** A script with files beside it, which says what it computed in its default export, a text. */
export interface ModuleProgram {
  /** The program, for messages. */
  name: string;
  files: ReadonlyMap<string, string>;
  /** The difference by design that the program shows; absent where there is none. */
  difference?: string;
}

/** The file that the others are beside. */
export const ENTRY = "script.js";

const FOLDER = new URL("./module-programs/", import.meta.url);

/**
 * Reads all programs of several modules. A program begins with a line `## NAME`, each of its files with a line `-- PATH`. The file
 * `script.js` comes last, and ends with a line `=> EXPRESSION`, what the program computes. In `by-design.txt` a line `# TEXT` names the
 * difference that the programs below it show.
 */
export function readModulePrograms(): ModuleProgram[] {
  return readdirSync(FOLDER)
    .toSorted()
    .flatMap((file) => {
      const isByDesign = file === "by-design.txt";
      const groups = readFileSync(new URL(file, FOLDER), "utf8")
        .split(/^# /m)
        .slice(isByDesign ? 1 : 0);
      return groups.flatMap((group) => {
        const [heading = "", ...programs] = group.split(/^## /m);
        return programs.map((text) => ({ ...parse(text), ...(isByDesign ? { difference: heading.trim() } : {}) }));
      });
    });
}

function parse(text: string): ModuleProgram {
  const [name = "", ...files] = text.split(/^-- /m);
  const entries = files.map((file): [path: string, code: string] => {
    const [path = "", ...lines] = file.trimEnd().split("\n");
    return [path, path === ENTRY ? toModule(lines) : `${lines.join("\n")}\n`];
  });
  return { name: name.trim(), files: new Map(entries) };
}

/** Writes the files of programs, each to a folder of its own. Returns the folders. */
export function writeModulePrograms(programs: readonly ModuleProgram[], root: string): string[] {
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  return programs.map(({ files }, index) => {
    const folder = join(root, String(index));
    for (const [path, code] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    return folder;
  });
}

import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { VERSION } from "../../schemas/version.ts";
import type { ClientScope } from "../../engine/project/clients/client-files.ts";

/** How this program came to this machine, which decides how it can be started again. */
export type InstalledProgram =
  /** From a `node_modules` that the project resolves packages from; the path is relative to the project, with slashes. */
  | { kind: "project"; path: string; file: string }
  /** Through npx, whose folder may be gone tomorrow. */
  | { kind: "npx" }
  | { kind: "global"; file: string }
  /** A clone of the repository. */
  | { kind: "checkout"; file: string };

/** Looks at where the program lies. `program` is the real path of `dist/cli/main.js`. */
export function findLauncher(folder: string, program: string): InstalledProgram {
  const words = program.split(/[\\/]/);
  if (words.includes("_npx")) return { kind: "npx" };
  const inProject = findInProject(folder, program);
  if (inProject !== undefined) return inProject;
  return { kind: words.includes("node_modules") ? "global" : "checkout", file: program };
}

/** Finds the program as Node would from the project; the path goes through links, as pnpm and workspaces make them. */
function findInProject(folder: string, program: string): InstalledProgram | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, "node_modules", "codemode", "dist", "cli", "main.js");
    if (existsSync(file) && realpathSync(file) === program) {
      const path = relative(folder, file).split(sep).join("/");
      return { kind: "project", path: path.startsWith("../") ? path : `./${path}`, file };
    }
    if (dirname(at) === at) return undefined;
  }
}

/** What decides about the words of a command beside the launcher. */
export interface CommandScope {
  scope: ClientScope;
  /** How the client's file names the project folder, if it has a word for it. */
  projectWord: string | undefined;
  /** Whether the client reads the words as a shell does. */
  usesShell: boolean;
  platform: NodeJS.Platform;
  /** The Node that runs us, by its full path. */
  node: string;
}

/** Finds the package as Node does, in the folder where it starts and in those above. The word behind it is for the reader of the entry. */
const FROM_ANY_FOLDER = ["node", "-e", "import('codemode/start')", "codemode"];

/**
 * The command that starts codemode, without its own arguments.
 *
 * A file of the project is shared, so it names no path of this machine: the project's own installation where there is one
 * (`npm install` fixes its version, and no download happens behind the user's back), else npx with our exact version. Clients start it in
 * the folder in which they were started, which may be one below the project. A file
 * of the user belongs to one machine, and is read by applications that were not started from a shell and find neither `node`
 * nor `npx`: full paths work there. A clone has nothing but its path.
 */
export function makeCommand(launcher: InstalledProgram, place: CommandScope): string[] {
  const { scope, projectWord, usesShell, platform, node } = place;
  // On Windows, npx is a script that only a shell can start.
  const npx = [...(platform === "win32" ? ["cmd", "/c"] : []), "npx"];
  if (launcher.kind === "project" && scope === "project") {
    if (projectWord !== undefined) return ["node", `${projectWord}/${launcher.path.replace(/^\.\//, "")}`];
    return usesShell ? [...npx, "--no-install", "codemode"] : FROM_ANY_FOLDER;
  }
  if (launcher.kind === "npx" || (launcher.kind === "global" && scope === "project")) {
    return [...npx, "-y", `codemode@${VERSION}`];
  }
  return [node, launcher.file];
}

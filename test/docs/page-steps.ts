import { type Block, parsePage } from "./parse-page.ts";

/** One thing that a reader of a page does, in the order of the page. */
export type PageStep = FileStep | CommandStep;

/** Writes a file: a block with a title. */
export interface FileStep {
  kind: "file";
  line: number;
  path: string;
  text: string;
}

/** Types a command into a shell. */
export interface CommandStep {
  kind: "command";
  line: number;
  command: string;
  /** What the page shows of its output; absent where the block shows none by its kind (`sh`). */
  shown?: string;
  /** Whether the page says that it fails. */
  fails: boolean;
}

/** The comment in front of a block that no test can run; it has to say why. */
export const NOT_RUN = "not run";

/** What a reader does who follows a page: writes the blocks with titles into files, and types the commands; those of `sh` blocks only where they are asked for. */
export function planSteps(text: string, withSh = true): PageStep[] {
  return parsePage(text).blocks.flatMap((block): PageStep[] => {
    if (block.directive?.name === NOT_RUN) return [];
    if (block.title !== undefined) return [toFileStep(block, block.title)];
    if (block.language === "console") return toCommands(block);
    if (block.language !== "sh" || !withSh) return [];
    return [
      { kind: "command", line: block.line + 1, command: block.text.trimEnd(), fails: block.words.includes("fails") },
    ];
  });
}

function toFileStep({ line, text }: Block, path: string): FileStep {
  if (path.startsWith("/") || path.split("/").includes(".."))
    throw new Error(`line ${line}: ${path} is outside of the folder`);
  return { kind: "file", line, path, text };
}

/** Splits a session at its prompts. A command goes on in the next line after a backslash, as in a shell. */
export function toCommands({ line, text, words }: Block): CommandStep[] {
  const steps: (CommandStep & { shown: string })[] = [];
  let goesOn = false;
  for (const [index, content] of text.split("\n").slice(0, -1).entries()) {
    const last = steps.at(-1);
    if (goesOn && last !== undefined) last.command += `\n${content}`;
    else if (content.startsWith("$ ")) {
      steps.push({ kind: "command", line: line + 1 + index, command: content.slice(2), shown: "", fails: false });
    } else if (last === undefined) throw new Error(`line ${line + 1 + index}: a console block begins with "$ "`);
    else last.shown += `${content}\n`;
    goesOn = (goesOn || content.startsWith("$ ")) && content.endsWith("\\");
  }
  const last = steps.at(-1);
  if (last !== undefined) last.fails = words.includes("fails");
  return steps;
}

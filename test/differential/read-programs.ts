import { readdirSync, readFileSync } from "node:fs";

/** A small program, which says what it computed in its default export, a text. */
export interface Program {
  /** File and line of the program, for messages. */
  place: string;
  /** What the author wrote. */
  text: string;
  /** A module: the text, and what prints its last line. */
  code: string;
  /** The difference by design that the program shows; absent where there is none. */
  difference?: string;
}

const FOLDER = new URL("./programs/", import.meta.url);
const SHOW = readFileSync(new URL("./show.js", import.meta.url), "utf8")
  .replaceAll("export function", "function")
  .replace(/^ *\/[/*].*\n/gm, "");

/**
 * Reads all programs. A program ends with a line `=> EXPRESSION`, what it computes, or `=> { STATEMENTS }` with `return`. Lines before it belong to
 * it. A line `# TEXT` between programs is a comment; in `by-design.txt` it names the difference that the programs below it show.
 */
export function readPrograms(): Program[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".txt"))
    .toSorted()
    .flatMap((file) => parsePrograms(file, readFileSync(new URL(file, FOLDER), "utf8")));
}

function parsePrograms(file: string, text: string): Program[] {
  const programs: Program[] = [];
  let lines: string[] = [];
  let difference: string | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (lines.length === 0 && line.startsWith("# ")) {
      if (file === "by-design.txt") difference = line.slice(2);
      continue;
    }
    lines.push(line);
    if (!isEnd(line, lines)) continue;
    const place = `${file}:${index + 1}`;
    programs.push({ place, text: lines.join("\n"), code: toModule(lines), ...(difference && { difference }) });
    lines = [];
  }
  if (lines.some((line) => line.trim() !== "")) throw new Error(`${file}: the last program has no end`);
  return programs;
}

/** A template or a string may go on in the lines after the arrow. */
function isEnd(line: string, lines: readonly string[]): boolean {
  const start = lines.findIndex((one) => one.startsWith("=> "));
  if (start === -1) return false;
  const expression = lines.slice(start).join("\n");
  return line.startsWith("=> ") ? !/`[^`$]*$/.test(expression.replace(/`[^`]*`/g, "")) && !line.endsWith("\\") : true;
}

export function toModule(lines: readonly string[]): string {
  const start = lines.findIndex((line) => line.startsWith("=> "));
  const before = lines.slice(0, start).join("\n");
  const last = lines.slice(start).join("\n").slice(3);
  const value = last.startsWith("{ ") ? `await (async () => ${last})()` : `(${last})`;
  return `${SHOW}\n${before}\nexport default show(${value});\n`;
}

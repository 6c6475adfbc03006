/** A number with a unit that a page claims. */
export interface Figure {
  line: number;
  /** The anchor of the section that it is in; empty above the first heading. */
  section: string;
  /** As the page has it, with one space: `64 MiB`. */
  text: string;
}

const UNITS =
  "ms|µs|s|seconds?|minutes?|hours?|MB|MiB|GB|GiB|kB|KiB|bytes|megabytes?|×|%|tokens|per second|runs a second|times as";
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
const FIGURE = new RegExp(String.raw`(?<![\w.,/#-])(${NUMBER})(?:\s|&nbsp;|\u00a0)?(${UNITS})(?![\w/])`, "g");
/** A unit that the head of a column names, for cells that are numbers. */
const UNIT_OF_HEAD = new RegExp(String.raw`(?:^|[\s(,])(${UNITS})(?:[\s),]|$)`);
const LONE_NUMBER = new RegExp(String.raw`^${NUMBER}$`);

/** What has another check: code, quotes of benchmarks, generated regions, addresses, and comments. */
const CHECKED = [
  /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\2[ \t]*$/gm,
  /<!-- bench: \S+ -->[^<]*<!-- \/bench -->/g,
  /^<!-- table: \w+ -->$[\s\S]*?^<!-- end of table -->$/gm,
  /^<!-- reference: \S+ -->$[\s\S]*?^<!-- end of reference -->$/gm,
  /^<!-- measured -->$[\s\S]*?^<!-- end of measured -->$/gm,
  /<!--[\s\S]*?-->/g,
  /(`+)[\s\S]*?\1/g,
  /\]\([^)\s]+\)/g,
];

/** The figures of a page, in its order, if no other check compares them with their source. */
export function findFigures(text: string): Figure[] {
  const written = text.split("\n");
  let section = "";
  let units: (string | undefined)[] = [];
  const lines = mask(text).split("\n");
  return lines.flatMap((line, index) => {
    // Code in a heading is a part of its anchor.
    if (line.startsWith("#")) section = toSection(written[index] as string) ?? section;
    if (!line.startsWith("|")) units = [];
    else if (units.length === 0) units = toCells(line).map((head) => UNIT_OF_HEAD.exec(head)?.[1]);
    const inWords = [...line.matchAll(FIGURE)].map(([, number, unit]) => `${number} ${unit}`);
    const inCells = units.length === 0 ? [] : toCells(line).flatMap((cell, column) => toFigure(cell, units[column]));
    return [...inWords, ...inCells].map((figure) => ({ line: index + 1, section, text: figure }));
  });
}

function mask(text: string): string {
  return CHECKED.reduce((rest, part) => rest.replaceAll(part, (found) => found.replaceAll(/[^\n|]/g, " ")), text);
}

function toSection(line: string): string | undefined {
  const title = /^#{2,4} (.+)$/.exec(line)?.[1];
  return title
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

function toCells(row: string): string[] {
  return row.split("|").map((cell) => cell.trim());
}

function toFigure(cell: string, unit: string | undefined): string[] {
  return unit !== undefined && LONE_NUMBER.test(cell) ? [`${cell} ${unit}`] : [];
}

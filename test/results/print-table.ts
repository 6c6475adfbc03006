import type { ServerTypes, TypeSource } from "./measure-server.ts";

/** What was measured with one server and its script. */
export interface Row extends ServerTypes {
  /** The npm package and its version. */
  package: string;
  version: string;
  /** How many fields the script reads, and how many of them are refused where they are misspelt. */
  fields: number;
  refused: number;
}

const SOURCES: readonly (readonly [TypeSource, string])[] = [
  ["declared", "schema"],
  ["text", "text"],
  ["json", "JSON"],
  ["structured", "structured"],
  ["blocks", "blocks"],
];

/** The table as Markdown. */
export function printTable(rows: readonly Row[]): string {
  const called = sum(rows, ({ called }) => called);
  const before = sum(rows, ({ before }) => before);
  const after = sum(rows, ({ after }) => after);
  const lines = rows.map((row) => [
    `\`${row.package}\` ${row.version}`,
    String(row.called),
    String(row.before),
    String(row.after),
    SOURCES.flatMap(([source, name]) => (row.sources.has(source) ? [`${row.sources.get(source)} ${name}`] : [])).join(
      ", ",
    ),
    row.fields === 0 ? "–" : `${row.refused} of ${row.fields}`,
  ]);
  const total = [
    "**all**",
    `**${called}**`,
    `**${before}** (${percent(before, called)})`,
    `**${after}** (${percent(after, called)})`,
    "",
    `**${sum(rows, ({ refused }) => refused)} of ${sum(rows, ({ fields }) => fields)}**`,
  ];
  const head = ["Server", "Tools called", "Typed before", "Typed after", "Types from", "Misspelt fields refused"];
  return [head, head.map((_, index) => (index === 0 || index === 4 ? "---" : "---:")), ...lines, total]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function sum(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((before, row) => before + count(row), 0);
}

function percent(part: number, all: number): string {
  return `${Math.round((100 * part) / all)} %`;
}

import { utf8ToBytes } from "@noble/hashes/utils.js";
import { oneLine } from "../json/escape-invisible.ts";
import { countOf } from "../text/count-of.ts";
import {
  describeToolToApprove,
  type LineChannel,
  quoteName,
  quoteText,
  type ScriptToApprove,
  type ToolToApprove,
} from "./approval.ts";
import { describeValue } from "./describe-call.ts";

// What a person reads about a script before it runs: the lines beside its tools.

/** A question is one file, which is read up to 256 KiB: of this many characters, and bytes of JSON, the script has lines. */
const MOST = { characters: 100_000, bytes: 140_000 };
/** Of a client's form, which stands beside what the client shows itself. */
const MOST_IN_FORM = { characters: 2000, bytes: 8000 };
/** Empty lines side by side push what follows out of sight. */
const MOST_EMPTY = 2;
const LONGEST_LINE = 500;

interface Most {
  characters: number;
  bytes: number;
}

/** A person does not read more, and unread tools cannot be approved. */
const MAX_TOOLS = 100;
const MAX_NAME_LENGTH = 300;
const MAX_LENGTH = 40_000;

/** The lines that name each tool, and what a person has not accepted yet; undefined where they are too many or too long to be read. */
export function describeToolsToApprove(
  tools: readonly ToolToApprove[],
  channel: LineChannel = "plain",
): string[] | undefined {
  const described = tools.map((tool) => describeToolToApprove(tool, channel));
  const lines = described.flat();
  const isTooLong =
    described.some(([name = ""]) => name.length > MAX_NAME_LENGTH) || lines.join("").length > MAX_LENGTH;
  return tools.length > MAX_TOOLS || isTooLong ? undefined : lines;
}

/** The digest, the input and the code of a script, safe to be shown on a terminal and as text of a page. A line of code begins with a bar. */
export function describeScriptToApprove(script: ScriptToApprove): string[] {
  const { short, whole } = describeValue("its input", script.input, (text) => [text]);
  const shown = whole.length > MOST.characters / 2 ? short : whole;
  return [...describeFacts(script, shown), ...describeCode(script, MOST, (line) => `  | ${oneLine(line)}`)];
}

/** The same in short, for the form of a client, which may show Markdown. */
export function describeScriptInForm(script: ScriptToApprove): string[] {
  const { short } = describeValue("its input", script.input, (text) => [text]);
  return [...describeFacts(script, short), ...describeCode(script, MOST_IN_FORM, (line) => `  | ${quoteText(line)}`)];
}

function describeFacts({ digest, packages }: ScriptToApprove, input: string): string[] {
  return [
    `  its program: ${digest}`,
    input,
    ...(packages.length === 0 ? [] : [`  packages in it: ${packages.map(quoteText).join(", ")}`]),
  ];
}

function describeCode({ files }: ScriptToApprove, most: Most, print: (line: string) => string): string[] {
  const left = { ...most };
  return files.flatMap(({ name, code }) => {
    const lines = code.split(/\r\n|\n|\r/);
    const pieces = foldEmptyLines(lines).flatMap(toPieces);
    const shown = takeWhatFits(pieces, left, print);
    const hidden = pieces.slice(shown.length).reduce((sum, piece) => sum + piece.length, 0);
    return [
      `  ${quoteName(name)}, ${countOf(lines.length, "line")}, ${countOf(code.length, "character")}:`,
      ...shown,
      ...(shown.length < pieces.length ? [`  too long to be shown whole: ${countOf(hidden, "more character")}`] : []),
    ];
  });
}

/** The lines that fit into what is left, which is less afterwards. */
function takeWhatFits(pieces: readonly string[], left: Most, print: (line: string) => string): string[] {
  const taken: string[] = [];
  for (const piece of pieces) {
    const shown = print(piece);
    left.characters -= shown.length;
    left.bytes -= utf8ToBytes(JSON.stringify(shown)).length;
    if (left.characters < 0 || left.bytes < 0) break;
    taken.push(shown);
  }
  return taken;
}

/** A long line is shown in several: its beginning also where the whole does not fit. */
function toPieces(line: string): string[] {
  const count = Math.max(1, Math.ceil(line.length / LONGEST_LINE));
  return Array.from({ length: count }, (_, index) => line.slice(index * LONGEST_LINE, (index + 1) * LONGEST_LINE));
}

function foldEmptyLines(lines: readonly string[]): string[] {
  const folded: string[] = [];
  let empty = 0;
  for (const line of lines) {
    empty = line.trim() === "" ? empty + 1 : 0;
    if (empty <= MOST_EMPTY) folded.push(line);
  }
  return folded;
}

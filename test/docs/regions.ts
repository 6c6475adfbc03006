// @ts-expect-error -- scripts are JavaScript
import { formatMarkdown } from "../../scripts/readme/format-markdown.js";
import type { Finding } from "./finding.ts";

const BEGIN = /^<!-- reference: (\S+) -->$/;
const END = "<!-- end of reference -->";

/** The names of the marked regions of a page, in its order. */
function regionNames(text: string): string[] {
  return text.split("\n").flatMap((line) => BEGIN.exec(line)?.[1] ?? []);
}

/** A page with its regions printed again, in the form that `npm run lint:format` expects. */
export function renewPage(text: string, print: (name: string) => string | undefined): Promise<string> {
  return formatMarkdown(renewRegions(text, print));
}

/** Unknown ones stay unchanged. */
function renewRegions(text: string, print: (name: string) => string | undefined): string {
  const lines: string[] = [];
  let isOld = false;
  for (const line of text.split("\n")) {
    if (line === END) isOld = false;
    if (!isOld) lines.push(line);
    const name = BEGIN.exec(line)?.[1];
    const printed = name === undefined ? undefined : print(name);
    if (printed === undefined) continue;
    lines.push("", printed.trim(), "");
    isOld = true;
  }
  return lines.join("\n");
}

/** The lines of a region as the page has them; none where it has no such region. */
export function readRegion(text: string, name: string): string[] {
  const lines = text.split("\n");
  const at = lines.indexOf(`<!-- reference: ${name} -->`);
  return at < 0 ? [] : lines.slice(at + 1, lines.indexOf(END, at));
}

/** Regions that a page should have and has not, and regions of something that is gone. */
export function checkRegions(text: string, expected: readonly string[]): Finding[] {
  const names = regionNames(text);
  const lineOf = (name: string): number => text.split("\n").indexOf(`<!-- reference: ${name} -->`) + 1;
  return [
    ...expected
      .filter((name) => !names.includes(name))
      .map((name) => ({ line: 1, problem: `nothing is said of ${name}` })),
    ...names
      .filter((name) => !expected.includes(name))
      .map((name) => ({ line: lineOf(name), problem: `there is no ${name}` })),
  ];
}

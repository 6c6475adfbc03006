/** A Markdown page as far as the checks of the documentation look at it. Lines count from 1. */
export interface Page {
  blocks: readonly Block[];
  headings: readonly Heading[];
  links: readonly Link[];
  /** The names of `<a id="NAME">`. */
  anchors: readonly string[];
}

/** A fenced block of code. */
export interface Block {
  /** Of the opening fence; the text begins in the next line. */
  line: number;
  /** The first word behind the fence; empty where there is none. */
  language: string;
  /** The other words: `data`, `title=script.ts`. */
  words: readonly string[];
  /** The file that the block is, where it says so. */
  title?: string;
  text: string;
  /** The comment `<!-- NAME: REASON -->` in front of the block. */
  directive?: Directive;
}

export interface Directive {
  name: string;
  reason: string;
}

export interface Heading {
  line: number;
  level: number;
  text: string;
  /** What a link to it ends in, as GitHub makes it. */
  anchor: string;
}

export interface Link {
  line: number;
  target: string;
}

const FENCE = /^\s*(```+|~~~+)\s*(.*)$/;
const DIRECTIVE = /^\s*<!--\s*([a-z][a-z ]*?):\s*(.*?)\s*-->\s*$/;

/** Reads blocks, headings and links of a page. */
export function parsePage(text: string): Page {
  const lines = text.split("\n");
  const blocks = findBlocks(lines);
  const isCode = new Set(blocks.flatMap(({ line, text: code }) => linesOf(line, code)));
  const prose = lines.map((line, index) => (isCode.has(index + 1) ? "" : line));
  return {
    blocks,
    headings: findHeadings(prose),
    links: prose.flatMap(findLinks),
    anchors: prose.flatMap(findAnchors),
  };
}

function linesOf(line: number, code: string): number[] {
  const count = code === "" ? 0 : code.split("\n").length - 1;
  return Array.from({ length: count + 2 }, (_, index) => line + index);
}

function findBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const [, fence, info = ""] = FENCE.exec(lines[index] as string) ?? [];
    if (fence === undefined) continue;
    const isEnd = (line: string): boolean => line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim());
    const found = lines.findIndex((line, at) => at > index && isEnd(line));
    const end = found === -1 ? lines.length : found;
    const indent = /^\s*/.exec(lines[index] as string)?.[0].length ?? 0;
    const body = lines.slice(index + 1, end).map((line) => line.slice(Math.min(indent, line.search(/\S|$/))));
    blocks.push({
      line: index + 1,
      ...parseInfo(info),
      text: body.map((line) => `${line}\n`).join(""),
      ...directiveBefore(lines, index),
    });
    index = end;
  }
  return blocks;
}

function parseInfo(info: string): Pick<Block, "language" | "words" | "title"> {
  const [language = "", ...words] = info.trim().split(/\s+/);
  const title = words.find((word) => word.startsWith("title="))?.slice("title=".length);
  return { language, words, ...(title === undefined ? {} : { title }) };
}

/** The nearest line above that is not empty. */
function directiveBefore(lines: readonly string[], index: number): { directive?: Directive } {
  const above = lines.slice(0, index).findLast((line) => line.trim() !== "");
  const [, name, reason] = DIRECTIVE.exec(above ?? "") ?? [];
  return name === undefined || reason === undefined ? {} : { directive: { name, reason } };
}

function findHeadings(prose: readonly string[]): Heading[] {
  const seen = new Map<string, number>();
  return prose.flatMap((line, index) => {
    const [, marks, text] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (marks === undefined || text === undefined) return [];
    const slug = toAnchor(text);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return [{ line: index + 1, level: marks.length, text, anchor: count === 0 ? slug : `${slug}-${count}` }];
  });
}

/** Small letters, digits, `_` and `-` stay, spaces become `-`, all else goes; of a link its words stay. */
function toAnchor(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function findLinks(line: string, index: number): Link[] {
  const withoutCode = line.replaceAll(/`[^`]*`/g, (code) => " ".repeat(code.length));
  const inline = [...withoutCode.matchAll(/\]\(\s*<?([^()\s>]+(?:\([^()\s]*\)[^()\s>]*)?)>?(?:\s+"[^"]*")?\s*\)/g)];
  const defined = [...withoutCode.matchAll(/^\s*\[[^\]]+\]:\s+(\S+)/g)];
  const sources = [...line.matchAll(/<(?:img|source|a)\b[^>]*?\b(?:src|srcset|href)="([^"\s]+)"/g)];
  return [...inline, ...defined, ...sources].map(([, target]) => ({ line: index + 1, target: target as string }));
}

function findAnchors(line: string): string[] {
  return [...line.matchAll(/<a id="([^"]+)"/g)].map(([, name]) => name as string);
}

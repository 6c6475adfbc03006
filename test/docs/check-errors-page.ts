import type { CodeFacts } from "./code-facts.ts";
import type { Finding } from "./finding.ts";
import type { Heading, Page } from "./parse-page.ts";

/** What a section of a code has to say, as the beginnings of paragraphs. */
const PARTS = ["**What happened.**", "**What to do.**"];

/** Codes and classes without a section, sections of what is gone, and sections that lack the cause, the remedy or an example. */
export function checkErrorsPage(text: string, page: Page, facts: CodeFacts): Finding[] {
  const known = new Set([...facts.diagnosticCodes, ...facts.userErrors.keys(), ...facts.errorClasses]);
  const sections = page.headings.filter(({ level, text: title }) => level === 3 && /^`\w+`$/.test(title));
  const names = sections.map(({ text: title }) => title.slice(1, -1));
  return [
    ...[...known]
      .filter((name) => !names.includes(name))
      .map((name) => ({ line: 1, problem: `there is no section for ${name}` })),
    ...sections.flatMap((section, index) => {
      const name = names[index] as string;
      if (!known.has(name)) return [{ line: section.line, problem: `there is no code or class ${name} any more` }];
      if (names.indexOf(name) !== index) return [{ line: section.line, problem: `${name} has two sections` }];
      return checkSection(text, page, section, facts, name);
    }),
  ];
}

function checkSection(text: string, page: Page, { line }: Heading, facts: CodeFacts, name: string): Finding[] {
  const next = page.headings.find((heading) => heading.line > line)?.line ?? Infinity;
  const lines = text.split("\n").slice(line, Number.isFinite(next) ? next - 1 : undefined);
  const isMissing = (part: string): boolean => !lines.some((content) => content.startsWith(part));
  const missing = PARTS.filter(isMissing).map((part) => `${name}: the section has no paragraph ${part}`);
  const exitCode = facts.userErrors.get(name);
  const tellsExit = exitCode === undefined || lines.some((content) => content.includes(`exit code ${exitCode}`));
  const hasExample = page.blocks.some((block) => block.line > line && block.line < next);
  return [
    ...missing,
    ...(tellsExit ? [] : [`${name}: the section does not tell its exit code ${exitCode}`]),
    ...(hasExample ? [] : [`${name}: the section has no example`]),
  ].map((problem) => ({ line, problem }));
}

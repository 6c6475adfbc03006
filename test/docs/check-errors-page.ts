import type { CodeFacts } from "./code-facts.ts";
import type { Finding } from "./finding.ts";
import type { Heading, Page } from "./parse-page.ts";

/** How the paragraph of the remedy begins, where the hint of the example does not say all of it. */
const REMEDY = "**Remedy.**";

/** Codes and classes without a section, sections of what is gone, and sections that lack the cause, an example, or a remedy. */
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
      return checkSection(text, page, section, name);
    }),
  ];
}

function checkSection(text: string, page: Page, { line }: Heading, name: string): Finding[] {
  const next = page.headings.find((heading) => heading.line > line)?.line ?? Infinity;
  const lines = text.split("\n").slice(line, Number.isFinite(next) ? next - 1 : undefined);
  const [first = ""] = lines.filter((content) => content !== "");
  const blocks = page.blocks.filter((block) => block.line > line && block.line < next);
  const hasRemedy = lines.some((content) => content.startsWith(REMEDY));
  const hasHint = blocks.some((block) => /^hint: /m.test(block.text));
  return [
    ...(/^[\w`"'[-]/.test(first) && !first.startsWith("```")
      ? []
      : [`${name}: the section does not begin with the cause`]),
    ...(hasRemedy || hasHint ? [] : [`${name}: the section has neither a hint nor a paragraph ${REMEDY}`]),
    ...(blocks.length > 0 ? [] : [`${name}: the section has no example`]),
  ].map((problem) => ({ line, problem }));
}

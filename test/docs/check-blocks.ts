import { Ajv } from "ajv";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { CodeFacts } from "./code-facts.ts";
import { type Finding, UNCHECKED } from "./finding.ts";
import { NOT_RUN } from "./page-steps.ts";
import type { Block, Page } from "./parse-page.ts";

const LANGUAGES = [
  "console",
  "diff",
  "dockerfile",
  "html",
  "js",
  "json",
  "jsonc",
  "mermaid",
  "sh",
  "text",
  "toml",
  "ts",
  "yaml",
];
const DIRECTIVES = [UNCHECKED, NOT_RUN, "printed"];

/** Blocks without a known language, and directives without a reason: both would leave a block out of all checks. */
export function checkLanguages({ blocks }: Page): Finding[] {
  return blocks.flatMap(({ line, language, directive }) => [
    ...(LANGUAGES.includes(language) ? [] : [{ line, problem: `the block has no known language, but "${language}"` }]),
    ...(directive === undefined || !DIRECTIVES.includes(directive.name) || directive.reason.length > 10
      ? []
      : [{ line, problem: `the comment "${directive.name}" says no reason` }]),
  ]);
}

/** Files whose names stand behind the fence only, where no reader of the rendered page sees them. */
export function checkTitles({ text, blocks }: Page & { text: string }): Finding[] {
  const lines = text.split("\n");
  return blocks.flatMap(({ line, title }) => {
    // The paragraph in front of a block, with a directive between them, is no longer than this.
    const before = lines.slice(Math.max(0, line - 10), line - 1).join("\n");
    if (title === undefined || before.includes(`${title}\``)) return [];
    return [{ line, problem: `no sentence in front of the block names \`${title}\`` }];
  });
}

/** JSON that cannot be read, and configurations, lockfiles and answers that are none. */
export function checkJson({ blocks }: Page, facts: CodeFacts): Finding[] {
  return blocks.flatMap((block) => {
    if (block.language !== "json" && block.language !== "jsonc") return [];
    if (block.directive?.name === UNCHECKED) return [];
    const problem = problemOf(block, facts);
    return problem === undefined ? [] : [{ line: block.line, problem }];
  });
}

function problemOf(block: Block, facts: CodeFacts): string | undefined {
  const errors: ParseError[] = [];
  const isStrict = block.language === "json";
  const value: unknown = parse(block.text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict });
  if (errors[0] !== undefined) return `it is not JSON: ${printParseErrorCode(errors[0].error)}`;
  if (block.words.includes("data") || (block.title !== undefined && block.title !== "codemode.config.json"))
    return undefined;
  if (block.words.includes("answer")) return answerProblem(value, facts);
  if (block.words.includes("lockfile")) return lockfileProblem(block.text);
  // A page may show a part of a configuration.
  return schemaProblem(facts.configSchema, { mcpServers: {}, ...(value as object) });
}

const AJV = new Ajv({ strict: false });

function schemaProblem(schema: object, value: unknown): string | undefined {
  // Compiled once for each schema.
  return AJV.validate(schema, value) ? undefined : AJV.errorsText(AJV.errors, { dataVar: "it" });
}

/** As the program reads it, integrities included. */
function lockfileProblem(text: string): string | undefined {
  try {
    parseLockfile(text, "it");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function answerProblem(value: unknown, facts: CodeFacts): string | undefined {
  const answer = value as { [key: string]: unknown };
  const keys = ["logs", "result", "diagnostics", "toolTrace"];
  const wrong = Object.keys(answer).filter((key) => !keys.includes(key));
  if (wrong.length > 0) return `an answer has no ${wrong.join(", ")}`;
  const codes = ((answer["diagnostics"] ?? []) as { code: string }[]).map(({ code }) => code);
  const unknown = codes.filter((code) => !facts.diagnosticCodes.includes(code));
  return unknown.length === 0 ? undefined : `there is no code ${unknown.join(", ")}`;
}

import * as libraryErrors from "../../library/errors.ts";
import * as batchErrors from "../../extras/batch/batch-errors.ts";
import * as durableErrors from "../../extras/durable/durable-errors.ts";
import * as commandLineErrors from "../../schemas/command-line-errors.ts";
import * as errors from "../../schemas/errors.ts";
import * as packageErrors from "../../extras/publish/package-errors.ts";
import * as learnErrors from "../../extras/learn/learn-errors.ts";
import * as serveErrors from "../../schemas/config/serve-errors.ts";
import type { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Finding } from "./finding.ts";
import type { Page } from "./parse-page.ts";

type Factory = (...values: unknown[]) => CodemodeError;

/**
 * Blocks that show what an error of the command line prints, and do not show what it prints today. The comment in front of the block says which error, and
 * what it is about: `<!-- printed: serverUnknown "gihub" ["github"] -->`.
 */
export function checkPrinted({ blocks }: Page): Finding[] {
  return blocks.flatMap(({ line, directive, text }) => {
    if (directive?.name !== "printed") return [];
    const printed = printError(directive.reason);
    return text === printed ? [] : [{ line, problem: `this is printed today:\n${printed}` }];
  });
}

/** The lines that an error of the command line prints: a factory of the files with errors and, as JSON, what it is given. */
function printError(words: string): string {
  const [name = "", ...rest] = words.split(" ");
  const factory = (
    {
      ...errors,
      ...batchErrors,
      ...durableErrors,
      ...commandLineErrors,
      ...learnErrors,
      ...packageErrors,
      ...serveErrors,
      ...libraryErrors,
    } as unknown as {
      [name: string]: Factory | undefined;
    }
  )[name];
  if (factory === undefined) return `there is no error ${name}`;
  const values = readValues(rest.join(" "));
  const { message, hint } = factory(...values.map((value) => value ?? undefined));
  return `error: ${message}\nhint: ${hint}\n`;
}

/** JSON values with spaces between them. */
function readValues(text: string): unknown[] {
  const parts = text.match(/"(?:\\.|[^"\\])*"|\[[^\]]*\]|[^\s]+/g) ?? [];
  return parts.map((part) => JSON.parse(part) as unknown);
}

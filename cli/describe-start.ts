import type { ProjectStart } from "../runtime/host/trust/project-starts.ts";
import { byCodeUnits } from "../schemas/canonical-json.ts";
import { findInText } from "../schemas/secrets/find-in-text.ts";
import { optionName } from "../schemas/secrets/option-name.ts";
import { oneLine } from "./report.ts";

/**
 * One line on what a project starts, for the person who decides about it: the command without its secrets, and the names of the variables.
 * Characters that could hide a part of it are shown as escapes.
 */
export function describeStart({ name, subject, variables }: ProjectStart): string {
  const gets = variables.length === 0 ? "" : `; gets ${variables.join(", ")}`;
  if ("path" in subject) return oneLine(`  ${name}: writes the ${subject.transport} ${subject.path}`);
  if (subject.transport !== "stdio") return oneLine(`  ${name}: ${showUrl(subject.url)}${gets}`);
  const { command, args, env, cwd } = subject;
  const literal = Object.keys(env)
    .filter((key) => !variables.includes(key))
    .toSorted(byCodeUnits);
  const sets = literal.length === 0 ? "" : `; sets ${literal.join(", ")}`;
  const place = cwd === undefined ? "" : `; in ${cwd}`;
  return oneLine(`  ${name}: ${[command, ...args].map(showWord).join(" ")}${place}${gets}${sets}`);
}

/** The values of a query may be keys, and say nothing of where the address leads. Before the query everything does. */
function showUrl(url: string): string {
  const shown = maskSecrets(url, undefined);
  return shown.replace(/\?[^#]*/, (query) => query.replace(/=[^&]*/g, "=…"));
}

/** As in JSON where a word has blanks or nothing in it, so that words can be told apart. */
function showWord(word: string, index: number, words: readonly string[]): string {
  const shown = maskSecrets(word, words[index - 1]);
  return /^[^\s"'\\]+$/.test(shown) ? shown : JSON.stringify(shown);
}

/** Letters of tokens. Nothing that a shell or a program would take for code consists of them alone. */
const TOKEN = /^[\w.+/=~-]+$/;

/** Shows `…` for what looks like a secret: a form may go to a client's log. What could be code stays, because the person has to see it. */
function maskSecrets(word: string, before: string | undefined): string {
  const option = word.startsWith("-") ? undefined : optionName(before);
  return findInText(word, option)
    .toReversed()
    .filter(({ start, end }) => TOKEN.test(word.slice(start, end)))
    .reduce((text, { start, end }) => `${text.slice(0, start)}…${text.slice(end)}`, word);
}

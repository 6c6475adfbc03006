import type { ProjectStart } from "../runtime/host/trust/project-starts.ts";
import { byCodeUnits } from "../schemas/canonical-json.ts";
import { oneLine } from "./report.ts";

/**
 * One line on what a project starts, for the person who decides about it: the whole command, and the names of the variables. Characters that
 * could hide a part of it are shown as escapes.
 */
export function describeStart({ name, subject, variables }: ProjectStart): string {
  const gets = variables.length === 0 ? "" : `; gets ${variables.join(", ")}`;
  if (subject.transport === "file") return oneLine(`  ${name}: writes the file ${subject.path}`);
  if (subject.transport !== "stdio") return oneLine(`  ${name}: ${withoutQueryValues(subject.url)}${gets}`);
  const { command, args, env, cwd } = subject;
  const literal = Object.keys(env)
    .filter((key) => !variables.includes(key))
    .toSorted(byCodeUnits);
  const sets = literal.length === 0 ? "" : `; sets ${literal.join(", ")}`;
  const place = cwd === undefined ? "" : `; in ${cwd}`;
  return oneLine(`  ${name}: ${[command, ...args].map(quoteWord).join(" ")}${place}${gets}${sets}`);
}

/** A value may be a key, and says nothing of where the address leads. */
function withoutQueryValues(url: string): string {
  return url.replaceAll(/([?&][^=&#]*)=[^&#]*/g, "$1=…");
}

/** As in JSON where a word has blanks or nothing in it, so that words can be told apart. */
function quoteWord(word: string): string {
  return /^[^\s"'\\]+$/.test(word) ? word : JSON.stringify(word);
}

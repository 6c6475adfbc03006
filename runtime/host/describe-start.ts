import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { ProjectStart } from "../mcp/trust/project-starts.ts";
import { byCodeUnits } from "../../schemas/json/canonical-json.ts";
import { maskSecrets, withoutQueryValues } from "../../schemas/secrets/mask-secrets.ts";
import { optionName } from "../../schemas/secrets/secret-names.ts";

/**
 * One line on what a project starts, for the person who decides about it: the command without its secrets, and the names of the variables.
 * Characters that could hide a part of it are shown as escapes.
 */
export function describeStart({ name, subject, variables }: ProjectStart): string {
  const gets = variables.length === 0 ? "" : `; gets ${variables.join(", ")}`;
  if (subject.transport === "variables") return oneLine(`  ${name}: reads variables from the file ${subject.path}`);
  if ("path" in subject) return oneLine(`  ${name}: writes the ${subject.transport} ${subject.path}`);
  if (subject.transport === "store") return oneLine(`  ${name}: ${showUrl(subject.url)}${gets}`);
  const { roots = [], envFile = [] } = subject;
  const reads = envFile.length === 0 ? "" : `; reads variables from ${envFile.join(", ")}`;
  const learns =
    roots.length === 0 ? "" : `; learns of the folders ${roots.map((root) => JSON.stringify(root)).join(", ")}`;
  const knows = reads + learns;
  if (subject.transport !== "stdio") return oneLine(`  ${name}: ${showUrl(subject.url)}${gets}${knows}`);
  const { command, args, env, cwd } = subject;
  const literal = Object.keys(env)
    .filter((key) => !variables.includes(key))
    .toSorted(byCodeUnits);
  const sets = literal.length === 0 ? "" : `; sets ${literal.join(", ")}`;
  const place = cwd === undefined ? "" : `; in ${cwd}`;
  return oneLine(`  ${name}: ${[command, ...args].map(showWord).join(" ")}${place}${gets}${sets}${knows}`);
}

function showUrl(url: string): string {
  return withoutQueryValues(maskSecrets(url), "…");
}

/** Words with blanks and empty words are quoted as in JSON, so that the words stay distinguishable. The first one is the program. */
function showWord(word: string, index: number, words: readonly string[]): string {
  const option = word.startsWith("-") ? undefined : optionName(words[index - 1]);
  const shown = index === 0 ? word : maskSecrets(word, option);
  return /^[^\s"'\\]+$/.test(shown) ? shown : JSON.stringify(shown);
}

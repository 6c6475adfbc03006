import { codemodeProblems, namesOf, splitCommands } from "./check-commands.ts";
import type { CodeFacts, SchemaNode } from "./code-facts.ts";
import type { Finding } from "./finding.ts";
import { parsePage } from "./parse-page.ts";

/** Words in `code` within sentences that the code does not have: commands, flags, keys of the configuration, codes. */
export function checkWords(text: string, facts: CodeFacts): Finding[] {
  const inBlocks = new Set<number>();
  const page = parsePage(text);
  for (const { line, text: code } of page.blocks) {
    for (let at = line; at <= line + code.split("\n").length; at += 1) inBlocks.add(at);
  }
  const examples = page.blocks.map((block) => block.text).join("\n");
  return text.split("\n").flatMap((content, index) => {
    if (inBlocks.has(index + 1)) return [];
    const spans = [...content.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span]) => span as string);
    return spans.flatMap((span) => problemsOf(span, facts, examples)).map((problem) => ({ line: index + 1, problem }));
  });
}

function problemsOf(span: string, facts: CodeFacts, examples: string): string[] {
  if (/^codemode [a-z]/.test(span))
    return splitCommands(span.replaceAll("…", "")).flatMap((words) => commandProblems(words, facts));
  if (WORDS_OF_OTHERS.has(span)) return [];
  const options = namesOf([...facts.globalOptions, ...facts.commands.flatMap((command) => command.options)]);
  const [, flag] = /^(--[a-z][\w-]*)(?:[ =].*)?$/.exec(span) ?? [];
  if (flag !== undefined)
    return options.has(flag) || facts.programOptions.has(flag) ? [] : [`no command has the option ${flag}`];
  const keys = /^[a-z]\w*(\.\w+)+$/i.test(span) ? span.split(".") : [];
  const root = facts.configSchema.properties ?? {};
  if (keys.length > 1 && Object.hasOwn(root, keys[0] as string) && !/\.(json|ts|js|md)$/.test(span)) {
    return hasPath(facts.configSchema, keys, facts.configSchema) ? [] : [`the configuration has no key ${span}`];
  }
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(span)) {
    return facts.constants.has(span) || examples.includes(span) ? [] : [`no source has the word ${span}`];
  }
  return [];
}

/** Flags and words of capitals of other programs: Node, the kernel. */
const WORDS_OF_OTHERS = new Set([
  ...["--help", "--version", "--permission", "CAP_SYS_ADMIN", "--max-old-space-size", "--no-rehash-snapshot"],
  ...["--single-threaded", "--no-new-privs", "--unshare-all", "--die-with-parent", "--network=none"],
  ...["--single-threaded-gc", "--no-opt", "--max-lazy", "--sparkplug", "--v8-pool-size", "--max-semi-space-size"],
  ...["--heap-growing-percent", "MALLOC_ARENA_MAX"],
  "setpriv --pdeathsig",
]);

/** In a sentence a command may stand without its arguments. */
function commandProblems([program, ...words]: readonly string[], facts: CodeFacts): string[] {
  return program === "codemode" ? codemodeProblems(words, facts).filter((problem) => !problem.includes(" needs ")) : [];
}

/** Whether the schema has a key at a path, with any name where names are the user's. */
function hasPath(node: SchemaNode, [key, ...rest]: readonly string[], root: SchemaNode): boolean {
  if (key === undefined) return true;
  const target = resolveNode(node, root);
  const own =
    target.properties !== undefined && Object.hasOwn(target.properties, key) ? target.properties[key] : undefined;
  const next = own ?? (typeof target.additionalProperties === "object" ? target.additionalProperties : undefined);
  if (next === undefined) return false;
  // `mcpServers.timeoutMs` for `mcpServers.NAME.timeoutMs`.
  return hasPath(next, rest, root) || (own === undefined && hasPath(next, [key, ...rest], root));
}

/** Follows a reference; what stands beside it (description, default) wins. */
export function resolveNode(node: SchemaNode, root: SchemaNode): SchemaNode {
  const name = node.$ref?.replace("#/definitions/", "");
  return name === undefined ? node : { ...root.definitions?.[name], ...node };
}

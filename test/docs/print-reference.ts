import type { OptionSpec } from "../../cli/command.ts";
import { resolveNode } from "./check-words.ts";
import type { CodeFacts, SchemaNode } from "./code-facts.ts";

/** The reference of one command, or of the options that all take (`options`), as Markdown. */
export function printCommand(name: string, { commands, globalOptions }: CodeFacts): string | undefined {
  if (name === "options") return tableOfOptions(globalOptions);
  const command = commands.find(({ usage }) => usage.split(" ")[0] === name);
  if (command === undefined) return undefined;
  const usage = ["```text", `codemode ${command.usage}`, "```"].join("\n");
  const text = [sentence(command.description), command.details].filter((part) => part !== undefined).join(" ");
  return [text, usage, printOptions(command.options)].filter((part) => part !== "").join("\n\n");
}

/** Those of every day, then each group under its title, as the help has them. */
function printOptions(options: readonly OptionSpec[]): string {
  const titles = new Set(options.map(({ group = "" }) => group));
  return [...titles]
    .map((title) => {
      const rows = tableOfOptions(options.filter(({ group = "" }) => group === title));
      return title === "" ? rows : `**${title}**\n\n${rows}`;
    })
    .join("\n\n");
}

function tableOfOptions(options: readonly OptionSpec[]): string {
  return table(
    ["option", "what"],
    options.map(({ flag, description }) => [`\`${flag}\``, sentence(description)]),
  );
}

/** The keys below one key of the configuration as a list: path with an anchor, type, default, meaning. */
export function printKeys(name: string, { configSchema }: CodeFacts): string | undefined {
  const node = configSchema.properties?.[name];
  if (node === undefined || !Object.hasOwn(configSchema.properties ?? {}, name)) return undefined;
  const items = listKeys(name, node, configSchema).map(({ path, node: key }) => {
    const fallback = key.default === undefined ? "" : `; default \`${JSON.stringify(key.default)}\``;
    // The heading of the section has this anchor already.
    const anchor = /^[a-z]+$/.test(path) ? "" : `<a id="${path}"></a>`;
    const title = `${anchor}**\`${path}\`** (${printType(key, configSchema)}${fallback})`;
    return `- ${title}: ${(key.description ?? "").replaceAll("\n", " ")}`;
  });
  return items.join("\n");
}

/** Every key at and below a node; `NAME` stands for names that the user gives. */
export function listKeys(path: string, node: SchemaNode, root: SchemaNode): { path: string; node: SchemaNode }[] {
  const own = resolveNode(node, root);
  const below = Object.entries(own.properties ?? {}).flatMap(([key, child]) => listKeys(`${path}.${key}`, child, root));
  const named = typeof own.additionalProperties === "object" ? resolveNode(own.additionalProperties, root) : undefined;
  const ofNames = Object.entries(named?.properties ?? {}).flatMap(([key, child]) =>
    listKeys(`${path}.NAME.${key}`, child, root),
  );
  return [{ path, node: own }, ...below, ...ofNames];
}

/** The fields of one part of the lockfile (`file`, or a definition of its schema) as a table. */
export function printFields(name: string, { lockfileSchema }: CodeFacts): string | undefined {
  const part = name === "file" ? lockfileSchema : lockfileSchema.definitions?.[name];
  if (part?.properties === undefined) return undefined;
  const rows = Object.entries(part.properties).map(([key, field]) => {
    const own = resolveNode(field, lockfileSchema);
    return [
      `\`${key}\``,
      printType(own, lockfileSchema),
      part.required?.includes(key) === true ? "always" : "",
      own.description ?? "",
    ];
  });
  return table(["field", "type", "there", "meaning"], rows);
}

function printType(written: SchemaNode, root: SchemaNode): string {
  const node = resolveNode(written, root);
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.enum !== undefined) return node.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (node.oneOf !== undefined && node.type === undefined) return "object";
  if (node.type === "array") return `list of ${printType(node.items ?? {}, root)}s`;
  if (node.type === "object" && typeof node.additionalProperties === "object" && node.properties === undefined) {
    return `object of ${printType(node.additionalProperties, root)}s by name`;
  }
  const type = node.type === undefined ? "any JSON" : [node.type].flat().join(" or ");
  return [type, printRange(node)].filter((part) => part !== "").join(", ");
}

function printRange({ minimum, maximum }: SchemaNode): string {
  if (minimum === undefined) return "";
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

function sentence(text: string): string {
  return /[.…]$/.test(text) ? text : `${text}.`;
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

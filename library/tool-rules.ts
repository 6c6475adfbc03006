import { nearestName } from "@codemode/runtime/nearest-name";
import type { ToolRules } from "../schemas/config/program-server.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { Framework } from "./frameworks.ts";
import type { GivenTool, OwnToolRules } from "./given-tool.ts";

type Member = (this: unknown, ...given: unknown[]) => unknown;

const APPROVALS = ["needsApproval", "requireApproval"] as const;
const LONG_RULES = ["enabled", ...APPROVALS] as const;
const RULES = [...LONG_RULES, "undo"] as const;
/** Names of other libraries for the same. */
const OTHER_NAMES: { readonly [name: string]: (typeof RULES)[number] } = {
  ...{ enable: "enabled", isenabled: "enabled", disabled: "enabled" },
  ...{ approval: "needsApproval", requiresapproval: "needsApproval", requiresconfirmation: "needsApproval" },
};

/**
 * Guard, approval and undo of a tool.
 * @throws CodemodeError (`INVALID_OPTION`) where one has a value that says nothing, or a name that is nearly one of theirs: either would be no rule
 */
export function readToolRules(place: string, given: GivenTool, framework?: Framework): ToolRules {
  for (const key of Object.keys(given)) assertRuleName(place, given, key, framework);
  const { undo } = given;
  if (undo !== undefined && typeof undo !== "function")
    throw optionInvalid(place, `\`undo\` is ${say(undo)}`, "Write `undo: (input, result, call) => …`.");
  return withoutUndefined({
    isEnabled: readGuard(place, given, framework?.guard),
    needsApproval: readApproval(place, given, framework),
    undo: undo === undefined ? undefined : (...taken: unknown[]) => (undo as Member).apply(given, taken),
  });
}

/**
 * The rules of the tools of an MCP server, by their names.
 * @throws CodemodeError (`INVALID_OPTION`) as `readToolRules`
 */
export function readServerRules(server: string, tools: unknown): Map<string, ToolRules> {
  if (tools === undefined) return new Map();
  const line = `Write \`${server}: { server, tools: { NAME: { needsApproval: true } } }\`.`;
  if (!isRecord(tools)) throw optionInvalid(`server "${server}"`, `\`tools\` is ${say(tools)}`, line);
  const rules = Object.entries(tools).map(([name, given]) => {
    const place = `tool "${server}/${name}"`;
    if (!isRecord(given)) throw optionInvalid(place, `its rules are ${say(given)}`, line);
    const unknown = Object.keys(given).find((key) => !(SERVER_RULES as readonly string[]).includes(key));
    if (unknown !== undefined) throw optionInvalid(place, `there is no rule \`${unknown}\``, hintFor(unknown));
    return [name, readToolRules(place, given)] as const;
  });
  return new Map(rules);
}

const SERVER_RULES = ["enabled", "needsApproval", "undo"] as const satisfies (keyof OwnToolRules)[];

/** Foreign members are the author's own; one that is nearly a rule is a mistake. */
function assertRuleName(place: string, given: GivenTool, key: string, framework: Framework | undefined): void {
  if ((RULES as readonly string[]).includes(key) || key === framework?.guard?.name) return;
  if (Reflect.get(given, key) === undefined || NO_RULES.has(key)) return;
  const meant = ruleMeantBy(key);
  if (meant !== undefined) throw optionInvalid(place, `there is no rule \`${key}\``, `Did you mean \`${meant}\`?`);
}

/** Members of tools of frameworks that have nearly the name of a rule. */
const NO_RULES: ReadonlySet<string> = new Set(["needsApprovalFn"]);

function ruleMeantBy(key: string): string | undefined {
  const other = key.toLowerCase().replaceAll(/[^a-z]/g, "");
  return Object.hasOwn(OTHER_NAMES, other)
    ? OTHER_NAMES[other]
    : nearestName(key, key.length > 5 ? LONG_RULES : key.length > 3 ? RULES : []);
}

function hintFor(key: string): string {
  const meant = ruleMeantBy(key);
  const known = `Known: ${SERVER_RULES.join(", ")}.`;
  if (meant === undefined) return known;
  return `Did you mean \`${meant === "requireApproval" ? "needsApproval" : meant}\`? ${known}`;
}

function readGuard(place: string, given: GivenTool, other: Framework["guard"]): ToolRules["isEnabled"] {
  const own = readEnabled(place, "enabled", given.enabled, (context) => [context]);
  const others = other && readEnabled(place, other.name, Reflect.get(given, other.name), other.take);
  if (own === undefined || others === undefined) return own ?? others;
  return async (context) => (await own(context)) === true && (await others(context)) === true;
}

function readEnabled(
  place: string,
  name: string,
  enabled: unknown,
  take: (context: unknown) => unknown[],
): ToolRules["isEnabled"] {
  if (enabled === undefined || enabled === true) return undefined;
  if (enabled === false) return () => false;
  if (typeof enabled === "function") return (context) => (enabled as Member)(...take(context)) as boolean;
  const line = `Write \`${name}: false\`, or \`${name}: (context) => …\`, which gives true or false.`;
  throw optionInvalid(place, `\`${name}\` is ${say(enabled)}`, line);
}

/** Either of the two names is enough. */
function readApproval(place: string, given: GivenTool, framework: Framework | undefined): ToolRules["needsApproval"] {
  const asking = APPROVALS.flatMap((name) => {
    const value = given[name];
    if (value === undefined || value === false) return [];
    if (value === true) return [() => true];
    if (typeof value === "function") return [value as Member];
    const line = `Write \`${name}: true\`, or \`${name}: (input, { context }) => …\`, which gives true or false.`;
    throw optionInvalid(place, `\`${name}\` is ${say(value)}`, line);
  });
  if (asking.length === 0) return undefined;
  return async (input, context) => {
    const taken = framework?.takeToAsk(input, context) ?? [input, { context }];
    for (const asks of asking) if ((await asks.apply(given, taken)) !== false) return true;
    return false;
  };
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that nothing is known of, in words. */
export function say(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (value instanceof Promise) return "a promise";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}

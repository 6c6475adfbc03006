import { CLAIM_WORDS, policyVerdict, readClaims } from "../access/policy.ts";
import { byCodeUnits } from "../json/canonical-json.ts";
import type { Policy } from "../config/config-file.ts";
import type { JsonValue } from "../json/json.ts";
import type { LockedServer, LockedTool, Lockfile } from "../lock/lockfile.ts";
import { type Change, CHANGE_SEVERITIES, type ChangeSeverity, makeChange } from "./change.ts";
import { pointerStep } from "../json/pointer-step.ts";
import { compareSchemas } from "./compare-schemas.ts";
import { listOfName, operationsOf, subjectOfName } from "../lock/operations.ts";

/** What differs between the accepted and the live snapshot of one server. */
export interface ServerChange {
  serverId: string;
  kind: "added" | "removed" | "changed";
  /** The gravest of `changes`. */
  severity: ChangeSeverity;
  toolsAdded: string[];
  toolsRemoved: string[];
  toolsChanged: string[];
  changes: Change[];
}

/**
 * Lists what changed from `before` to `after`, sorted by server id. Servers that are equal are left out.
 * @param policy the project's, to say what it makes of changed annotations
 * @example
 * import { diffLockfiles, type Lockfile } from "codemode";
 *
 * export const breaking = (before: Lockfile, after: Lockfile): string[] =>
 *   diffLockfiles(before, after).flatMap(({ serverId, severity }) => (severity === "breaking" ? [serverId] : []));
 */
export function diffLockfiles(before: Lockfile, after: Lockfile, policy?: Policy): ServerChange[] {
  const ids = [...new Set([...before.servers.keys(), ...after.servers.keys()])].toSorted(byCodeUnits);
  return ids.flatMap((id) => {
    const [old, now] = [before.servers.get(id), after.servers.get(id)];
    const change = diffServer(id, old, now, policy);
    const retyped = old === undefined || now === undefined ? [] : compareTypes(old, now);
    if (retyped.length === 0) return change === undefined ? [] : [change];
    const changes = [...retyped, ...(change?.changes ?? [])];
    return [{ ...(change ?? unchanged(id)), changes, severity: gravest(changes) }];
  });
}

/** The change of one server, or undefined where both sides have the same integrity. */
export function diffServer(
  serverId: string,
  before: LockedServer | undefined,
  after: LockedServer | undefined,
  policy?: Policy,
): ServerChange | undefined {
  if (before?.integrity === after?.integrity) return undefined;
  const [old, now] = [byName(before), byName(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted(byCodeUnits);
  const isNew = before === undefined;
  const view = policy === undefined ? undefined : { serverId, policy };
  const renames = findRenames(old, now);
  const changes = [
    ...(isNew || after === undefined ? [] : compareSelves(before, after)),
    ...names.flatMap((name) => {
      if (renames.before.has(name)) return [];
      const former = renames.after.get(name);
      return former === undefined
        ? compareTools(name, old.get(name), now.get(name), view)
        : compareRenamed(former, now.get(name) as LockedTool, view);
    }),
  ];
  return {
    serverId,
    kind: isNew ? "added" : after === undefined ? "removed" : "changed",
    severity: isNew ? "compatible" : gravest(changes),
    toolsAdded: names.filter((name) => !old.has(name)),
    toolsRemoved: names.filter((name) => !now.has(name)),
    toolsChanged: names.filter((name) => {
      const [left, right] = [old.get(name), now.get(name)];
      return left !== undefined && right !== undefined && left.integrity !== right.integrity;
    }),
    changes,
  };
}

/** What differs between two definitions of one tool, resource or prompt; without `before` it is new. */
export interface DefinitionChange {
  kind: "added" | "changed";
  /** The gravest of `changes`. */
  severity: ChangeSeverity;
  changes: Change[];
}

/** The change of one definition of a server; `policy` as for `diffLockfiles`. */
export function diffDefinition(
  serverId: string,
  before: LockedTool | undefined,
  after: LockedTool,
  policy?: Policy,
): DefinitionChange {
  const view = policy === undefined ? undefined : { serverId, policy };
  const compared = compareTools(after.name, before, after, view);
  const changes = before === undefined ? [...compared, ...describeParts(after)] : compared;
  return { kind: before === undefined ? "added" : "changed", severity: gravest(changes), changes };
}

/** All that an agent would read of something new, beside its description. */
function describeParts(tool: LockedTool): Change[] {
  const pointer = `/${listOfName(tool.name) ?? "tools"}${pointerStep(tool.name)}`;
  return (["title", "inputSchema", "outputSchema"] as const).flatMap((part) =>
    tool[part] === undefined ? [] : [makeChange("compatible", `${pointer}/${part}`, part, undefined, tool[part])],
  );
}

/** The form of types is the project's choice: it changes no integrity and no call. */
function compareTypes(before: LockedServer, after: LockedServer): Change[] {
  const [old, now] = [before.openObjects ?? "closed", after.openObjects ?? "closed"];
  return old === now ? [] : [makeChange("compatible", "/openObjects", "form of the types changed", old, now)];
}

function unchanged(serverId: string): ServerChange {
  const none = { toolsAdded: [], toolsRemoved: [], toolsChanged: [], changes: [] };
  return { serverId, kind: "changed", severity: "compatible", ...none };
}

function byName(server: LockedServer | undefined): Map<string, LockedTool> {
  return new Map(server === undefined ? [] : operationsOf(server).map((tool) => [tool.name, tool]));
}

/** What the server says of itself as a whole. */
function compareSelves(before: LockedServer, after: LockedServer): Change[] {
  return [
    ...compareText("instructions", before.instructions, after.instructions, "/instructions"),
    ...compareText("serverInfo", before.serverInfo, after.serverInfo, "/serverInfo"),
  ];
}

const RESTATED = "says the same in another form";

function compareTools(
  name: string,
  before: LockedTool | undefined,
  after: LockedTool | undefined,
  view: PolicyView | undefined,
): Change[] {
  const list = listOfName(name) ?? "tools";
  const pointer = `/${list}${pointerStep(name)}`;
  const what = `${list.slice(0, -1)} "${subjectOfName(name)}"`;
  if (before === undefined) return after === undefined ? [] : [describeAdded(what, pointer, after, view)];
  if (after === undefined)
    return [makeChange("breaking", pointer, `${what} removed`, before.description ?? "", undefined)];
  const rename = makeChange("breaking", `${pointer}/exportName`, "export renamed", before.exportName, after.exportName);
  const changes = [
    ...(before.exportName === after.exportName ? [] : [rename]),
    ...compareText("name", before.templateName, after.templateName, `${pointer}/templateName`),
    ...compareText("title", before.title, after.title, `${pointer}/title`),
    ...compareText("description", before.description, after.description, `${pointer}/description`),
    ...compareAnnotations(before, after, `${pointer}/annotations`, view),
    ...compareSchemas(before.inputSchema, after.inputSchema, `${pointer}/inputSchema`, "input"),
    ...compareOutputs(before, after, `${pointer}/outputSchema`),
    ...compareText(
      "origin of the output schema",
      before.outputSchemaFrom,
      after.outputSchemaFrom,
      `${pointer}/outputSchemaFrom`,
    ),
  ];
  // Another order of names, for instance: it is drift all the same.
  const isRestated = changes.length === 0 && before.integrity !== after.integrity;
  return isRestated ? [makeChange("text", pointer, RESTATED, undefined, undefined)] : changes;
}

/** Tools that have another name, and the same one in JavaScript: scripts call them on. */
function findRenames(
  old: ReadonlyMap<string, LockedTool>,
  now: ReadonlyMap<string, LockedTool>,
): { before: ReadonlySet<string>; after: ReadonlyMap<string, LockedTool> } {
  const gone = new Map([...old.values()].filter(({ name }) => !now.has(name)).map((tool) => [tool.exportName, tool]));
  const pairs = [...now.values()].flatMap((tool) => {
    const former = old.has(tool.name) ? undefined : gone.get(tool.exportName);
    return former === undefined || listOfName(former.name) !== listOfName(tool.name)
      ? []
      : [[tool.name, former] as const];
  });
  return { before: new Set(pairs.map(([, { name }]) => name)), after: new Map(pairs) };
}

function compareRenamed(before: LockedTool, after: LockedTool, view: PolicyView | undefined): Change[] {
  const list = listOfName(after.name) ?? "tools";
  const [was, is] = [subjectOfName(before.name), subjectOfName(after.name)];
  const summary = `${list.slice(0, -1)} "${was}" renamed to "${is}": scripts import \`${after.exportName}\` as before; patterns of policies and filters that name "${was}" no longer match`;
  const change = makeChange("policy", `/${list}${pointerStep(after.name)}`, summary, was, is);
  const verdicts =
    view === undefined
      ? undefined
      : {
          before: policyVerdict(view.policy, view.serverId, before),
          after: policyVerdict(view.policy, view.serverId, after),
        };
  const others = compareTools(after.name, before, after, view).filter(({ summary: found }) => found !== RESTATED);
  return [verdicts === undefined ? change : { ...change, verdict: verdicts }, ...others];
}

/** With what the server claims of it, and what the policy says of its calls. */
function describeAdded(what: string, pointer: string, tool: LockedTool, view: PolicyView | undefined): Change {
  const isTool = listOfName(tool.name) === undefined;
  const claims = readClaims(tool);
  const words = isTool ? CLAIM_WORDS.filter((word) => claims[word]).map((word) => ` @${word}`) : [];
  const summary = `${what} added${words.length === 0 ? "" : `:${words.join("")}`}`;
  const change = makeChange("compatible", pointer, summary, undefined, tool.description ?? "");
  return view === undefined
    ? change
    : { ...change, verdict: { after: policyVerdict(view.policy, view.serverId, tool) } };
}

/**
 * A server that begins or ceases to declare an output schema answers with other content: the binding gives `{ title: "A" }` where it
 * gave the text of it (MCP, structured content). A schema of the configuration changes no value.
 */
function compareOutputs(before: LockedTool, after: LockedTool, pointer: string): Change[] {
  const [old, now] = [before.outputSchema, after.outputSchema];
  const added = old === undefined && now !== undefined && after.outputSchemaFrom === undefined;
  const removed = now === undefined && old !== undefined && before.outputSchemaFrom === undefined;
  if (!added && !removed) return compareSchemas(old, now, pointer, "output");
  const summary = `output schema ${added ? "added" : "removed"}: the binding returns another value`;
  return [makeChange("breaking", pointer, summary, old, now)];
}

function compareText(
  what: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  pointer: string,
): Change[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const verb = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [makeChange("text", pointer, `${what} ${verb}`, before, after)];
}

function gravest(changes: readonly Change[]): ChangeSeverity {
  const severities = new Set(changes.map(({ severity }) => severity));
  return CHANGE_SEVERITIES.find((severity) => severities.has(severity)) ?? "text";
}

/** The policy that a change is looked at with, and the server of the tool. */
interface PolicyView {
  serverId: string;
  policy: Policy;
}

/**
 * Compares the annotations of a tool. A claim that policies can name is of class `policy`; anything else in annotations is words.
 * @param view adds what the policy says before and after
 */
function compareAnnotations(
  before: LockedTool,
  after: LockedTool,
  pointer: string,
  view: PolicyView | undefined,
): Change[] {
  if (JSON.stringify(before.annotations) === JSON.stringify(after.annotations)) return [];
  const [old, now] = [readClaims(before), readClaims(after)];
  const words = CLAIM_WORDS.filter((word) => old[word] !== now[word]);
  if (words.length === 0)
    return [makeChange("text", pointer, "annotations changed", before.annotations, after.annotations)];
  const summary = words.map((word) => `${now[word] ? "now" : "no longer"} @${word}`).join(", ");
  const change = makeChange("policy", pointer, summary, before.annotations, after.annotations);
  if (view === undefined) return [change];
  const verdictOf = (tool: LockedTool) => policyVerdict(view.policy, view.serverId, tool);
  return [{ ...change, verdict: { before: verdictOf(before), after: verdictOf(after) } }];
}

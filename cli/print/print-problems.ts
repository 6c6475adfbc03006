import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolListProblem } from "../../schemas/lock/server-snapshot.ts";
import { modulesOfLockfile, operationsOf, serverIdOf } from "../../schemas/lock/operations.ts";
import { schemaProblemsOf } from "../../engine/declarations.ts";
import { hasInvisibleText } from "../../schemas/text/visible-text.ts";

/** A line for each tool that is less than its server meant it to be, or that hides something from its reader. */
export function printProblems(
  lockfile: Lockfile,
  dropped: ReadonlyMap<string, readonly ToolListProblem[]> = new Map(),
): string[] {
  const lines = [
    ...[...dropped].flatMap(([serverId, problems]) => problems.map((problem) => printDropped(serverId, problem))),
    ...[...modulesOfLockfile(lockfile).values()].flatMap((module) =>
      schemaProblemsOf(module).map(
        ({ toolName, schema, pointer, message }) =>
          `${serverIdOf(module.id)}/${toolName}: ${schema}${pointer} ${message}`,
      ),
    ),
    ...printInvisible(lockfile),
    ...printFloating(lockfile),
  ];
  return lines.map((line) => `warning: ${oneLine(line)}`);
}

function printDropped(serverId: string, { reason, position, name, list: other }: ToolListProblem): string {
  const list = other ?? "tools";
  if (reason === "not-listed") return `${serverId}: ${REASONS[reason](list)}`;
  const kind = KINDS[list];
  const what = name === undefined ? `entry ${position} of the ${kind} list` : `the ${kind} "${name}"`;
  return `${serverId}: ${what} was left out (${REASONS[reason](kind)})`;
}

const KINDS = { tools: "tool", resources: "resource template", prompts: "prompt" };

const REASONS: Record<ToolListProblem["reason"], (what: string) => string> = {
  "bad-arguments": () => "its arguments are not a list of different names",
  "bad-template": () => "no URI can be made of it, or it has no name",
  "duplicate-name": (kind) => `an earlier ${kind} has the same name`,
  "invalid-header": () => "its annotations for HTTP headers break the rules of MCP",
  "needs-task": () => "it can only be called as a task, and the server does not say that it takes tasks",
  "no-name": () => "it has no name",
  "not-an-object": () => "it is not an object",
  "not-listed": (list) => `its ${list} could not be listed; its tools are locked all the same`,
  "reserved-name": () => "names that begin like this mean resources and prompts",
};

/** Text that a reader does not see and an agent does is how instructions are hidden. */
function printInvisible(lockfile: Lockfile): string[] {
  return [...lockfile.servers.values()].flatMap(({ id, instructions, ...server }) => [
    ...(hasInvisibleText(instructions ?? "") ? [`${id}: its instructions contain invisible characters`] : []),
    ...operationsOf(server)
      .filter((tool) => hasInvisibleText(withoutEmojiStyle(JSON.stringify(tool))))
      .map((tool) => `${id}/${tool.name}: its texts contain invisible characters`),
  ]);
}

/** A server whose command names no exact version may be another program tomorrow. */
function printFloating(lockfile: Lockfile): string[] {
  return [...lockfile.servers.values()].flatMap(({ id, source }) => {
    const started = source.transport === "stdio" ? source.package : undefined;
    if (started?.floats !== true) return [];
    const pinned = `${started.name}@${started.version ?? "VERSION"}`;
    return [`${id}: its version is not pinned, so the next start may run another one; pin it as ${pinned}`];
  });
}

/** The selector that asks for the coloured form of an emoji hides nothing. */
function withoutEmojiStyle(text: string): string {
  return text.replace(/(\p{Extended_Pictographic})\ufe0f/gu, "$1");
}

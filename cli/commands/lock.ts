import { lockDrifted, optionInvalid } from "../../schemas/errors.ts";
import { oneLine } from "../../schemas/json/escape-invisible.ts";
import type { Command } from "../command.ts";
import { openProjectHere } from "../open-project.ts";
import { describeLock, exitCodeOfLock, listFailures, reportFailures } from "../print/print-lock.ts";
import { reportError } from "../print/report.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolListProblem } from "../../schemas/lock/server-snapshot.ts";
import { modulesOfLockfile, operationsOf, serverIdOf } from "../../schemas/lock/operations.ts";
import { schemaProblemsOf } from "../../engine/declarations.ts";
import { asWord, findSameNames } from "../../schemas/text/same-names.ts";
import { hasInvisibleText } from "../../schemas/text/visible-text.ts";

/** `codemode lock`: snapshots servers into the lockfile, or with `--check` only compares. */
export const lock: Command = async (invocation) => {
  const { args, options, context } = invocation;
  const { output, verbose } = context;
  const check = options.has("check");
  if (options.has("repair") && (check || args.length > 0)) {
    throw optionInvalid(
      "--repair",
      "it cannot be combined with --check or names of servers: it locks all broken entries",
    );
  }
  const project = await openProjectHere(context);
  const progress = context.showProgress("Locking", options.has("json"));
  const watch = { onProgress: progress.update };
  const locking = options.has("repair") ? project.repair(watch) : project.lock({ ...watch, servers: args, check });
  const result = await locking.finally(progress.end);
  if (result === undefined) {
    output.note("The lockfile is valid: nothing to repair.");
    return 0;
  }
  const { lockfile, changes, failures, problems, warnings } = result;
  for (const [serverId, problem] of "broken" in result ? result.broken : []) {
    output.note(oneLine(`${serverId}: not taken over: ${problem}`));
  }
  for (const [serverId, shapes] of "brokenShapes" in result ? result.brokenShapes : []) {
    for (const problem of shapes) output.note(oneLine(`${serverId}: left out: ${problem}`));
  }
  if (options.has("json")) output.result(JSON.stringify({ changes, failures: listFailures(failures) }, null, 2));
  else for (const line of describeLock(result)) output.note(line);
  if (lockfile.servers.size === 0 && failures.length === 0) output.note(NO_SERVERS);
  for (const line of warnings) output.note(oneLine(line));
  for (const line of printProblems(lockfile, problems)) output.note(line);
  reportFailures(failures, output, verbose);
  if (failures.length > 0 || !check || changes.length === 0) return exitCodeOfLock(result);
  const drifted = changes.map(({ serverId }) => serverId);
  return reportError(lockDrifted(drifted), output, verbose);
};

const NO_SERVERS =
  "The configuration has no servers. Add one with `codemode add NAME -- COMMAND`, or those of your clients with `codemode init` in a new folder.";

/** A line for each tool that is less than its server meant it to be, or that hides something from its reader. */
function printProblems(
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
    ...printSameNames(lockfile),
    ...printFloating(lockfile),
  ];
  return lines.map((line) => `warning: ${oneLine(line)}`);
}

function printDropped(serverId: string, { reason, position, name, list: other }: ToolListProblem): string {
  const list = other ?? "tools";
  if (reason === "not-listed" || reason === "repeated-cursor") return `${serverId}: ${REASONS[reason](list)}`;
  const kind = KINDS[list];
  const what = name === undefined ? `entry ${position} of the ${kind} list` : `the ${kind} "${name}"`;
  return `${serverId}: ${what} was left out (${REASONS[reason](kind)})`;
}

const KINDS = { tools: "tool", resources: "resource template", prompts: "prompt" };

const REASONS: Record<ToolListProblem["reason"], (what: string) => string> = {
  "app-only": () => "its server keeps it for the page of an MCP App, which calls it for a person",
  "bad-arguments": () => "its arguments are not a list of different names",
  "bad-template": () => "no URI can be made of it, or it has no name",
  "duplicate-name": (kind) => `an earlier ${kind} has the same name`,
  "invalid-header": () => "its annotations for HTTP headers break the rules of MCP",
  "needs-task": () => "it can only be called as a task, and the server does not say that it takes tasks",
  "no-name": () => "it has no name",
  "not-an-object": () => "it is not an object",
  "not-listed": (list) => `its ${list} could not be listed; its tools are locked all the same`,
  "repeated-cursor": (list) =>
    `its list of ${list} repeats a cursor and would never end; it is used as far as it came, so some may be missing`,
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

/** Two tools whose names look the same are two exports that look the same. */
function printSameNames(lockfile: Lockfile): string[] {
  return [...lockfile.servers.values()].flatMap(({ id, ...server }) => {
    const same = findSameNames(
      operationsOf(server).map(({ name }) => name),
      asWord,
    );
    return same === undefined ? [] : [`${id}: two of its tools are called ${same[0]} to the eye`];
  });
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

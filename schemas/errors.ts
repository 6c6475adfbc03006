import { ACCESS_HINTS } from "./access/access-hints.ts";
import { listSome } from "./list-some.ts";
import { CodemodeError } from "./codemode-error.ts";

// One factory per mistake, sorted by name. Texts must not hold values of variables or headers.

/** `bundle --check`, or `check` of a script that names its source: the pinned bundle is another one than it would be now. */
export const bundleOutdated = (file: string, script: string, change: string): CodemodeError =>
  new CodemodeError(
    "BUNDLE_OUTDATED",
    3,
    `${file} does not follow from ${script}: ${change}.`,
    "Make it again with `codemode bundle`, and commit the result.",
  );

/** A file of an MCP client cannot take our entry. */
export const clientFileRefused = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("CLIENT_FILE_REFUSED", 2, `${file}: ${problem}`, hint);

/** `install` for a client that we do not know. */
export const clientUnknown = (name: string, nearest: string | undefined, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "CLIENT_UNKNOWN",
    2,
    `There is no client "${name}".`,
    `${nearest === undefined ? "" : `Did you mean "${nearest}"? `}Known: ${known.join(", ")}.`,
  );

/** The configuration is not JSON. */
export const configBroken = (file: string, reason: string): CodemodeError =>
  new CodemodeError("CONFIG_BROKEN", 2, `${file} is not valid JSON: ${reason}`, "Mend the syntax at that place.");

/** `init` where there is a configuration already. */
export const configExists = (file: string): CodemodeError =>
  new CodemodeError(
    "CONFIG_EXISTS",
    2,
    `${file} exists already.`,
    "Add servers to it with `codemode add`, or remove it first.",
  );

/** The configuration is JSON, but not what the schema wants. */
export const configInvalid = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("CONFIG_INVALID", 2, `${file}: ${problem}`, hint);

/** No configuration in the folder. */
export const configMissing = (folder: string, tried: readonly string[]): CodemodeError =>
  new CodemodeError(
    "CONFIG_MISSING",
    2,
    `No configuration found in ${folder} (tried ${tried.join(", ")}).`,
    'Write a codemode.config.json with an "mcpServers" object, or name a file with --config.',
  );

/** A method of an engine after its `close`. */
export const engineClosed = (): CodemodeError =>
  new CodemodeError("ENGINE_CLOSED", 2, "The engine is closed.", "Open another one with `project.openEngine()`.");

/** `describeTool` or `connectTo` of an engine that was opened for one script or for calls alone. */
export const engineForOneScript = (): CodemodeError =>
  new CodemodeError(
    "ENGINE_LIMITED",
    2,
    "The engine was opened for one script or for calls alone.",
    "Open one without `script` and `callsOnly` to serve scripts of agents.",
  );

/** A file that the user named cannot be read or written. */
export const fileInaccessible = (file: string, reason: string): CodemodeError =>
  new CodemodeError(
    "FILE_INACCESSIBLE",
    2,
    `Cannot access ${file}: ${reason}`,
    ACCESS_HINTS.get(reason) ?? "Check the path and its permissions.",
  );

/** `generate --check` found differences. */
export const generatedOutdated = (paths: readonly string[]): CodemodeError =>
  new CodemodeError(
    "GENERATED_OUTDATED",
    3,
    `${paths.length} generated file(s) do not follow from the lockfile: ${listSome(paths)}`,
    "Run `codemode generate` and commit the result.",
  );

/** An option's value is not of its form. */
export const invalidOption = (option: string, problem: string): CodemodeError =>
  new CodemodeError("INVALID_OPTION", 2, `${option}: ${problem}`, "See `codemode COMMAND --help`.");

/** `lock --check` found differences. */
export const lockDrifted = (serverIds: readonly string[]): CodemodeError =>
  new CodemodeError(
    "LOCK_DRIFT",
    3,
    `The lockfile no longer matches: ${serverIds.join(", ")}`,
    "Review the changes above, then accept them with `codemode lock`.",
  );

/** The lockfile is broken, edited by hand, unmerged, or of a newer version. */
export const lockfileInvalid = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("LOCKFILE_INVALID", 2, `${file}: ${problem}`, hint);

/** The configuration was edited after the lockfile was written. */
export const lockfileOutdated = (mismatches: readonly { serverId: string; problem: string }[]): CodemodeError =>
  new CodemodeError(
    "LOCKFILE_OUTDATED",
    3,
    `The lockfile does not follow from the configuration: ${listSome(mismatches.map(({ serverId, problem }) => `${serverId} (${problem})`))}`,
    `Run \`codemode lock ${mismatches.map(({ serverId }) => serverId).join(" ")}\`, and review what changed.`,
  );

/** A pinned bundle that is broken, changed, or of a newer version. */
export const pinnedBundleInvalid = (file: string, problem: string): CodemodeError =>
  new CodemodeError(
    "BUNDLE_INVALID",
    2,
    `${file}: ${problem}.`,
    "Make it again with `codemode bundle`, or restore the file from where you have it.",
  );

/** A file of inputs in which a line is no JSON. */
export const inputsInvalid = (file: string, line: number, problem: string): CodemodeError =>
  new CodemodeError(
    "INPUTS_INVALID",
    2,
    `${file}:${line}: it is not JSON: ${problem}`,
    "Write one JSON value on each line.",
  );

/** `--frozen` without a lockfile. */
export const lockfileMissing = (file: string): CodemodeError =>
  new CodemodeError(
    "LOCKFILE_MISSING",
    3,
    `There is no lockfile at ${file}.`,
    "Run `codemode lock` and commit the result.",
  );

/** The output folder holds something else, which must not be overwritten. */
export const outputNotOurs = (folder: string): CodemodeError =>
  new CodemodeError(
    "OUTPUT_NOT_OURS",
    2,
    `${folder} exists and was not generated by codemode.`,
    "Choose an empty folder with --out, or remove that one.",
  );

/** `outputs` names a tool that no server has. */
export const outputUnknown = (name: string, nearest: string | undefined): CodemodeError =>
  new CodemodeError(
    "OUTPUT_UNKNOWN",
    2,
    `"outputs" in the configuration names the tool "${name}", which no server has.`,
    nearest === undefined ? "Write serverId/toolName, as `codemode tools` lists them." : `Did you mean "${nearest}"?`,
  );

/** `pack` of a server whose entry looks as if it held a secret. Without its value. */
export const secretInPackage = (
  serverName: string,
  places: readonly string[],
  variables: readonly string[],
): CodemodeError =>
  new CodemodeError(
    "SECRET_IN_PACKAGE",
    2,
    `Server "${serverName}": what looks like a secret stands in ${places.join(", ")}, and must not be published.`,
    `Write ${variables.map((variable) => `\${${variable}}`).join(", ")} there, set it, and run \`codemode lock\`; if it is no secret, list the place under "notSecret" of the server.`,
  );

/** `add` with a name that is taken. */
export const serverExists = (name: string): CodemodeError =>
  new CodemodeError(
    "SERVER_EXISTS",
    2,
    `A server "${name}" is configured already.`,
    "Choose another name, or edit the configuration.",
  );

/** A run is over, and what was to be kept of it cannot be written. */
export const runNotKept = (problem: string): CodemodeError =>
  new CodemodeError(
    "RUN_NOT_KEPT",
    1,
    `The script has run, but not all that was asked for is kept of it: ${problem}`,
    "What its tool calls have done stays done: think before you run it again.",
  );

/** A server that must be reached cannot be. The reason comes from the connection and is already redacted. */
export const serverUnavailable = (serverName: string, reason: string, hint: string): CodemodeError =>
  new CodemodeError("SERVER_UNAVAILABLE", 1, `Server "${serverName}": ${reason}`, hint);

/** A tarball that is no server package, or not the one that it should be. */
export const packageInvalid = (file: string, problem: string): CodemodeError =>
  new CodemodeError(
    "PACKAGE_INVALID",
    2,
    `${file}: ${problem}.`,
    "Remove it, name another one with --previous, or choose another folder with --out.",
  );

/** A folder's servers would start, and this account has not consented. `starts` say what, and hold neither arguments nor values. */
export const projectUntrusted = (starts: readonly string[]): CodemodeError =>
  new CodemodeError(
    "PROJECT_UNTRUSTED",
    2,
    `This project is not trusted on this account, so nothing of it was started: ${listSome(starts)}.`,
    "Look at it with `codemode trust --list`, then run `codemode trust` once. For one command, add --trust or set CODEMODE_TRUST=1.",
  );

/** A recording that is broken, changed, or of a newer version. */
export const recordingInvalid = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("RECORDING_INVALID", 2, `${file}: ${problem}.`, hint);

/** More happened in a run than a recording holds. */
export const recordingTooLarge = (file: string): CodemodeError =>
  new CodemodeError(
    "RECORDING_TOO_LARGE",
    1,
    `${file} was not written: the calls of the run are too large for a recording.`,
    "Record a run over less data.",
  );

/** A word on the command line that is neither a file nor the name of a script. */
export const scriptUnknown = (name: string, nearest: string | undefined, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "SCRIPT_UNKNOWN",
    2,
    `There is no script "${name}", and no file of that name.`,
    nearest !== undefined
      ? `Did you mean "${nearest}"?`
      : known.length > 0
        ? `Configured: ${listSome(known)}.`
        : 'Name a file, or give it this name under "scripts" in the configuration.',
  );

/** A name on the command line that no configured server has. */
export const serverUnknown = (name: string, known: readonly string[]): CodemodeError =>
  new CodemodeError("SERVER_UNKNOWN", 2, `No server "${name}" is configured.`, `Configured: ${listSome(known)}.`);

/** A name on the command line that no tool of a server has. */
export const toolUnknown = (serverId: string, name: string, nearest: string | undefined): CodemodeError =>
  new CodemodeError(
    "TOOL_UNKNOWN",
    2,
    `The server "${serverId}" has no tool "${name}".`,
    nearest === undefined ? `\`codemode tools ${serverId}\` lists its tools.` : `Did you mean "${nearest}"?`,
  );

/** A placeholder names a variable that is not set. */
export const variableUnset = (serverName: string, variable: string): CodemodeError =>
  new CodemodeError(
    "VARIABLE_UNSET",
    2,
    `Server "${serverName}" needs the environment variable ${variable}, which is not set.`,
    `Set ${variable}, or give a default: \${${variable}:-value}.`,
  );

/** `pack --as` with a version that is not above the one before. */
export const versionTooLow = (version: string, previous: string): CodemodeError =>
  new CodemodeError("VERSION_TOO_LOW", 2, `--as ${version}: ${previous} is packed already.`, "Give a higher version.");

/** An engine for a client that the configuration does not have. */
export const servedClientUnknown = (name: string, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "SERVED_CLIENT_UNKNOWN",
    2,
    `"serve.clients" has no "${name}".`,
    known.length === 0 ? 'Add it to "serve.clients" of the configuration.' : `It has: ${known.join(", ")}.`,
  );

/** A call from a program that did not give a result. */
export const toolCallFailed = (message: string, hint: string): CodemodeError =>
  new CodemodeError("TOOL_CALL_FAILED", 1, message, hint);

/** A word that names a server, where one tool is needed. */
export const toolUnnamed = (word: string): CodemodeError =>
  new CodemodeError("TOOL_UNNAMED", 2, `"${word}" does not name one tool.`, "Name it as SERVER/TOOL.");

/** `bundle` of a script that is a pinned bundle already. */
export const scriptPinned = (name: string): CodemodeError =>
  new CodemodeError(
    "SCRIPT_PINNED",
    2,
    `${name} is a pinned bundle already.`,
    "Bundle the script that it was made from.",
  );

import { oneLine } from "./json/escape-invisible.ts";
import { listSome } from "./list-some.ts";
import { countOf } from "./text/count-of.ts";
import { toSourceLiteral } from "./text/visible-text.ts";
import { CodemodeError } from "./codemode-error.ts";
import { accessHint } from "./access-hints.ts";

// One factory per error, sorted by name (a noun and its state). Texts must not hold values of variables or headers.

/** An OpenAPI document cannot be added. Cause and hint are those of the program that reads it, and may quote the document. */
export const apiRefused = (document: string, cause: string, hint: string): CodemodeError =>
  new CodemodeError("API_REFUSED", 2, oneLine(`${document} cannot be added: ${cause}.`), oneLine(hint));

/** A pinned bundle is broken, was edited, or comes from a newer version. */
export const bundleInvalid = (file: string, problem: string): CodemodeError =>
  new CodemodeError(
    "BUNDLE_INVALID",
    2,
    `${file}: ${problem}.`,
    "Renew it with `codemode bundle`, or restore the file from version control.",
  );

/** `bundle --check`, or `check` of a script that names its source: the pinned bundle no longer matches the script. */
export const bundleOutdated = (file: string, script: string, change: string): CodemodeError =>
  new CodemodeError(
    "BUNDLE_OUTDATED",
    3,
    `${file} is out of date with ${script}: ${change}.`,
    "Renew it with `codemode bundle`, and commit the result.",
  );

/** The configuration file of an MCP client cannot take the entry of codemode. */
export const clientFileRefused = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("CLIENT_FILE_REFUSED", 2, `${file}: ${problem}`, hint);

/** `install` for an unknown client. */
export const clientUnknown = (name: string, nearest: string | undefined, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "CLIENT_UNKNOWN",
    2,
    `Unknown client "${name}".`,
    `${nearest === undefined ? "" : `Did you mean "${nearest}"? `}Known: ${known.join(", ")}.`,
  );

/** The configuration is not JSON. */
export const configBroken = (file: string, reason: string): CodemodeError =>
  new CodemodeError(
    "CONFIG_BROKEN",
    2,
    `${file} is not valid JSON: ${reason}`,
    "Fix the syntax error at that position.",
  );

/** `init` in a folder that has a configuration. */
export const configExists = (file: string): CodemodeError =>
  new CodemodeError(
    "CONFIG_EXISTS",
    2,
    `${file} already exists.`,
    "Add servers to it with `codemode add`, or remove it first.",
  );

/** The configuration is JSON that does not match the schema. */
export const configInvalid = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("CONFIG_INVALID", 2, `${file}: ${problem}`, hint);

/**
 * No configuration in the folder, nor in one above it.
 * @param refused files above the folder that another user can write
 */
export const configMissing = (
  folder: string,
  tried: readonly string[],
  [refused]: readonly string[] = [],
): CodemodeError =>
  refused === undefined
    ? new CodemodeError(
        "CONFIG_MISSING",
        2,
        `No configuration found in ${folder} or a folder above it (tried ${tried.join(", ")}).`,
        "Run `codemode init`, which writes codemode.config.json, or name a file with --config.",
      )
    : new CodemodeError(
        "CONFIG_MISSING",
        2,
        `No configuration found in ${folder}, and ${refused} above it is not used: another user can write it or its folder.`,
        "If it is yours, fix owner and permissions; or name it with --config.",
      );

/** There is no durable run of that id, or it is another client's. */
export const durableRunUnknown = (id: string): CodemodeError =>
  new CodemodeError(
    "RUN_UNKNOWN",
    2,
    `There is no durable run ${toSourceLiteral(id.slice(0, 64))}.`,
    "List the runs of this project with `codemode runs`.",
  );

/** A file of variables that the configuration names cannot be used; the message names its line and no value. */
export const envFileInvalid = (place: string, problem: string): CodemodeError =>
  new CodemodeError(
    "ENV_FILE_INVALID",
    2,
    `The file of variables ${place}: ${problem}.`,
    'Write one NAME=value in each line of it, or name another file in "envFile".',
  );

/** A feature was asked for that this build of codemode was made without. */
export const extraMissing = (name: string): CodemodeError =>
  new CodemodeError(
    "EXTRA_MISSING",
    2,
    `This build of codemode does not have the extra "${name}".`,
    "Install the published package, or build from a clone that has all folders of extras/.",
  );

/** A file that the user named cannot be read or written. */
export const fileInaccessible = (file: string, reason: string): CodemodeError =>
  new CodemodeError(
    "FILE_INACCESSIBLE",
    2,
    `Cannot access ${file}: ${reason}`,
    accessHint(reason) ?? "Check the path and its permissions.",
  );

/** A file has more bytes than any of its kind. */
export const fileTooLarge = (file: string, limitBytes: number): CodemodeError =>
  new CodemodeError(
    "FILE_TOO_LARGE",
    2,
    `${file} is larger than ${Math.round(limitBytes / 1024 / 1024)} MiB, and was not read.`,
    "Check that it is the file that you mean.",
  );

/** `generate --check` found differences. */
export const generatedOutdated = (paths: readonly string[]): CodemodeError =>
  new CodemodeError(
    "GENERATED_OUTDATED",
    3,
    `${countOf(paths.length, "generated file")} ${paths.length === 1 ? "is" : "are"} out of date: ${listSome(paths)}`,
    "Run `codemode generate` and commit the result.",
  );

/** A path of the project leads outside through a symbolic link. */
export const linkOutside = (file: string, place: string): CodemodeError =>
  new CodemodeError(
    "LINK_OUTSIDE",
    2,
    `${file} leads out of the project through a symbolic link to ${place}; nothing was written there.`,
    "Replace the link by a file or folder, or name another path.",
  );

/** `lock --check` found differences. */
export const lockDrifted = (serverIds: readonly string[]): CodemodeError =>
  new CodemodeError(
    "LOCK_DRIFT",
    3,
    `The lockfile no longer matches: ${serverIds.join(", ")}`,
    "Review the changes above, then accept them with `codemode lock`.",
  );

/** The lockfile is broken, edited by hand, has merge conflicts, or comes from a newer version. */
export const lockfileInvalid = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("LOCKFILE_INVALID", 2, `${file}: ${problem}`, hint);

/** `--frozen` without a lockfile. */
export const lockfileMissing = (file: string): CodemodeError =>
  new CodemodeError(
    "LOCKFILE_MISSING",
    3,
    `No lockfile found at ${file}.`,
    "Run `codemode lock` and commit the result.",
  );

/** The configuration was edited after the lockfile was written. */
export const lockfileOutdated = (mismatches: readonly { serverId: string; problem: string }[]): CodemodeError =>
  new CodemodeError(
    "LOCKFILE_OUTDATED",
    3,
    `The lockfile is out of date with the configuration: ${listSome(mismatches.map(({ serverId, problem }) => `${serverId} (${problem})`))}`,
    `Run \`codemode lock ${mismatches.map(({ serverId }) => serverId).join(" ")}\`, then review the changes.`,
  );

/** A file that the user named for its servers has none. */
export const noServersIn = (file: string, unread: readonly string[]): CodemodeError =>
  new CodemodeError(
    "CONFIG_INVALID",
    2,
    unread.length === 0
      ? `${file} contains no MCP servers in a form that codemode knows.`
      : `${file} contains no server that codemode can start or call (entries: ${listSome(unread)}).`,
    'Its servers belong under "mcpServers", "servers", "mcp", "context_servers", "mcp_servers" (TOML) or "extensions" (YAML), each with a command or a URL.',
  );

/** An option or an argument is missing, malformed, or conflicts with another one. */
export const optionInvalid = (option: string, problem: string, hint: string = SEE_HELP): CodemodeError =>
  new CodemodeError("INVALID_OPTION", 2, `${option}: ${problem}`, hint);

/** The command line puts the name of the command in. */
const SEE_HELP = "Run `codemode COMMAND --help` for the options of a command.";

/** A file that an option names is there, and is no earlier output of the same kind. */
export const outputForeign = (file: string, kind: string): CodemodeError =>
  new CodemodeError(
    "OUTPUT_NOT_OURS",
    2,
    `${file} exists, and is no ${kind} of codemode. Nothing was written.`,
    "Name another file, or move this one away.",
  );

/** The output folder holds files that codemode did not write, and must not overwrite. */
export const outputNotOurs = (folder: string): CodemodeError =>
  new CodemodeError(
    "OUTPUT_NOT_OURS",
    2,
    `${folder} exists and was not generated by codemode.`,
    "Choose an empty folder with --out, or remove this one.",
  );

/** `outputs` names a tool that no server has. */
export const outputUnknown = (name: string, nearest: string | undefined): CodemodeError =>
  new CodemodeError(
    "OUTPUT_UNKNOWN",
    2,
    `"outputs" in the configuration names the unknown tool "${name}".`,
    nearest === undefined ? "Write serverId/toolName, as listed by `codemode tools`." : `Did you mean "${nearest}"?`,
  );

/** The program's own servers are not as they were locked, and must not change. */
export const ownServersChanged = (file: string, names: readonly string[]): CodemodeError =>
  new CodemodeError(
    "LOCKFILE_OUTDATED",
    3,
    `The program's own servers are not as ${file} has them: ${listSome(names)}`,
    "Run the program once without `frozen`, then review the changes of that file.",
  );

/** An optional package is needed and not installed. */
export const packageMissing = (need: string, name: string): CodemodeError =>
  new CodemodeError(
    "PACKAGE_MISSING",
    2,
    `${need} needs the package ${name}, which is not installed.`,
    `Install it where codemode is installed: npm install ${name}`,
  );

/** Servers would start in a folder that this account does not trust. `starts` names them, without arguments or values. */
export const projectUntrusted = (starts: readonly string[]): CodemodeError =>
  new CodemodeError(
    "PROJECT_UNTRUSTED",
    2,
    `This project is not trusted on this account, so its servers were not started: ${listSome(starts)}.`,
    "Review it with `codemode trust --list`, then run `codemode trust` once. For one command, add --trust or set CODEMODE_TRUST=1.",
  );

/** A recording is broken, was edited, or comes from a newer version. */
export const recordingInvalid = (file: string, problem: string, hint: string): CodemodeError =>
  new CodemodeError("RECORDING_INVALID", 2, `${file}: ${problem}.`, hint);

/** The calls of a run exceed the size of a recording. */
export const recordingTooLarge = (file: string): CodemodeError =>
  new CodemodeError(
    "RECORDING_TOO_LARGE",
    1,
    `${file} was not written: the tool calls of the run are too large for a recording.`,
    "Record a run with less data.",
  );

/** A run has ended, and its recording or report cannot be written. */
export const runNotKept = (problem: string): CodemodeError =>
  new CodemodeError(
    "RUN_NOT_KEPT",
    1,
    `The script has run, but its recording or report could not be written: ${problem}`,
    "Its tool calls have taken effect: check that they are safe to repeat before you run it again.",
  );

/** An argument is neither a file nor the name of a configured script. */
export const scriptUnknown = (name: string, nearest: string | undefined, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "SCRIPT_UNKNOWN",
    2,
    `No script or file "${name}" found.`,
    nearest !== undefined
      ? `Did you mean "${nearest}"?`
      : known.length > 0
        ? `Configured: ${listSome(known)}.`
        : 'Give the path of a file, or add the name under "scripts" in the configuration.',
  );

/** `add` with a name that is in use. */
export const serverExists = (name: string): CodemodeError =>
  new CodemodeError(
    "SERVER_EXISTS",
    2,
    `A server "${name}" is already configured.`,
    `Choose another name, or remove that one first: \`codemode remove ${name}\`.`,
  );

/** A server.json that cannot be added as it is. The problem may quote it. */
export const serverJsonInvalid = (problem: string): CodemodeError =>
  new CodemodeError(
    "SERVER_JSON_INVALID",
    2,
    oneLine(`The server.json cannot be added: ${problem}.`),
    "Read what its author documents, and add the server with -- COMMAND [ARGS...] or --url.",
  );

/** A server.json, or the registry's answer, that cannot be had. `where` is a file, an address or a name. */
export const serverJsonUnavailable = (where: string, reason: string): CodemodeError =>
  new CodemodeError(
    "SERVER_JSON_UNAVAILABLE",
    1,
    oneLine(`No server.json can be read from ${where}: ${reason}.`),
    "Check the name, or give the file or address with --from.",
  );

/** A required server is unavailable. The reason comes from the connection and is already redacted. */
export const serverUnavailable = (serverName: string, reason: string, hint: string): CodemodeError => {
  // What a connection says begins with the name of its server.
  const said = reason.startsWith(`server "${serverName}" `)
    ? `S${reason.slice(1)}`
    : `Server "${serverName}": ${reason}`;
  return new CodemodeError("SERVER_UNAVAILABLE", 1, /[.!?]$/.test(said) ? said : `${said}.`, hint);
};

/** An argument names a server that is not configured. */
export const serverUnknown = (name: string, known: readonly string[]): CodemodeError =>
  new CodemodeError(
    "SERVER_UNKNOWN",
    2,
    `No server "${name}" is configured.`,
    known.length === 0 ? "No server is configured: add one with `codemode add`." : `Configured: ${listSome(known)}.`,
  );

/** A text that a user gave is not UTF-8. */
export const textUndecodable = (shown: string, problem: string): CodemodeError =>
  new CodemodeError(
    "TEXT_UNDECODABLE",
    2,
    `Cannot read ${shown}: ${problem}.`,
    "Save it as UTF-8; in PowerShell, for instance, with `Set-Content -Encoding utf8`.",
  );

/** An argument names a tool that the server does not have. */
export const toolUnknown = (serverId: string, name: string, nearest: string | undefined): CodemodeError =>
  new CodemodeError(
    "TOOL_UNKNOWN",
    2,
    `The server "${serverId}" has no tool "${name}".`,
    nearest === undefined ? `Run \`codemode tools ${serverId}\` to list its tools.` : `Did you mean "${nearest}"?`,
  );

/** A placeholder names an environment variable that is not set. */
export const variableUnset = (serverName: string, variable: string): CodemodeError =>
  new CodemodeError(
    "VARIABLE_UNSET",
    2,
    `Server "${serverName}" needs the environment variable ${variable}, which is not set.`,
    `Set ${variable}, write it into a file that "envFile" of the server names, or add a default: \${${variable}:-value}.`,
  );

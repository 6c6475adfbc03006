import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as programFactories from "../../library/errors.ts";
import * as batchFactories from "../../extras/batch/batch-errors.ts";
import * as commandLineFactories from "../../schemas/command-line-errors.ts";
import * as factories from "../../schemas/errors.ts";
import * as packageFactories from "../../extras/publish/package-errors.ts";
import * as serveFactories from "../../schemas/config/serve-errors.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";

const FACTORIES = new Map(
  Object.entries({
    ...factories,
    ...batchFactories,
    ...commandLineFactories,
    ...packageFactories,
    ...serveFactories,
    ...programFactories,
  }),
);

const MISMATCHES = [
  { serverId: "a", problem: "p" },
  { serverId: "b", problem: "q" },
];

/** Each factory with its arguments, its code, its exit code, and what its cause and its hint say of the arguments. */
const ERRORS: [factory: string, args: unknown[], code: string, exitCode: number, cause: RegExp, hint: RegExp][] = [
  ["apiRefused", ["./a.yaml", "c", "h"], "API_REFUSED", 2, /^\.\/a\.yaml cannot be added: c\.$/, /^h$/],
  ["approvalAnswered", ["0a"], "APPROVAL_UNKNOWN", 2, /"0a"/, /first one/],
  ["approvalNotPersonal", ["p", "h"], "APPROVAL_NOT_PERSONAL", 2, /not given: p\.$/, /^h$/],
  ["approvalsNotSetUp", [], "APPROVALS_NOT_SET_UP", 2, /no passphrase is set/, /--setup/],
  ["approvalStale", ["0a"], "APPROVAL_UNKNOWN", 2, /Another question has the id "0a" now/, /read it/],
  ["approvalUnknown", ["0a"], "APPROVAL_UNKNOWN", 2, /"0a"/, /`codemode approvals`/],
  ["auditUnwritable", ["a.log"], "AUDIT_UNWRITABLE", 1, /a\.log cannot be written/, /folder/],
  ["batchNeedsStore", [], "INVALID_OPTION", 2, /^--batch: .* in "serve\.store"/, /"serve\.storeKey"/],
  ["bundleInvalid", ["f", "p"], "BUNDLE_INVALID", 2, /^f: p\.$/, /codemode bundle/],
  ["bundleOutdated", ["b", "s", "c"], "BUNDLE_OUTDATED", 3, /^b is out of date with s: c\.$/, /codemode bundle/],
  ["clientFileRefused", ["f", "p", "h"], "CLIENT_FILE_REFUSED", 2, /^f: p$/, /^h$/],
  ["clientUnknown", ["a", "b", ["b", "c"]], "CLIENT_UNKNOWN", 2, /"a"/, /^Did you mean "b"\? Known: b, c\.$/],
  ["clientUnknown", ["a", undefined, ["b", "c"]], "CLIENT_UNKNOWN", 2, /"a"/, /^Known: b, c\.$/],
  ["commandUnknown", ["rn", "run"], "COMMAND_UNKNOWN", 2, /"rn"/, /^Did you mean "run"\?$/],
  ["commandUnknown", ["xyz", undefined], "COMMAND_UNKNOWN", 2, /"xyz"/, /`codemode --help`/],
  ["configBroken", ["f", "r"], "CONFIG_BROKEN", 2, /^f is not valid JSON: r$/, /syntax/],
  ["configExists", ["f"], "CONFIG_EXISTS", 2, /^f already exists/, /codemode add/],
  ["configInvalid", ["f", "p", "h"], "CONFIG_INVALID", 2, /^f: p$/, /^h$/],
  [
    "configMissing",
    ["d", ["a", "b"]],
    "CONFIG_MISSING",
    2,
    /in d or a folder above it \(tried a, b\)/,
    /codemode init/,
  ],
  ["noServersIn", ["f.json", []], "CONFIG_INVALID", 2, /f\.json contains no MCP servers/, /mcpServers/],
  ["noServersIn", ["f.json", ["a"]], "CONFIG_INVALID", 2, /no server .*\(entries: a\)/, /mcpServers/],
  ["configMissing", ["d", ["a"], ["/x"]], "CONFIG_MISSING", 2, /\/x above it is not used/, /--config/],
  ["engineClosed", [], "ENGINE_CLOSED", 2, /closed/, /openEngine/],
  ["durableRunUnknown", ["a\u001b[31m"], "RUN_UNKNOWN", 2, /"a\\u001b\[31m"/, /codemode runs/],
  ["engineLimited", [], "ENGINE_LIMITED", 2, /one script/, /callsOnly/],
  [
    "envFileInvalid",
    ["f:3", "the line is bad"],
    "ENV_FILE_INVALID",
    2,
    /variables f:3: the line is bad\.$/,
    /NAME=value/,
  ],
  ["extraMissing", ["e"], "EXTRA_MISSING", 2, /does not have the extra "e"/, /extras\/\.$/],
  ["fileInaccessible", ["f", "EACCES"], "FILE_INACCESSIBLE", 2, /^Cannot access f: EACCES$/, /permissions/],
  ["fileInaccessible", ["f", "ENOSPC"], "FILE_INACCESSIBLE", 2, /^Cannot access f: ENOSPC$/, /full/],
  [
    "fileTooLarge",
    ["f", 33_554_432],
    "FILE_TOO_LARGE",
    2,
    /^f is larger than 32 MiB, and was not read\.$/,
    /the file that you mean/,
  ],
  ["generatedOutdated", [["a", "b"]], "GENERATED_OUTDATED", 3, /^2 .*: a, b$/, /codemode generate/],
  [
    "generatedOutdated",
    [["a", "b", "c", "d", "e"]],
    "GENERATED_OUTDATED",
    3,
    /^5 .*: a, b, c, d, e$/,
    /codemode generate/,
  ],
  [
    "generatedOutdated",
    [["a", "b", "c", "d", "e", "f", "g"]],
    "GENERATED_OUTDATED",
    3,
    /^7 .*: a, b, c, d, e and 2 more$/,
    /commit/,
  ],
  ["inputsInvalid", ["f", 3, "p"], "INPUTS_INVALID", 2, /^f:3 .*: p$/, /line/],
  ["textUndecodable", ["f", "it is UTF-16"], "TEXT_UNDECODABLE", 2, /f: it is UTF-16/, /UTF-8/],
  ["outputForeign", ["f", "journal"], "OUTPUT_NOT_OURS", 2, /^f exists, and is no journal/, /another file/],
  [
    "journalDiffers",
    ["f has the results of 2 inputs, of d."],
    "JOURNAL_DIFFERS",
    2,
    /f has .* 2 inputs, of d/,
    /--continue/,
  ],
  ["journalInUse", ["f", 7, "h"], "JOURNAL_IN_USE", 2, /Process 7 on h works with f/, /--journal/],
  ["listenFailed", ["a:1", "EADDRINUSE"], "LISTEN_FAILED", 1, /^a:1 is in use/, /--http \[HOST:\]PORT/],
  ["listenFailed", ["a:1", "EACCES", "--port N"], "LISTEN_FAILED", 1, /on a:1: EACCES$/, /: --port N\./],
  ["lockDrifted", [["a", "b"]], "LOCK_DRIFT", 3, /: a, b$/, /codemode lock/],
  ["lockfileInvalid", ["f", "p", "h"], "LOCKFILE_INVALID", 2, /^f: p$/, /^h$/],
  ["lockfileMissing", ["f"], "LOCKFILE_MISSING", 3, / f\.$/, /codemode lock/],
  ["lockfileOutdated", [MISMATCHES], "LOCKFILE_OUTDATED", 3, /: a \(p\), b \(q\)$/, /codemode lock a b`/],
  [
    "linkOutside",
    ["f", "p"],
    "LINK_OUTSIDE",
    2,
    /^f leads out of the project through a symbolic link to p;/,
    /another path/,
  ],
  ["optionInvalid", ["--x", "p"], "INVALID_OPTION", 2, /^--x: p$/, /--help/],
  ["optionUnknown", ["--x", "--y", "run"], "OPTION_UNKNOWN", 2, /--x of `codemode run`/, /^Did you mean --y\?$/],
  ["optionUnknown", ["--x", undefined, "run"], "OPTION_UNKNOWN", 2, /--x/, /`codemode run --help`/],
  ["optionUnknown", ["--x", undefined, undefined], "OPTION_UNKNOWN", 2, /^Unknown option --x\.$/, /`codemode --help`/],
  [
    "passphraseNotSet",
    ["it is short", "Choose another one."],
    "APPROVALS_NOT_SET_UP",
    2,
    /not set: it is short/,
    /Choose/,
  ],
  [
    "serverCommandBare",
    ["n", "p"],
    "INVALID_OPTION",
    2,
    /^codemode add: .* after --$/,
    /`codemode add n -- p …`.*npx codemode/,
  ],
  ["outputNotOurs", ["d"], "OUTPUT_NOT_OURS", 2, /^d exists/, /--out/],
  ["packageMissing", ["A thing", "p"], "PACKAGE_MISSING", 2, /^A thing needs the package p,/, /npm install p$/],
  ["outputUnknown", ["a/b", undefined], "OUTPUT_UNKNOWN", 2, /"a\/b"/, /serverId\/toolName/],
  ["ownServersChanged", ["a.json", ["b"]], "LOCKFILE_OUTDATED", 3, /not as a\.json has them: b/, /without `frozen`/],
  ["outputUnknown", ["a/b", "a/c"], "OUTPUT_UNKNOWN", 2, /"a\/b"/, /^Did you mean "a\/c"\?$/],
  ["packageDiffers", ["a", "1.0.0"], "PACKAGE_DIFFERS", 1, /^a 1\.0\.0 is not what/, /another generator/],
  ["packageInvalid", ["f", "p"], "PACKAGE_INVALID", 2, /^f: p\.$/, /--previous/],
  ["projectUntrusted", [["a"]], "PROJECT_UNTRUSTED", 2, /: a\.$/, /codemode trust/],
  ["recordingInvalid", ["f", "p", "h"], "RECORDING_INVALID", 2, /^f: p\.$/, /^h$/],
  ["recordingTooLarge", ["f"], "RECORDING_TOO_LARGE", 1, /^f was not written/, /less/],
  ["runNotKept", ["p"], "RUN_NOT_KEPT", 1, /: p$/, /have taken effect/],
  ["scriptPinned", ["s"], "SCRIPT_PINNED", 2, /^s is already/, /Bundle/],
  ["scriptUnknown", ["a", "b", ["c"]], "SCRIPT_UNKNOWN", 2, /"a"/, /^Did you mean "b"\?$/],
  ["scriptUnknown", ["a", undefined, ["c"]], "SCRIPT_UNKNOWN", 2, /"a"/, /^Configured: c\.$/],
  ["scriptUnknown", ["a", undefined, []], "SCRIPT_UNKNOWN", 2, /"a"/, /"scripts"/],
  ["secretInPackage", ["s", ["p", "q"], ["A", "B"]], "SECRET_IN_PACKAGE", 2, /"s".*p, q/, /\$\{A\}, \$\{B\}/],
  ["servedClientUnknown", ["a", []], "SERVED_CLIENT_UNKNOWN", 2, /"a"/, /^Add it/],
  ["serverExists", ["s"], "SERVER_EXISTS", 2, /"s"/, /another name/],
  ["serverJsonInvalid", ["p\nq"], "SERVER_JSON_INVALID", 2, /: p q\.$/, /-- COMMAND/],
  ["serverJsonUnavailable", ["w", "r"], "SERVER_JSON_UNAVAILABLE", 1, /from w: r\.$/, /--from/],
  ["serverUnavailable", ["s", "r", "h"], "SERVER_UNAVAILABLE", 1, /^Server "s": r\.$/, /^h$/],
  ["serverUnavailable", ["s", 'server "s" is off', "h"], "SERVER_UNAVAILABLE", 1, /^Server "s" is off\.$/, /^h$/],
  ["serverUnconfirmed", ["s", ["a", "b"]], "PROJECT_UNTRUSTED", 2, /"s".*: a; b\.$/, /--trust/],
  ["serverUnknown", ["s", []], "SERVER_UNKNOWN", 2, /"s"/, /`codemode add`/],
  ["serverUnknown", ["s", ["a", "b"]], "SERVER_UNKNOWN", 2, /"s"/, /: a, b\./],
  ["serverLimit", ["s", 3], "SERVER_LIMIT", 1, /"s" .*\(3\)/, /serve\.maxServerProcesses/],
  ["tokenInvalid", ["o", "p"], "TOKEN_INVALID", 2, / o p\.$/, /openssl/],
  ["tokenNeeded", ["h"], "TOKEN_NEEDED", 2, /^--http: h .*network/, /"serve.token" or "serve.clients"/],
  ["tokenNeeded", ["h", "--metrics", "k"], "TOKEN_NEEDED", 2, /^--metrics: h .*network/, /^Set k /],
  ["storeInvalid", ["store", "is odd"], "STORE_INVALID", 2, /"serve.store" is odd\./, /postgres:/],
  ["storeInvalid", ["storeKey", "is odd"], "STORE_INVALID", 2, /"serve.storeKey" is odd\./, /openssl/],
  [
    "storeUnreachable",
    ["p", { code: "ECONNREFUSED" }],
    "STORE_UNREACHABLE",
    1,
    / p cannot be used: ECONNREFUSED$/,
    /Start it/,
  ],
  ["tokenUnset", ["o", "V"], "TOKEN_UNSET", 2, / o .* V,/, /^Set V /],
  ["engineClosed", [], "ENGINE_CLOSED", 2, /closed/, /openEngine/],
  ["engineLimited", [], "ENGINE_LIMITED", 2, /one script/, /without `script`/],
  ["nodeRequired", ["c", "h"], "NODE_REQUIRED", 2, /^c$/, /^h$/],
  ["runNotDurable", [], "RUN_NOT_DURABLE", 2, /recorded, or a dry run/, /without `durable`/],
  ["runKeyInvalid", ["a\u001b[31m"], "RUN_KEY_INVALID", 2, /^"a\\u001b\[31m" cannot/, /128/],
  ["scriptPinned", ["s.json"], "SCRIPT_PINNED", 2, /^s\.json/, /script/],
  ["servedClientUnknown", ["c", []], "SERVED_CLIENT_UNKNOWN", 2, /"c"/, /Add it/],
  ["servedClientUnknown", ["c", ["d"]], "SERVED_CLIENT_UNKNOWN", 2, /"c"/, /d/],
  ["toolCallFailed", ["m", "h"], "TOOL_CALL_FAILED", 1, /^m$/, /^h$/],
  ["toolUnnamed", ["s"], "TOOL_UNNAMED", 2, /"s"/, /SERVER\/TOOL/],
  ["toolUnknown", ["s", "t", undefined], "TOOL_UNKNOWN", 2, /"s".*"t"/, /codemode tools s`/],
  ["toolUnknown", ["s", "t", "u"], "TOOL_UNKNOWN", 2, /"s".*"t"/, /^Did you mean "u"\?$/],
  ["variableUnset", ["s", "V"], "VARIABLE_UNSET", 2, /"s".* V,/, /\$\{V:-value\}/],
  ["versionTooLow", ["1.0.0", "1.0.1"], "VERSION_TOO_LOW", 2, /1\.0\.0: 1\.0\.1/, /higher/],
];

test.each(ERRORS)("%s(%j) is %s", (factory, args, code, exitCode, cause, hint) => {
  const error = (FACTORIES.get(factory) as (...args: unknown[]) => CodemodeError)(...args);
  expect(error).toBeInstanceOf(CodemodeError);
  expect(error).toMatchObject({ name: "CodemodeError", code, exitCode });
  expect(error.message).toMatch(cause);
  expect(error.hint).toMatch(hint);
});

test.each(
  Object.entries({
    "schemas/errors.ts": factories,
    "schemas/command-line-errors.ts": commandLineFactories,
    "schemas/config/serve-errors.ts": serveFactories,
    "library/errors.ts": programFactories,
  }),
)("the factories of %s are sorted by name", (file) => {
  const names = [...readFileSync(file, "utf8").matchAll(/^export const (\w+)/gm)].map(([, name]) => name as string);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
});

test("every factory is in the table", () => {
  expect([...FACTORIES.keys()].toSorted()).toEqual([...new Set(ERRORS.map(([factory]) => factory))].toSorted());
});

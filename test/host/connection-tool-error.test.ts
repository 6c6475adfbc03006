import { expect, test } from "vitest";
import { toServerDiagnostic, toToolError } from "../../runtime/host/connection-tool-error.ts";
import { describeUnsetVariables } from "../../engine/variables.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { optionInvalid, variableUnset } from "../../schemas/errors.ts";
import { ConnectionError, type ConnectionErrorKind } from "@codemode/runtime/connections/connection-error";

const call = { serverId: "drive", toolName: "search", input: {} };

function failure(kind: ConnectionErrorKind): ConnectionError {
  return new ConnectionError(kind, "/home/me/bin/drive failed", { serverName: "drive", hint: "See /home/me/log" });
}

test.each<[ConnectionErrorKind, errorClass: string, hint: RegExp]>([
  ["unauthorized", "AuthenticationError", /codemode login drive/],
  ["forbidden", "AuthenticationError", /access/],
  ["timeout", "ToolCallError", /less/],
  ["closed", "ToolCallError", /again/],
  ["interrupted", "ToolCallError", /again/],
  ["too-large", "ToolCallError", /less/],
  ["command-not-found", "ServerNotFoundError", /codemode lock drive/],
  ["unreachable", "ServerNotFoundError", /codemode lock drive/],
])("%s is %s to a script, without a word of the host machine", (kind, errorClass, hint) => {
  const error = toToolError(failure(kind), call);
  expect(error).toMatchObject({ errorClass, hint: expect.stringMatching(hint) });
  expect(JSON.stringify(error)).not.toContain("/home/me");
});

test("a server's own error is passed on", () => {
  const error = new ConnectionError("rpc-error", "No such folder", {
    serverName: "drive",
    hint: "Check it.",
    code: -32602,
  });
  expect(toToolError(error, call)).toEqual({
    errorClass: "ToolCallError",
    message: "No such folder",
    hint: "Check it.",
  });
});

test("what is unknown says no more than that the server was not reached", () => {
  expect(toToolError(new Error("/home/me"), call)).toMatchObject({ errorClass: "ServerNotFoundError" });
  expect(toServerDiagnostic(failure("start-failed"), "drive", "agent")).toMatchObject({
    code: "SERVER_UNAVAILABLE",
    message: 'The server "drive" could not be reached (its program ended while it was starting).',
    hint: expect.not.stringContaining("/home/me"),
  });
});

test("a person reads the last words of a program that has ended while it was starting", () => {
  const ended = new ConnectionError(
    "start-failed",
    'server "drive" exited with code 2 before it was ready: error: the server cannot be reached: ECONNREFUSED',
    { serverName: "drive", hint: "Run its command by itself to see what it needs." },
  );
  expect(toServerDiagnostic(ended, "drive")).toMatchObject({
    message:
      'The server "drive" could not be reached: it exited with code 2 before it was ready: error: the server cannot be reached: ECONNREFUSED.',
    hint: "Run its command by itself to see what it needs.",
  });
});

test.each(["person", "agent"] as const)(
  "a variable that is not set is named to the %s, in findings and in errors of calls",
  (audience) => {
    const unset = variableUnset("drive", "DRIVE_TOKEN");
    const message =
      'The server "drive" could not be reached. Server "drive" needs the environment variable DRIVE_TOKEN, which is not set.';
    expect(toServerDiagnostic(unset, "drive", audience)).toMatchObject({ code: "SERVER_UNAVAILABLE", message });
    expect(toToolError(unset, call, audience)).toMatchObject({ errorClass: "ServerNotFoundError", message });
  },
);

test("an error is shown by its sentence, never by its code alone", () => {
  const invalid = optionInvalid('server "drive"', '"url" is not an absolute URL, such as https://host.example/mcp');
  for (const audience of ["person", "agent"] as const) {
    const { message } = toServerDiagnostic(invalid, "drive", audience);
    expect(message).toContain('"url" is not an absolute URL');
    expect(message).not.toContain("INVALID_OPTION");
  }
  const own = new CodemodeError("FILE_INACCESSIBLE", 2, "/home/me/cert cannot be read.", "Check it.");
  expect(toServerDiagnostic(own, "drive", "person").message).toContain("/home/me/cert");
  const said = JSON.stringify(toServerDiagnostic(own, "drive", "agent"));
  expect(said).not.toMatch(/home|FILE_INACCESSIBLE/);
});

test("each variable that is not set is a line with its server", () => {
  const config = toConfig(
    {
      mcpServers: {
        crm: { command: "crm", env: { KEY: "${CRM_KEY}", OTHER: "${CRM_URL:-x}" } },
        web: { url: "https://a.example/${A}/${B}" },
      },
    },
    "config.json",
    "/project",
  );
  expect(describeUnsetVariables(config, { B: "set" })).toEqual([
    expect.stringContaining('The server "crm" needs CRM_KEY, which is not set'),
    expect.stringContaining('The server "web" needs A, which is not set'),
  ]);
  expect(describeUnsetVariables(config, { A: "", B: "", CRM_KEY: "" })).toEqual([]);
});

test("an agent gets no command of a shell", () => {
  for (const kind of ["start-failed", "unauthorized"] as const) {
    expect(toToolError(failure(kind), call, "person").hint).toContain("`codemode ");
    expect(toToolError(failure(kind), call, "agent").hint).not.toContain("`codemode ");
  }
});

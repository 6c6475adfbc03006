import { expect, test } from "vitest";
import { toServerDiagnostic, toToolError } from "../../runtime/host/connection-tool-error.ts";
import { variableUnset } from "../../schemas/errors.ts";
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
  expect(toServerDiagnostic(failure("start-failed"), "drive")).toMatchObject({
    code: "SERVER_UNAVAILABLE",
    message: 'The server "drive" could not be reached (start-failed).',
  });
});

test("a variable that is not set is named to the person who wrote the configuration, and not to an agent", () => {
  const unset = variableUnset("drive", "DRIVE_TOKEN");
  expect(toServerDiagnostic(unset, "drive")).toMatchObject({
    code: "SERVER_UNAVAILABLE",
    message: expect.stringContaining("DRIVE_TOKEN, which is not set"),
    hint: expect.stringContaining("Set DRIVE_TOKEN"),
  });
  expect(JSON.stringify(toServerDiagnostic(unset, "drive", "agent"))).not.toContain("DRIVE_TOKEN");
});

test("an agent gets no command of a shell", () => {
  for (const kind of ["start-failed", "unauthorized"] as const) {
    expect(toToolError(failure(kind), call, "person").hint).toContain("`codemode ");
    expect(toToolError(failure(kind), call, "agent").hint).not.toContain("`codemode ");
  }
});

import { expect, test } from "vitest";
import { makeProject, runCodemode, SERVERS } from "./run-codemode.ts";

const mcpServers = { everything: SERVERS.everything, remote: { url: "http://127.0.0.1:9/mcp" } };

test.each([
  ["a server that is a program", "everything", 2, /only remote servers have a login/],
  ["a server that is not configured", "remot", 2, /No server "remot"/],
  ["a server that cannot be reached", "remote", 1, /Server "remote": /],
])("login to %s says so", async (_, name, code, cause) => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers } });
  const finished = await runCodemode(["login", name], { cwd, env: { XDG_STATE_HOME: cwd } });
  expect(finished).toMatchObject({ code, stdout: "" });
  expect(finished.stderr).toMatch(cause);
  expect(finished.stderr).toMatch(/\nhint: /);
});

test("logout without a login is no mistake", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers } });
  const finished = await runCodemode(["logout", "remote"], { cwd, env: { XDG_STATE_HOME: cwd } });
  expect(finished).toMatchObject({ code: 0, stderr: "There was no login to remote.\n" });
});

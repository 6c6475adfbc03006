import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "../e2e/open-commands.ts";
import { makeProject } from "../e2e/run-codemode.ts";
import { shareProject } from "../e2e/share-project.ts";
import { runForJson, testServer } from "./plain-node.ts";

const odd = testServer("misbehaving-server.mjs", "all-calls");

/** With all that goes into an approval, so that both sides have to make the same of it. */
const copyProject = shareProject({
  "codemode.config.json": {
    inheritEnv: ["OF_ALL"],
    envFile: "project.env",
    mcpServers: {
      odd: {
        ...odd,
        ...{ env: { ...odd.env, TOKEN: "${TOKEN:-none}" }, cwd: ".", inheritEnv: ["OF_ONE"], envFile: ["own.env"] },
      },
    },
  },
  "project.env": "TOKEN=of-project\nMODE=plain\n",
  "own.env": "OF_FILE=mine\nADDRESS=https://a.example\n",
});

const CALL = `
  import { echo } from "@codemode/servers/odd";
  console.log(JSON.stringify(await echo({ a: 1 }).catch(({ name, message, hint }) => ({ name, message, hint }))));`;

test("a configuration that was found on the way starts nothing before this account trusts it", async () => {
  const cwd = await copyProject();
  await rm(join(cwd, "pids"));
  const env = { CODEMODE_TRUST: "", XDG_STATE_HOME: await makeProject({}) };
  expect(await runForJson(cwd, CALL, env)).toEqual({
    name: "ServerNotFoundError",
    message: `The server "odd" of ${cwd} is not trusted on this account, so it was not started.`,
    hint: "Look at it with `codemode trust --list`, then run `codemode trust` there once; or set CODEMODE_TRUST=1.",
  });
  expect(existsSync(join(cwd, "pids"))).toBe(false);

  expect(await runForJson(cwd, CALL, { ...env, CODEMODE_TRUST: "1" })).toBe('{"a":1}');
  await typeCommand(["trust"], { cwd, env });
  expect(await runForJson(cwd, CALL, env)).toBe('{"a":1}');
});

test("a program that names the configuration decides for itself", async () => {
  const cwd = await copyProject();
  const connecting = `import { connect } from "@codemode/runtime/connect";
    await connect({ config: "codemode.config.json" });`;
  const env = { CODEMODE_TRUST: "", XDG_STATE_HOME: await makeProject({}) };
  expect(await runForJson(cwd, `${connecting}${CALL}`, env)).toBe('{"a":1}');
});

test("a server gets the variables that `inheritEnv` names and its `envFile` has, and no others", async () => {
  const cwd = await copyProject();
  const program = `
    import { environment } from "@codemode/servers/odd";
    const { OF_ALL, OF_ONE, OF_NONE, https_proxy, OF_FILE, MODE } = await environment().then(JSON.parse);
    console.log(JSON.stringify({ OF_ALL, OF_ONE, OF_NONE, https_proxy, OF_FILE, MODE }));`;
  const env = { OF_ALL: "a", OF_ONE: "b", OF_NONE: "c", https_proxy: "http://proxy:1" };
  const seen = { OF_ALL: "a", OF_ONE: "b", https_proxy: "http://proxy:1", OF_FILE: "mine" };
  expect(await runForJson(cwd, program, env)).toEqual(seen);
  const called = await typeCommand(["call", "odd/environment"], { cwd, env });
  expect(called).toMatchObject({ code: 0 });
  expect(JSON.parse(JSON.parse(called.stdout) as string)).toMatchObject(seen);
  expect(called.stdout).not.toContain("OF_NONE");
});

test("Node that is too old is named before anything else happens", async () => {
  const cwd = await copyProject();
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });`;
  const program = `${old}
    console.log(JSON.stringify(await import("@codemode/servers/odd").then(() => "loaded", ({ name, message }) => ({ name, message }))));`;
  expect(await runForJson(cwd, program)).toEqual({
    name: "CodemodeError",
    message: "@codemode/runtime needs Node 20.20 or later; this is Node 18.20.8.",
  });
});

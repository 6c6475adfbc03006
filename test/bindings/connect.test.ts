import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedProject, livingPids, runForJson, startedPids, testServer } from "./plain-node.ts";

const server = testServer("misbehaving-server.mjs", "all-calls");

/** A generated package in a project whose own configuration does not have the server any more. */
async function projectWithoutServer(): Promise<string> {
  const cwd = await generatedProject({ odd: server });
  await rm(join(cwd, "pids"));
  await writeFile(join(cwd, "codemode.config.json"), '{ "mcpServers": {} }');
  return cwd;
}

const PRELUDE = `
  import { connect, setCaller } from "@codemode/runtime/connect";
  import { CodemodeError, ToolCallError } from "@codemode/errors";
  import { echo } from "@codemode/servers/odd";
  const outcomes = [];
  const attempt = async (call) => outcomes.push(await call().catch(({ name, message }) => [name, message]));
  const entry = ${JSON.stringify(server)};
  process.on("beforeExit", () => console.log(JSON.stringify(outcomes.splice(0))) ?? process.exit());
`;

test("servers given in code are used until the connection is closed, which ends their processes", async () => {
  const cwd = await projectWithoutServer();
  const printed = await runForJson(
    cwd,
    `${PRELUDE}
     import { execSync } from "node:child_process";
     import { readFileSync } from "node:fs";
     await attempt(() => echo({ no: 1 }));
     {
       const connection = await connect({ servers: { Odd: entry } });
       await attempt(() => echo({ no: 2 }));
       await connection[Symbol.asyncDispose]();
     }
     const pid = Number(readFileSync("pids", "utf8"));
     let isAlive = true;
     try { process.kill(pid, 0); } catch { isAlive = false; }
     outcomes.push(isAlive);
     await attempt(() => echo({ no: 3 }));`,
  );
  const unknown = ["ServerNotFoundError", 'There is no server "odd".'];
  expect(printed).toEqual([unknown, '{"no":2}', false, unknown]);
  expect(startedPids(cwd)).toHaveLength(1);
});

test("the newest connection wins, and a connection without the server leaves it to the others", async () => {
  const cwd = await projectWithoutServer();
  await writeFile(join(cwd, "other.json"), JSON.stringify({ mcpServers: { odd: server } }));
  const printed = await runForJson(
    cwd,
    `${PRELUDE}
     const ofFile = await connect({ config: "other.json" });
     const ofOthers = await connect({ servers: { another: entry } });
     await attempt(() => echo({ from: "the file" }));
     const ofCaller = await connect({ call: async ({ serverId, toolName, input }) =>
       ({ content: [], structuredContent: { serverId, toolName, input } }) });
     await attempt(() => echo({ from: "the caller" }));
     ofCaller[Symbol.dispose]();
     await attempt(() => echo({ from: "the file again" }));
     setCaller(async () => ({ content: [{ type: "text", text: "set" }] }));
     await attempt(() => echo());
     setCaller(undefined);
     await attempt(() => echo({ from: "the file at last" }));`,
  );
  expect(printed).toEqual([
    '{"from":"the file"}',
    { serverId: "odd", toolName: "echo", input: { from: "the caller" } },
    '{"from":"the file again"}',
    "set",
    '{"from":"the file at last"}',
  ]);
  expect(livingPids(cwd)).toEqual([]);
});

test("a failing caller's error is a ToolCallError with the reason as its cause", async () => {
  const cwd = await projectWithoutServer();
  const printed = await runForJson(
    cwd,
    `${PRELUDE}
     const fail = (error) => setCaller(async () => { throw error; });
     const outcome = (error) => [error.name, error.message, error instanceof ToolCallError, error.cause?.message];
     for (const error of [new Error("offline"), Object.assign(new Error("who?"), { status: 401 })]) {
       fail(error);
       outcomes.push(await echo().catch(outcome));
     }
     fail(new CodemodeError("mine", { hint: "as it is" }));
     outcomes.push(await echo().catch(outcome));`,
  );
  expect(printed).toEqual([
    ["ToolCallError", 'The call of "echo" failed: offline', true, "offline"],
    ["AuthenticationError", 'The server "odd" refused the credentials (unauthorized).', true, "who?"],
    ["CodemodeError", "mine", false, null],
  ]);
});

test.each([
  ["a server without an address", "{ servers: { odd: {} } }", /configuration of the server "odd" cannot be used/],
  ["a file that is not there", '{ config: "nowhere.json" }', /nowhere\.json cannot be read: ENOENT/],
  ["a file that is not JSON", '{ config: "program.mjs" }', /program\.mjs cannot be read: Unexpected token/],
])("%s is reported immediately", async (_, options, message) => {
  const cwd = await projectWithoutServer();
  const printed = await runForJson(cwd, `${PRELUDE} await attempt(() => connect(${options}));`);
  expect(printed).toEqual([["CodemodeError", expect.stringMatching(message)]]);
});

test("a variable that is not set is named in the cause, and a fixed configuration is read again", async () => {
  const cwd = await projectWithoutServer();
  const printed = await runForJson(
    cwd,
    `${PRELUDE}
     await connect({ servers: { odd: { ...entry, env: { ...entry.env, TOKEN: "\${NO_SUCH_VARIABLE}" } } } });
     outcomes.push(await echo().catch(({ name, cause }) => [name, cause.message]));
     process.env.NO_SUCH_VARIABLE = "now it is";
     await attempt(() => echo({ a: 1 }));`,
  );
  expect(printed).toEqual([
    ["ServerNotFoundError", 'The server "odd" needs the environment variable NO_SUCH_VARIABLE.'],
    '{"a":1}',
  ]);
});

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";

/** Runs code through the command, with no server configured unless asked for. */
async function run(
  code: string,
  args: string[] = [],
  mcpServers: object = {},
): Promise<RunAnswer & { exitCode: number | null }> {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers }, "script.ts": code });
  const { stdout, code: exitCode } = await typeCommand(["run", "script.ts", "--json", ...args], { cwd });
  return { ...(JSON.parse(stdout) as RunAnswer), exitCode };
}

test("a server's pattern that takes an exponential time costs a script nothing, and is held against the input by the host", async () => {
  const answer = await run(
    `import { name } from "@codemode/servers/slow";
     const refused = await name({ text: "${"a".repeat(60)}!", ["${"x".repeat(60)}!"]: "" }).catch((error) => error);
     export default { refused: [refused.name, refused.pointer], taken: await name({ text: "${"a".repeat(60)}" }) };`,
    ["--timeout", "5000"],
    { slow: { command: process.execPath, args: [resolve("test/servers/slow-pattern.mjs")] } },
  );
  expect(answer).toMatchObject({
    result: { refused: ["SchemaValidationError", "/text"], taken: "a".repeat(60) },
    exitCode: 0,
  });
});

test("a time-out cancels the calls in flight: the server is notified, and the answer names the call and both limits", async () => {
  const hanging = {
    command: process.execPath,
    args: [resolve("test/servers/hanging-server.mjs"), "notifications.txt"],
  };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { hanging } },
    "script.ts": 'import { wait } from "@codemode/servers/hanging"; console.log("waiting"); await wait();',
  });
  const { stdout } = await typeCommand(["run", "script.ts", "--json", "--timeout", "700"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    logs: [{ message: "waiting" }],
    diagnostics: [
      {
        ...{ code: "SANDBOX_LIMIT", errorClass: "SandboxLimitError" },
        message: expect.stringMatching(
          /^The script did not end within timeoutMs \(700 ms\): it was waiting 0\.\d s for hanging\/wait$/,
        ),
        hint: expect.stringMatching(/"limits\.timeoutMs" \(--timeout\).*"timeoutMs" of "hanging" in "mcpServers"/),
      },
    ],
    toolTrace: [{ serverId: "hanging", toolName: "wait", ok: false }],
  });
  expect(await readFile(join(cwd, "notifications.txt"), "utf8")).toContain("notifications/cancelled\n");
});

test("a log line cannot command the terminal", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const { stderr } = await typeCommand(["run", "--eval", 'console.log("a\\u001b]0;title\\u0007b\\nc")'], { cwd });
  expect(stderr).toContain("a\\u001b]0;title\\u0007b\nc\n");
});

import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";
import { testOnLinux } from "../platforms/needs.ts";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { errorsOf } from "../../schemas/run/answer.ts";
import type { ServedAnswer } from "../../serve/surface.ts";
import { serveTo } from "./asking-client.ts";
import { connectLegacy, connectModern } from "./serve-clients.ts";
import { typeCommand } from "./open-commands.ts";
import { approveInTerminal, PASSPHRASE, runInTerminal } from "./own-terminal.ts";
import { makeProject, runCodemode, STAND_INS } from "./run-codemode.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { shareProject } from "./share-project.ts";

const ASKED = {
  mcpServers: { everything: STAND_INS.everything },
  policy: { ask: ["everything/get-sum"] },
  serve: { detachAfterMs: 300, durable: true },
};
const makeAskedProject = shareProject({ "codemode.config.json": ASKED });

const metered = (...args: string[]) => ({
  command: process.execPath,
  args: [resolve("test/servers/meta-server.mjs"), ...args],
});
const METERED = { meta: metered("calls.jsonl"), reads: metered("calls.jsonl", "reads") };

const CODE = `import { echo, get_sum } from "@codemode/servers/everything";
  const first = await echo({ message: "before" });
  export default [first, await get_sum({ a: 1, b: 2 }), Math.random() < 1];`;

/** Ends `codemode serve` as a crash does. */
function crash({ client }: Awaited<ReturnType<typeof serveTo>>): void {
  process.kill((client.transport as unknown as { pid: number }).pid, "SIGKILL");
}

testOnLinux("`script` and `setsid` of util-linux are a person's terminal")(
  "a run survives a crash of `serve` while its script waits for a person, who reads its code, and while its call does: its client gets the answer from the next one",
  async () => {
    const cwd = await makeAskedProject({
      "codemode.config.json": { ...ASKED, policy: { ask: ["everything/echo"], askEach: ["everything/get-sum"] } },
    });
    const env = await setPassphraseIn(`${cwd}/state`);
    const readList = async <Item>(command: string) =>
      JSON.parse((await typeCommand([command, "--json"], { cwd, env })).stdout) as Item[];
    const approvals = () => readList<Listed>("approvals");
    const first = await serveTo(cwd, env);
    const begun = await first.begin({ code: CODE });
    expect(begun.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "APPROVAL_REQUIRED",
        message: expect.stringContaining("The run waits for it, as long as that takes."),
      }),
    );
    expect(await approvals()).toMatchObject([
      { id: `${begun.runId}.1`, kind: "script", tools: ["everything/echo"], question: expect.any(Array) },
    ]);
    crash(first);

    const second = await serveTo(cwd, env);
    const waits = async (serving: typeof first) =>
      expect((await serving.call({ runId: begun.runId })).diagnostics.map(({ message }) => message)).toContain(
        "The run waits for a person.",
      );
    await waits(second);
    const { code, shown } = await approveInTerminal(`${begun.runId}.1`, cwd, env);
    expect(code).toBe(0);
    expect(shown).toContain("await get_sum({ a: 1, b: 2 })");
    await expect.poll(approvals, { timeout: 15_000 }).toMatchObject([{ id: `${begun.runId}.2`, kind: "call" }]);
    crash(second);
    // sleeps: until the system has ended a process that was killed
    await delay(100);
    expect(await readList("runs")).toMatchObject([{ id: begun.runId, state: "interrupted" }]);

    const third = await serveTo(cwd, env);
    await expect.poll(approvals, { timeout: 15_000 }).toHaveLength(1);
    await waits(third);
    expect(await approveInTerminal(`${begun.runId}.2`, cwd, env)).toMatchObject({ code: 0 });
    const result = ["Echo: before", "The sum of 1 and 2 is 3.", true];
    await expect
      .poll(async () => (await third.call({ runId: begun.runId })).result, { timeout: 10_000 })
      .toEqual(result);
    expect(await approvals()).toEqual([]);
    // The answer stays as long as the run is kept; no other id has one.
    expect((await third.call({ runId: begun.runId })).result).toEqual(result);
    expect((await third.call({ runId: "x".repeat(22) })).diagnostics).toMatchObject([{ code: "RUN_LOST" }]);
    const { stdout } = await typeCommand(["runs", begun.runId], { cwd, env });
    expect(stdout).toContain("call 1: everything/echo");
    expect(stdout.match(/call 1 sent/g)).toHaveLength(1);
    const removed = await typeCommand(["runs", begun.runId, "--prune"], { cwd, env });
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining("Removed 1 run.") });
    expect(await typeCommand(["runs"], { cwd, env })).toMatchObject({ stderr: "There are no durable runs.\n" });
  },
);

testOnLinux("`script` and `setsid` of util-linux are a person's terminal")(
  "a command without a terminal says what its run waits for, and a person answers from another folder while it waits or after it has ended",
  async () => {
    const cwd = await makeAskedProject({
      "codemode.config.json": { ...ASKED, policy: { askEach: ["everything/get-sum"] } },
    });
    const env = await setPassphraseIn(`${cwd}/state`);
    await writeFile(join(cwd, "sum.ts"), CODE);
    const elsewhere = await makeTestFolder();
    const listed = async () =>
      JSON.parse((await typeCommand(["approvals", "--json"], { cwd: elsewhere, env })).stdout) as Listed[];
    const running = runCodemode(["run", "sum.ts", "--durable"], { cwd, env });
    await expect.poll(async () => (await listed()).length, { timeout: 15_000 }).toBe(1);
    const [question] = await listed();
    expect(question).toMatchObject({ kind: "call", project: cwd, tools: ["everything/get-sum"] });
    expect(question?.id).toMatch(/^[\w-]{22}\.1$/);
    const shown = await approveInTerminal(question?.id ?? "", elsewhere, env);
    expect(shown).toMatchObject({ code: 0, shown: expect.stringContaining('"b": 2') });
    const ended = await running;
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/codemode approvals [\w-]{22}\.1 --approve/),
    });
    expect(ended.stdout).toContain("The sum of 1 and 2 is 3.");

    const left = await runCodemode(["run", "sum.ts", "--durable", "--wait", "0"], { cwd, env });
    expect(left).toMatchObject({ code: 4 });
    const [waiting] = await listed();
    const change = ["approvals", waiting?.id ?? "", "--change", '{"b":40}'];
    expect(await runInTerminal(change, { cwd: elsewhere, env, typed: [["Passphrase", PASSPHRASE]] })).toMatchObject({
      code: 0,
    });
    expect(await listed()).toEqual([]);
    const runId = waiting?.id.split(".")[0] ?? "";
    const resumed = await typeCommand(["runs", runId, "--resume"], { cwd, env });
    expect(resumed.stdout).toContain("The sum of 1 and 40 is 41.");
    // The same answer again is no mistake, and another one is.
    expect(await runInTerminal(change, { cwd: elsewhere, env })).toMatchObject({ code: 0 });
    expect(await runCodemode(["approvals", waiting?.id ?? "", "--refuse"], { cwd: elsewhere, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("has another answer already"),
    });
  },
);

test("a run that only reads leaves nothing, and one that may have changed something is kept", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: METERED, serve: { durable: true } } });
  const env = { XDG_STATE_HOME: `${cwd}/state` };
  await runCodemode(["lock"], { cwd, env });
  const serving = await serveTo(cwd, env);
  const run = (server: string) =>
    serving.call({
      code: `import { meta } from "@codemode/servers/${server}"; export default typeof (await meta({}));`,
    });
  const [read, changed] = [await run("reads"), await run("meta")];
  expect([read.result, read.runId]).toEqual(["object", undefined]);
  expect([changed.result, changed.runId]).toEqual(["object", expect.any(String)]);
  const { stdout } = await typeCommand(["runs", "--json"], { cwd, env });
  expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual([changed.runId]);
});

const FORMS = { elicitation: { form: {} } };

test("a client that shows forms gets the form of a durable script, in each revision, and nothing is kept of one that is refused", async () => {
  const cwd = await makeAskedProject();
  const env = { XDG_STATE_HOME: `${cwd}/state` };
  for (const connect of [connectLegacy, connectModern]) {
    const forms: string[] = [];
    const client = await connect(cwd, [], { capabilities: FORMS }, env);
    let approve = "Allow";
    const answer = async ({ params }: { params: { message: string } }) => {
      forms.push(params.message);
      return { action: "accept" as const, content: { approve } };
    };
    if (client instanceof ModernClient) client.setRequestHandler("elicitation/create", answer);
    else client.setRequestHandler(ElicitRequestSchema, answer);
    const run = async () =>
      (await client.callTool({ name: "codemode.run", arguments: { code: CODE } })).structuredContent as ServedAnswer;
    const wait = async (answer: ServedAnswer): Promise<ServedAnswer> =>
      answer.runId === undefined || errorsOf(answer.diagnostics).length > 0 || answer.result !== null
        ? answer
        : wait(
            (await client.callTool({ name: "codemode.run", arguments: { runId: answer.runId } }))
              .structuredContent as ServedAnswer,
          );
    expect((await wait(await run())).result).toEqual(["Echo: before", "The sum of 1 and 2 is 3.", true]);
    approve = "Do not allow";
    expect((await wait(await run())).diagnostics).toContainEqual(
      expect.objectContaining({ code: "APPROVAL_REQUIRED" }),
    );
    expect(forms).toHaveLength(2);
    expect(forms[0]).toMatch(/A script asks to call these tools[^]*await get_sum/);
    await client.close();
  }
});

interface Listed {
  id: string;
  kind: string;
  project: string;
  tools: string[];
}

import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { testOnLinux } from "../platforms/needs.ts";
import { serveTo } from "./asking-client.ts";
import { approveInTerminal, setUpApprovals } from "./own-terminal.ts";
import { runCodemode, STAND_INS } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const makeDurableProject = shareProject({
  "codemode.config.json": {
    mcpServers: { everything: STAND_INS.everything },
    policy: { askEach: ["everything/get-sum"] },
    serve: { detachAfterMs: 300, durable: true },
  },
});

const CODE = `import { echo, get_sum } from "@codemode/servers/everything";
  const first = await echo({ message: "before" });
  export default [first, await get_sum({ a: 1, b: 2 }), Math.random() < 1];`;

/** Ends `codemode serve` as a crash does. */
function crash({ client }: Awaited<ReturnType<typeof serveTo>>): void {
  process.kill((client.transport as unknown as { pid: number }).pid, "SIGKILL");
}

testOnLinux("`script` and `setsid` of util-linux are a person's terminal")(
  "a run that waits for a person survives a crash of `serve`: its client gets the answer from the next one",
  async () => {
    const cwd = await makeDurableProject();
    const env = { XDG_STATE_HOME: `${cwd}/state` };
    await setUpApprovals(cwd, env);
    const before = await serveTo(cwd, env);
    const begun = await before.begin({ code: CODE });
    const listed = async () =>
      JSON.parse((await runCodemode(["runs", "--json"], { cwd, env })).stdout) as {
        id: string;
        state: string;
        questions: unknown[];
      }[];
    await expect.poll(async () => (await listed())[0]?.questions.length, { timeout: 10_000 }).toBe(1);
    crash(before);
    await delay(100);
    expect(await listed()).toMatchObject([{ id: begun.runId, state: "interrupted" }]);

    const after = await serveTo(cwd, env);
    const approvals = async () =>
      JSON.parse((await runCodemode(["approvals", "--json"], { cwd, env })).stdout) as { id: string }[];
    await expect.poll(async () => (await approvals()).length, { timeout: 15_000 }).toBe(1);
    expect((await after.call({ runId: begun.runId })).diagnostics.map(({ message }) => message)).toContain(
      "The run waits for a person.",
    );
    const id = (await approvals())[0]?.id ?? "";
    expect(await approveInTerminal(id, cwd, env)).toMatchObject({ code: 0 });
    const result = ["Echo: before", "The sum of 1 and 2 is 3.", true];
    await expect
      .poll(async () => (await after.call({ runId: begun.runId })).result, { timeout: 10_000 })
      .toEqual(result);
    // The answer stays as long as the run is kept; no other id has one.
    expect((await after.call({ runId: begun.runId })).result).toEqual(result);
    expect((await after.call({ runId: "x".repeat(22) })).diagnostics).toMatchObject([{ code: "RUN_LOST" }]);
    const { stdout } = await runCodemode(["runs", begun.runId], { cwd, env });
    expect(stdout).toContain("call 1: everything/echo");
    expect(stdout.match(/call 1 sent/g)).toHaveLength(1);
    const removed = await runCodemode(["runs", begun.runId, "--prune"], { cwd, env });
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining("Removed 1 run.") });
    expect(await runCodemode(["runs"], { cwd, env })).toMatchObject({ stderr: "There are no durable runs.\n" });
  },
);

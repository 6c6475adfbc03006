import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, vi } from "vitest";
import { testOnLinux } from "../platforms/needs.ts";
import { ASKING_CODE, ASKING_FILES, serveTo } from "./asking-client.ts";
import { approveInTerminal, setUpApprovals } from "./own-terminal.ts";
import { typeCommand } from "./open-commands.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { shareProject } from "./share-project.ts";

const CODE = ASKING_CODE;
const makeAskingProject = shareProject(ASKING_FILES);

const testAtTerminal = testOnLinux("`script` and `setsid` of util-linux are a person's terminal");

testAtTerminal(
  "without a form, a run waits for the person at a terminal, who can give or refuse each approval",
  async () => {
    const cwd = await makeAskingProject();
    const env = { XDG_STATE_HOME: `${cwd}/state` };
    await setUpApprovals(cwd, env);
    const { client, call, begin, waitFor } = await serveTo(cwd, env);
    const [first, second] = [await begin({ code: CODE }), await begin({ code: CODE })];
    expect(first).toMatchObject({
      runId: expect.any(String),
      result: null,
      diagnostics: [
        {
          severity: "warning",
          code: "APPROVAL_REQUIRED",
          message: expect.stringContaining("everything/echo"),
          hint: expect.not.stringContaining("codemode"),
        },
        { severity: "info", code: "RUN_CONTINUES" },
      ],
    });
    const listed = await typeCommand(["approvals", "--json"], { cwd, env });
    const approvals = JSON.parse(listed.stdout) as { id: string; project: string; tools: string[] }[];
    expect(approvals).toMatchObject([
      {
        project: cwd,
        tools: ["everything/echo"],
        question: [
          expect.stringContaining('"everything/echo"'),
          expect.stringMatching(/^ {2}its program: sha256-/),
          "  its input: null",
          ...[expect.stringContaining('"script.ts"'), ...CODE.split("\n").map((line) => `  | ${line}`)],
        ],
        until: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      { id: expect.stringMatching(/^[\w-]{22}\.1$/) },
    ]);
    const [toGive, toRefuse] = approvals.map(({ id }) => id) as [string, string];
    // The one who asks knows no command that answers.
    expect(JSON.stringify([first, second])).not.toContain(toGive);

    // The list is short.
    const short = await typeCommand(["approvals"], { cwd, env });
    expect(short.stdout).toContain(`  Its code, its input and its digest: codemode approvals ${toGive}\n`);
    expect(short.stdout).not.toContain("import");
    expect((await typeCommand(["approvals", toGive], { cwd, env })).stdout).toContain("  | import");

    expect(await approveInTerminal(toGive, cwd, env)).toMatchObject({
      code: 0,
      shown: expect.stringContaining("Approved, for this run."),
    });
    expect(await waitFor(first)).toMatchObject({ result: "Echo: hello", diagnostics: [] });
    await typeCommand(["approvals", toRefuse, "--refuse"], { cwd, env });
    expect(await waitFor(second)).toMatchObject({
      result: null,
      diagnostics: [{ severity: "error", code: "APPROVAL_REQUIRED" }],
      toolTrace: [],
    });
    // An approval is for one run.
    const third = await begin({ code: CODE });
    expect(third.diagnostics.map(({ code }) => code)).toEqual(["APPROVAL_REQUIRED", "RUN_CONTINUES"]);
    const again = await typeCommand(["approvals", toGive, "--approve"], { cwd, env });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("No run waits for the approval") });

    await call({ runId: third.runId, cancel: true });
    await client.close();
    const left = await typeCommand(["approvals"], { cwd, env });
    expect(left).toMatchObject({ code: 0, stdout: "", stderr: "No run waits for an approval.\n" });
  },
);

testAtTerminal(
  "an approval that comes in the form of the client after the request was answered continues the run",
  async () => {
    const cwd = await makeAskingProject();
    const env = await setPassphraseIn(`${cwd}/state`);
    const { client, call, waitFor } = await serveTo(cwd, env, { elicitation: {} });
    let decide: (approve: string) => void = undefined as never;
    client.setRequestHandler(ElicitRequestSchema, async () => {
      const approve = await new Promise<string>((resolve) => (decide = resolve));
      return { action: "accept", content: { approve } };
    });
    const inForm = await call({ code: CODE });
    expect(inForm.diagnostics.map(({ code }) => code)).toEqual(["RUN_CONTINUES"]);
    // A question that comes when no request waits is put to the next one.
    const ended = waitFor(inForm);
    await vi.waitFor(() => expect(decide).toBeDefined(), { timeout: 10_000 });
    decide("Allow");
    expect(await ended).toMatchObject({ result: "Echo: hello", diagnostics: [] });

    // The form is still open when the answer comes from the terminal.
    const atTerminal = await call({ code: CODE });
    const list = async () =>
      JSON.parse((await typeCommand(["approvals", "--json"], { cwd, env })).stdout) as { id: string }[];
    await expect.poll(list, { timeout: 10_000 }).toHaveLength(1);
    await approveInTerminal((await list())[0]?.id ?? "", cwd, env);
    expect(await waitFor(atTerminal)).toMatchObject({ result: "Echo: hello", diagnostics: [] });
  },
);

import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Client as ModernClient } from "@modelcontextprotocol/client";
import type { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { testOnLinux } from "../platforms/needs.ts";
import { serveTo } from "./asking-client.ts";
import { typeCommand } from "./open-commands.ts";
import { PASSPHRASE, runInTerminal } from "./own-terminal.ts";
import { runCodemode, STAND_INS } from "./run-codemode.ts";
import { connectLegacy, connectModern } from "./serve-clients.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { shareProject } from "./share-project.ts";

const CODE = `import { get_sum } from "@codemode/servers/everything";
  export default await Promise.all([1, 2, 3].map((b) => get_sum({ a: 0, b }).catch((error) => error.message)));`;

const makeAskingProject = shareProject({
  "codemode.config.json": {
    mcpServers: { everything: STAND_INS.everything },
    policy: { askEach: ["everything/get-sum"] },
    serve: { detachAfterMs: 300 },
  },
  "one.ts": `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 0, b: 1 });`,
});

interface Form {
  message: string;
  requestedSchema: { properties: { [name: string]: JsonObject } };
}

/** A person who refuses the second of three calls, and changes the third. */
function aPerson() {
  const forms: Form[] = [];
  const answer = (params: unknown): { action: "accept"; content: { [name: string]: string } } => {
    const form = params as Form;
    forms.push(form);
    const b = /"b": (\d)/.exec(form.message)?.[1];
    if (b === "2") return { action: "accept", content: { decision: "refuse", text: "no twos" } };
    if (b === "3") return { action: "accept", content: { decision: "change", text: '{"b":30}' } };
    return { action: "accept", content: { decision: "allow" } };
  };
  return { forms, answer };
}

/** The kinds of so many approvals as `codemode approvals --watch` shows them, until it is interrupted. */
async function watchApprovals(count: number, cwd: string, env: Record<string, string>): Promise<unknown[]> {
  const words = [resolve("dist/cli/main.js"), "approvals", "--watch", "--json"];
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env } });
  const closed = once(child, "close");
  const kinds: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    kinds.push((JSON.parse(line) as { kind: string }).kind);
    if (kinds.length === count) child.kill("SIGINT");
  }
  await closed;
  return kinds;
}

/** A client that shows forms; gives what calls its tool. */
async function connect(era: string, folder: string, answer: ReturnType<typeof aPerson>["answer"]) {
  const capabilities = { elicitation: { form: {} } };
  let client: LegacyClient | ModernClient;
  if (era === "2025-11-25") {
    client = await connectLegacy(folder, [], { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params) as never);
  } else {
    client = await connectModern(folder, [], { capabilities });
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params) as never);
  }
  return async (args: JsonObject) => {
    const result = await client.callTool({ name: "codemode.run", arguments: args });
    return result.structuredContent as unknown as RunAnswer & { runId?: string };
  };
}

test.each(["2025-11-25", "2026-07-28"])(
  "a client of %s shows one form for each call, and its answers count",
  async (era) => {
    const folder = await makeAskingProject();
    const { forms, answer } = aPerson();
    const call = await connect(era, folder, answer);
    let answered = await call({ code: CODE });
    while (answered.runId !== undefined) answered = await call({ runId: answered.runId });
    expect(answered.result).toEqual([
      "The sum of 0 and 1 is 1.",
      "A person has refused this call of everything/get-sum: no twos",
      "The sum of 0 and 30 is 30.",
    ]);
    expect(forms).toHaveLength(3);
    const [first] = forms;
    expect(first?.message).toContain('A script asks to make this call:\n- "everything/get-sum": ');
    expect(first?.message).toMatch(
      /"a": 0\n {2}"b": 1\n {2}in the script at "script.ts:2:\d+"\n {2}so far this run has called nothing/,
    );
    // A form counts the calls that wait when it is shown; the later ones of a script may come after it.
    const [, second, third] = forms.map(({ message }) => /call \d of \d/.exec(message)?.[0]);
    expect(second).toMatch(/^call 2 of [23]$/);
    expect(third).toBe("call 3 of 3");
    expect(Object.keys(first?.requestedSchema.properties ?? {})).toEqual(["decision", "text"]);
  },
);

testOnLinux("`script` and `setsid` of util-linux are a person's terminal")(
  "without forms all calls that wait are in one list, and each is answered by itself at a terminal",
  async () => {
    const cwd = await makeAskingProject();
    const env = await setPassphraseIn(`${cwd}/state`);
    const { client, begin, waitFor } = await serveTo(cwd, env);
    const begun = await begin({ code: CODE });
    expect(begun.diagnostics[0]).toMatchObject({
      code: "APPROVAL_REQUIRED",
      message: expect.stringContaining("Each call of everything/get-sum needs a person's approval"),
    });
    const list = async () =>
      JSON.parse((await typeCommand(["approvals", "--json"], { cwd, env })).stdout) as {
        id: string;
        question: string[];
      }[];
    await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBe(3);
    expect(await watchApprovals(3, cwd, env)).toEqual(["call", "call", "call"]);
    const idOf = new Map((await list()).map(({ id, question }) => [/"b": (\d)/.exec(question.join("\n"))?.[1], id]));
    const inTerminal = (b: string, ...options: string[]) =>
      runInTerminal(["approvals", idOf.get(b) ?? "", ...options], { cwd, env, typed: [["Passphrase", PASSPHRASE]] });

    // An agent with a shell has no passphrase, and a file that it writes counts for nothing.
    const own = await runCodemode(["approvals", idOf.get("1") ?? "", "--approve"], { cwd, env });
    expect(own.code).not.toBe(0);
    expect(await inTerminal("3", "--change", '{"b":30}')).toMatchObject({ code: 0 });
    expect(
      await runCodemode(["approvals", idOf.get("2") ?? "", "--refuse", "--reason", "no twos"], { cwd, env }),
    ).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("the script gets an error"),
    });
    expect((await list()).map(({ id }) => id)).toEqual([idOf.get("1")]);
    const wrong = await runCodemode(["approvals", idOf.get("1") ?? "", "--change", "[1]"], { cwd, env });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("give a JSON object") });
    expect(await inTerminal("1", "--answer", '"one, more or less"')).toMatchObject({ code: 0 });
    expect((await waitFor(begun)).result).toEqual([
      "one, more or less",
      "A person has refused this call of everything/get-sum: no twos",
      "The sum of 0 and 30 is 30.",
    ]);
    await client.close();
  },
);

testOnLinux("`script` and `setsid` of util-linux are a person's terminal")(
  "a person at the terminal of `run` decides about each call; the option --approve is for scripts",
  async () => {
    const cwd = await makeAskingProject();
    const { code, shown } = await runInTerminal(["run", "one.ts", "--approve"], {
      cwd,
      typed: [
        ["What is to happen with the call?", "4"],
        ["Text", '{"b":30}'],
      ],
    });
    expect(shown).toContain("4. Make it with other arguments");
    expect(shown).toContain("The sum of 0 and 30 is 30.");
    expect(code).toBe(0);
    const unasked = await runCodemode(["run", "one.ts", "--approve"], { cwd });
    expect(unasked).toMatchObject({ code: 1, stderr: expect.stringContaining("no person could be asked") });
  },
);

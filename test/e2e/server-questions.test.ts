import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client as ModernClient } from "@modelcontextprotocol/client";
import type { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { SERVERS } from "./run-codemode.ts";
import { connectLegacy, connectModern, modernMeta, openWire } from "./serve-clients.ts";
import { serveTo } from "./asking-client.ts";
import { PASSPHRASE, runInTerminal } from "./own-terminal.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { testOnLinux } from "../platforms/needs.ts";
import { shareProject } from "./share-project.ts";

const everything = { ...SERVERS.everything, roots: ["."] };
const CONFIG = {
  mcpServers: { everything },
  // Shorter than a person takes here.
  limits: { timeoutMs: 3_000 },
  audit: { file: "audit.jsonl" },
};
const copyProject = shareProject({ "codemode.config.json": CONFIG });

const CODE = `
  import { get_roots_list, trigger_elicitation_request, trigger_long_running_operation, trigger_url_elicitation }
    from "@codemode/servers/everything";
  const work = await trigger_long_running_operation({ duration: 0.3, steps: 3 });
  const [given, page] = await Promise.all([
    trigger_elicitation_request({}),
    trigger_url_elicitation({ url: "https://host.example/login" }),
  ]);
  export default { work: JSON.stringify(work), given: JSON.stringify(given), page: JSON.stringify(page), roots: JSON.stringify(await get_roots_list({})) };
`;

/** As `codemode approvals --json` has it. */
interface Listed {
  id: string;
  kind: string;
  question: string[];
}

interface Shown {
  message: string;
  url?: string;
  requestedSchema?: { properties: { [name: string]: JsonObject } };
}

/** A person who takes longer than a run may, and gets one question at a time. */
function aPerson() {
  const shown: Shown[] = [];
  let open = 0;
  const answer = async (params: unknown) => {
    shown.push(params as Shown);
    open += 1;
    expect(open, "questions at once").toBe(1);
    // sleeps: a person takes longer than a call may, by the clock of the command
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    open -= 1;
    return "url" in (params as Shown)
      ? { action: "accept" as const }
      : { action: "accept" as const, content: { name: "Ada", approve: "Allow" } };
  };
  return { shown, answer };
}

const capabilities = { elicitation: { form: {}, url: {} } };

async function withLegacy(folder: string, { answer }: ReturnType<typeof aPerson>, onprogress: (text: string) => void) {
  const client: LegacyClient = await connectLegacy(folder, [], { capabilities });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params) as never);
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => undefined);
  const options = { onprogress: ({ message = "" }) => onprogress(message), timeout: 30_000 };
  return client.callTool({ name: "codemode.run", arguments: { code: CODE } }, undefined, options);
}

async function withModern(folder: string, { answer }: ReturnType<typeof aPerson>, onprogress: (text: string) => void) {
  const client: ModernClient = await connectModern(folder, [], { capabilities });
  client.setRequestHandler("elicitation/create", ({ params }) => answer(params) as never);
  const options = { onprogress: ({ message = "" }) => onprogress(message), timeout: 30_000 };
  return client.callTool({ name: "codemode.run", arguments: { code: CODE } }, options);
}

test.each([
  ["2025-11-25", withLegacy],
  ["2026-07-28", withModern],
])("a client of %s is asked, hears of progress, and its run outlasts the person's time", async (_, runWith) => {
  const folder = await copyProject();
  const person = aPerson();
  const progress: string[] = [];
  const { structuredContent } = await runWith(folder, person, (text) => progress.push(text));
  const { result, diagnostics } = structuredContent as unknown as RunAnswer;
  expect(diagnostics).toEqual([]);
  expect(result).toMatchObject({
    given: expect.stringContaining("Name: Ada"),
    roots: expect.stringContaining(`file://${folder}`),
  });
  expect(progress.some((text) => /^everything\/trigger-long-running-operation \(1\): \d of 3/.test(text))).toBe(true);
  expect(person.shown).toHaveLength(2);
  const form = person.shown.find(({ requestedSchema }) => requestedSchema !== undefined);
  expect(form?.message).toMatch(/^The server "everything" asks this in the middle of a call\. .*:\n> \S/);
  const titles = Object.values(form?.requestedSchema?.properties ?? {}).map(({ title }) => title);
  for (const title of titles) expect(title).toMatch(/^everything: /);
  expect(person.shown.find(({ url }) => url !== undefined)).toMatchObject({
    message: expect.stringContaining("this page of host.example yourself:\nhttps://host.example/login"),
    url: "https://host.example/login",
  });
  const audit = await readFile(join(folder, "audit.jsonl"), "utf8");
  expect(audit.match(/"event":"question\.ended".*"outcome":"accepted"/g)).toHaveLength(2);
  expect(audit).not.toContain("Ada");
});

test("where there is no one to ask a question is declined, and a replay asks nothing", async () => {
  const cwd = await copyProject({ "script.ts": CODE });
  const run = await typeCommand(["run", "script.ts", "--record", "run.json"], { cwd });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain("declined");
  const replayed = await typeCommand(["replay", "run.json"], { cwd });
  expect(replayed).toMatchObject({ code: 0, stdout: run.stdout });
});

test("an answer that comes twice gets the answer of the run: the script does not run again, and the next question is asked", async () => {
  const wire = openWire(await copyProject());
  const code = `
    import { trigger_elicitation_request } from "@codemode/servers/everything";
    export default JSON.stringify(await trigger_elicitation_request({}));`;
  const call = (more: JsonObject) =>
    wire.ask("tools/call", { name: "codemode.run", arguments: { code }, _meta: modernMeta(capabilities), ...more });
  const asked = await call({});
  expect(asked.result).toMatchObject({ resultType: "input_required" });
  const { requestState } = asked.result as { requestState: string };
  const answer = { requestState, inputResponses: { answer: { action: "decline" } } };
  expect((await call(answer)).result).toMatchObject({ structuredContent: { diagnostics: [] } });
  expect((await call(answer)).result).toMatchObject({
    structuredContent: { diagnostics: [{ severity: "warning", code: "ANSWER_UNUSED" }] },
  });
  expect((await call({})).result).toMatchObject({ resultType: "input_required" });
});

testOnLinux("`script` and `setsid` of util-linux are a person's terminal")(
  "where the client shows no form, a person answers a server with codemode approvals, and may decline it",
  async () => {
    const cwd = await copyProject({ "codemode.config.json": { ...CONFIG, serve: { detachAfterMs: 300 } } });
    const env = await setPassphraseIn(`${cwd}/state`);
    const { begin, waitFor, client } = await serveTo(cwd, env);
    const code = `
      import { trigger_elicitation_request } from "@codemode/servers/everything";
      export default JSON.stringify(await trigger_elicitation_request({}));`;
    const list = async () => JSON.parse((await typeCommand(["approvals", "--json"], { cwd, env })).stdout) as Listed[];
    const asked = await begin({ code });
    expect(asked.diagnostics).toMatchObject([
      { code: "APPROVAL_REQUIRED", message: expect.stringContaining('The server "everything" asks a person') },
      { code: "RUN_CONTINUES" },
    ]);
    const [question, ...others] = await list();
    expect([question?.kind, others]).toEqual(["server", []]);
    expect(question?.question.join("\n")).toMatch(/"name" \(".*"\): text, required/);
    const typed = [["Passphrase", PASSPHRASE]] as const;
    const given = ["approvals", question?.id ?? "", "--answer", '{"name":"Ada"}'];
    expect(await runInTerminal(given, { cwd, env, typed })).toMatchObject({ code: 0 });
    expect((await waitFor(asked)).result).toContain("Name: Ada");
    const declined = await begin({ code });
    await typeCommand(["approvals", (await list())[0]?.id ?? "", "--refuse"], { cwd, env });
    expect((await waitFor(declined)).result).toContain("declined");
    await client.close();
  },
);

import { copyFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import type { Host } from "../../../engine/run/host.ts";
import { makeView } from "../../../serve/make-view.ts";
import { makeSavedScripts } from "../../../engine/saved-scripts.ts";
import type { ServedView, SurfaceCall } from "../../../serve/surface.ts";
import { type Access, ownAccess } from "../../../schemas/access/access.ts";
import { DEFAULTS, type Policy } from "../../../schemas/config/config-file.ts";
import { writeFiles } from "../../e2e/run-codemode.ts";
import { shareInFile } from "../../e2e/share-in-file.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import { openTestHost } from "../../engine/run/open-test-host.ts";

const inputSchema = { type: "object" };
const TOOLS = [
  {
    name: "read",
    inputSchema,
    "x-answer": { content: ["hi", { type: "text", text: "1" }], structuredContent: { n: 1 } },
  },
  { name: "remove", inputSchema },
  { name: "broken", inputSchema, "x-answer": { isError: true, content: "none" } },
];
const SEND = { name: "send", inputSchema };

interface NotesView extends ServedView {
  host: Host;
}

/** A project with the servers `notes` and `mail`. */
async function openNotes() {
  const notes = { command: process.execPath, args: ["server.mjs", "tools.json"] };
  const mail = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "mail.json"] };
  const cwd = await makeTestFolder();
  const files = { "codemode.config.json": { mcpServers: { mail, notes } }, "tools.json": TOOLS, "mail.json": [SEND] };
  await writeFiles(cwd, files);
  await copyFile("test/servers/file-server.mjs", join(cwd, "server.mjs"));
  return { cwd, ...(await openTestHost(cwd)) };
}

type Notes = Awaited<ReturnType<typeof openNotes>>;

const shared = shareInFile(openNotes);

/** What a client sees of the project. */
function viewOf(policy: Partial<Policy> = {}, client?: Partial<Access>, { config, host }: Notes = shared()): NotesView {
  const access = { ...ownAccess({ ...DEFAULTS.policy, ...policy }), ...client };
  const scripts = makeSavedScripts(config, host, () => undefined);
  return { ...makeView({ host, scripts, config, access }), host };
}

function aCall(changes: Partial<SurfaceCall> = {}): SurfaceCall {
  const signal = new AbortController().signal;
  return {
    signal,
    approve: async () => "unavailable",
    ...changes,
  };
}

const READ = 'import { read } from "@codemode/servers/notes"; console.log("reading"); export default await read({});';

test("a script runs as the client, and its events are reported", async () => {
  const view = viewOf();
  const events: string[] = [];
  const call = aCall({
    emit(event) {
      if (event.type === "log") events.push(event.entry.message);
      if (event.type === "call-started" || event.type === "call-ended") events.push(`${event.type} ${event.number}`);
    },
  });
  expect(await view.run({ code: READ, limits: {}, requestedCapabilities: ["notes"] }, call)).toMatchObject({
    result: { n: 1 },
    diagnostics: [],
  });
  expect(events).toEqual(["reading", "call-started 1", "call-ended 1"]);
});

test("a capability that cannot be had is said once, also where the script does not use it (3.2.3)", async () => {
  const view = viewOf();
  const request = { code: "export default 1;", limits: {}, requestedCapabilities: ["post", "notes", "post"] };
  expect(await view.run(request, aCall())).toMatchObject({
    result: 1,
    diagnostics: [{ severity: "warning", code: "SERVER_UNAVAILABLE", message: 'There is no server "post".' }],
  });
});

test("a capability that there is and that does not start is said too, and only once", async () => {
  const notes = await openNotes();
  const view = viewOf({ ask: ["mail/send"] }, {}, notes);
  await rm(join(notes.cwd, "server.mjs"));
  const request = { limits: {}, requestedCapabilities: ["notes"] };
  // The script does not use it, so the run does not wait for it; but it is known before the person answers.
  const approve = async (): Promise<"granted"> => {
    const failures = view.host.connectSoon(["notes"], ownAccess(DEFAULTS.policy));
    await vi.waitFor(() => expect(failures()).toHaveLength(1), { timeout: 10_000 });
    return "granted";
  };
  const send = 'import { send } from "@codemode/servers/mail"; export default await send({});';
  expect(await view.run({ ...request, code: send }, aCall({ approve }))).toMatchObject({
    result: "send {}",
    diagnostics: [{ code: "SERVER_UNAVAILABLE", message: expect.stringContaining('"notes"') }],
  });
  expect((await view.run({ ...request, code: READ }, aCall())).diagnostics).toMatchObject([
    { code: "UNCAUGHT_EXCEPTION" },
    { code: "SERVER_UNAVAILABLE" },
  ]);
});

test("a server that a client may not see is a capability that does not exist", async () => {
  const view = viewOf({}, { client: "ci", servers: ["mail"] });
  expect([...view.lockfile().servers.keys()]).toEqual(["mail"]);
  const request = { code: READ, limits: {}, requestedCapabilities: ["notes"] };
  const { diagnostics } = await view.run(request, aCall());
  expect(diagnostics).toMatchObject([{ code: "IMPORT_FAILURE" }, { code: "SERVER_UNAVAILABLE" }]);
});

test("what is denied is not shown, and calling it all the same is refused by name", async () => {
  const view = viewOf({ deny: ["notes/remove"] });
  expect(
    view
      .lockfile()
      .servers.get("notes")
      ?.tools.map(({ name }) => name),
  ).toEqual(["broken", "read"]);
  const code = 'import { remove } from "@codemode/servers/notes"; await remove({});';
  expect(await view.run({ code, limits: {}, requestedCapabilities: [] }, aCall())).toMatchObject({
    diagnostics: [{ code: "POLICY_DENIED" }],
  });
});

test("what needs approval is refused without a question, if the client may not answer", async () => {
  const view = viewOf({ ask: ["notes/remove"] }, { client: "ci", mayApprove: false });
  const approve = vi.fn<SurfaceCall["approve"]>(async () => "granted");
  const code = 'import { remove } from "@codemode/servers/notes"; export default await remove({});';
  expect(await view.run({ code, limits: {}, requestedCapabilities: [] }, aCall({ approve }))).toMatchObject({
    result: null,
    toolTrace: [],
    diagnostics: [{ code: "APPROVAL_REQUIRED", message: expect.stringContaining("this client may not give") }],
  });
  expect(await view.callTool("notes", "remove", {}, aCall({ approve }))).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/this client may not give.*\n.*mayApprove/) }],
  });
  expect(approve).not.toHaveBeenCalled();
});

test("code reads the input that is sent with it", async () => {
  const view = viewOf();
  const code = "export default globalThis.__codemode_input__;";
  const request = { code, limits: {}, requestedCapabilities: [] };
  expect(await view.run({ ...request, input: { a: [1] } }, aCall())).toMatchObject({ result: { a: [1] } });
  expect(await view.run(request, aCall())).toMatchObject({ result: null, diagnostics: [] });
});

test("a direct call gives the server's result, without what has not the form of one", async () => {
  const view = viewOf({ ask: ["notes/remove"] });
  expect(await view.callTool("notes", "read", {}, aCall())).toEqual({
    content: [{ type: "text", text: "1" }],
    structuredContent: { n: 1 },
  });
  expect(await view.callTool("notes", "broken", {}, aCall())).toEqual({ content: [], isError: true });
  expect(await view.callTool("notes", "remove", {}, aCall())).toMatchObject({
    isError: true,
    content: [{ type: "text", text: expect.stringContaining("needs a person's approval") }],
  });
  expect(await view.callTool("notes", "remove", {}, aCall({ approve: async () => "granted" }))).toEqual({
    content: [{ type: "text", text: "remove {}" }],
  });
});

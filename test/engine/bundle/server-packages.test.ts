import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Access, visibleLockfile } from "../../../schemas/access/access.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { linkScript } from "../../../engine/bundle/bundle-script.ts";
import { lockedServer, type RawTool } from "../../templates/lockfile-of.ts";
import { bundleOf, toolsOf } from "./bundle-project.ts";
import { startCompartments, type CompartmentRunner } from "./compartment-runner.ts";
import { firstComplaint, makePackageProject, type PackageProject } from "./package-project.ts";

let project: PackageProject;
let compartments: CompartmentRunner;
let everything: LockedServer;

beforeAll(async () => {
  project = await makePackageProject();
  compartments = await startCompartments();
  everything = serverOfProject("everything");
  project.publish("@acme/everything-tools", everything);
});
afterAll(() => project.remove());

const USE = 'import { echo } from "@acme/everything-tools"; export default await echo({ text: "hi" });';

function serverOfProject(id: string): LockedServer {
  const server = project.lockfile.servers.get(id);
  if (server === undefined) throw new Error(`There is no server ${id}.`);
  return server;
}

/** The tools of a server as they came from it. */
function rawTools({ tools }: LockedServer): RawTool[] {
  return tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) =>
    JSON.parse(JSON.stringify({ name, title, description, inputSchema, outputSchema, annotations })),
  );
}

test("a server package stands for the locked server of the project", async () => {
  const outcome = await project.bundleWith(USE);
  expect(toolsOf(outcome)).toEqual(["everything/echo"]);
  expect((await compartments.run(bundleOf(outcome).code)).calls).toEqual([["everything", "echo", { text: "hi" }]]);
});

test("it is bundled to the same text as the import of the server itself", async () => {
  const own = bundleOf(await project.bundleWith(USE.replace("@acme/everything-tools", "@codemode/servers/everything")));
  const { code, manifest, packages } = bundleOf(await project.bundleWith(USE));
  // In the place of the import there are as many spaces as it had characters.
  const trim = (text: string): string => text.replace(/ {20,}/g, "");
  expect({ code: trim(code), manifest, packages }).toEqual({
    code: trim(own.code),
    manifest: own.manifest,
    packages: undefined,
  });
});

test("a bundle of it is not kept for later: what the package means, its own file says", async () => {
  const { root, generatedFolder, lockfile } = project;
  const options = { generatedFolder, lockfile, packages: { folder: root, allow: [] } };
  const link = (code: string) => linkScript({ name: "script.ts", code }, "script/script.ts", options);
  expect(await link(USE)).toMatchObject({ ok: true });
  expect(await link(USE)).not.toHaveProperty("madeFrom");
  const own = await link(USE.replace("@acme/everything-tools", "@codemode/servers/everything"));
  expect(own?.madeFrom?.length).toBeGreaterThan(0);
});

test("a namespace of it has the tools that package and project both have", async () => {
  const code = 'import * as all from "@acme/some-tools"; globalThis.__codemode_result__ = Object.keys(all);';
  const some = rawTools(everything).filter(({ name }) => name !== "get-sum");
  project.publish("@acme/some-tools", lockedServer("everything", some));
  const outcome = await project.bundleWith(code);
  expect(toolsOf(outcome)).toEqual(["everything/delete_", "everything/echo", "everything/markup"]);
  expect((await compartments.run(bundleOf(outcome).code)).result).toEqual(["__meta__", "delete_", "echo", "markup"]);
});

test("a server that the project calls otherwise is known by its tools", async () => {
  project.publish("@acme/renamed", lockedServer("all-things", rawTools(everything)));
  const outcome = await project.bundleWith(USE.replace("@acme/everything-tools", "@acme/renamed"));
  expect(toolsOf(outcome)).toEqual(["everything/echo"]);
});

test("another server of the same name is not taken for it", async () => {
  project.publish("@acme/not-files", lockedServer("files", rawTools(everything)));
  expect(toolsOf(await project.bundleWith(USE.replace("@acme/everything-tools", "@acme/not-files")))).toEqual([
    "everything/echo",
  ]);
});

test("several servers with its tools are for the author to choose from", async () => {
  const servers = new Map([...project.lockfile.servers, ["twin", { ...everything, id: "twin" }]]);
  project.publish("@acme/renamed", lockedServer("all-things", rawTools(everything)));
  const code = USE.replace("@acme/everything-tools", "@acme/renamed");
  expect(await firstComplaint(project, code, { lockfile: { servers } })).toMatchObject({
    code: "IMPORT_FAILURE",
    hint: 'Import the one that you mean by its own name: "@codemode/servers/everything", "@codemode/servers/twin".',
    path: "script.ts:1:22",
  });
});

test("a tool that differs is drift, with package, tool and what to do; the others can be used", async () => {
  const changed = rawTools(everything).map((tool) =>
    tool.name === "get-sum" ? { ...tool, description: "Adds." } : tool,
  );
  project.publish("@acme/older", lockedServer("everything", changed));
  expect(await firstComplaint(project, 'import { get_sum } from "@acme/older"; await get_sum({});')).toMatchObject({
    code: "LOCK_DRIFT",
    message:
      'The package "@acme/older" and the lockfile of this project differ in "get-sum" of the server "everything".',
    hint: expect.stringMatching(/"@acme\/older".*lock the server again.*"@codemode\/servers\/everything"/),
    path: "script.ts:1:25",
  });
  expect(toolsOf(await project.bundleWith(USE.replace("everything-tools", "older")))).toEqual(["everything/echo"]);
});

test("a server whose tools have all changed is drift, not a stranger", async () => {
  const changed = rawTools(everything).map((tool) => ({ ...tool, title: "New" }));
  project.publish("@acme/newer", lockedServer("everything", changed));
  expect(await firstComplaint(project, USE.replace("everything-tools", "newer"))).toMatchObject({ code: "LOCK_DRIFT" });
});

test("a server that is not locked has to be added", async () => {
  project.publish("@acme/tickets", lockedServer("tickets", [{ name: "open", inputSchema: { type: "object" } }]));
  expect(await firstComplaint(project, 'import { open } from "@acme/tickets"; open();')).toMatchObject({
    code: "IMPORT_FAILURE",
    message: 'The server of the package "@acme/tickets" is not locked in this project.',
    hint: expect.stringContaining("Add the server to the project"),
  });
});

test.each([
  ["an unknown tool", 'import { ehco } from "@acme/everything-tools"; ehco();', "Did you mean `echo`?"],
  [
    "a module inside of it",
    'import { echo } from "@acme/everything-tools/tools/echo.js"; echo();',
    'Import the tools from "@acme/everything-tools".',
  ],
])("%s is refused with a hint", async (_, code, hint) => {
  expect(await firstComplaint(project, code)).toMatchObject({ code: "IMPORT_FAILURE", hint });
});

test("a tool of the project that the package does not have", async () => {
  project.publish("@acme/few", lockedServer("everything", rawTools(everything).slice(0, 2)));
  expect(await firstComplaint(project, 'import { markup } from "@acme/few"; markup();')).toMatchObject({
    code: "IMPORT_FAILURE",
    message: 'The package "@acme/few" has no tool "markup".',
  });
});

test.each<[what: string, file: string, text: string | ((lock: string) => string)]>([
  ["missing", "package.json", (text) => text.replace("./codemode.lock.json", "./lost.json")],
  ["outside of the package", "package.json", (text) => text.replace("./codemode.lock.json", "../../lock.json")],
  ["of another integrity", "package.json", (text) => text.replace(/sha256-[^"]{3}/, "sha256-AAA")],
  ["of another server", "package.json", (text) => text.replace('"serverId": "everything"', '"serverId": "__proto__"')],
  ["no JSON", "codemode.lock.json", "{"],
  ["changed by hand", "codemode.lock.json", (text) => text.replace("Says it again.", "Says it.")],
  ["nested too deeply", "codemode.lock.json", "[".repeat(200_000)],
  ["too large", "codemode.lock.json", (text) => text + " ".repeat(9 * 1024 * 1024)],
])("a lock entry that is %s is not believed", async (_, file, text) => {
  project.publish("@evil/tools", everything);
  const path = join(project.root, "node_modules/@evil/tools", file);
  const before = readFileSync(path, "utf8");
  const after = typeof text === "string" ? text : text(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  const complaint = await firstComplaint(project, USE.replace("@acme/everything-tools", "@evil/tools"));
  expect(complaint).toMatchObject({
    code: "IMPORT_FAILURE",
    message: expect.stringMatching(
      /^The server package "@evil\/tools" cannot be used: its lock entry (?:is|cannot be) [\w ()]+\.$/,
    ),
  });
});

test("a package that pnpm has linked to its store is recognized", async () => {
  project.publish("@acme/linked", everything, "store/node_modules/@acme/linked");
  project.link("node_modules/@acme/linked", "../../store/node_modules/@acme/linked");
  expect(toolsOf(await project.bundleWith(USE.replace("everything-tools", "linked")))).toEqual(["everything/echo"]);
});

test("a script in a folder of its own has the packages there, then those of the project", async () => {
  project.publish("@acme/inner", everything, "scripts/node_modules/@acme/inner");
  expect(toolsOf(await project.bundleWith(USE.replace("everything-tools", "inner"), { folder: "scripts" }))).toEqual([
    "everything/echo",
  ]);
  expect(toolsOf(await project.bundleWith(USE, { folder: "scripts" }))).toEqual(["everything/echo"]);
  const elsewhere = await firstComplaint(project, USE.replace("everything-tools", "inner"));
  expect(elsewhere.message).toContain('"@acme/inner" is not available');
});

const ACCESS: Access = {
  client: "reader",
  servers: ["everything"],
  policies: [{ allow: ["*"], ask: [], deny: ["everything/get-sum"] }],
  mayApprove: false,
};

test("a hidden tool of a server package is missed like one that does not exist", async () => {
  const lockfile = visibleLockfile(project.lockfile, ACCESS);
  const complaintAbout = async (name: string): Promise<string> =>
    JSON.stringify(
      await firstComplaint(project, `import { ${name} } from "@acme/everything-tools"; ${name}();`, { lockfile }),
    ).replaceAll(name, "NAME");
  expect(await complaintAbout("get_sum")).toBe(await complaintAbout("qqq_zzz"));
});

test("the package of a hidden server is one of a server that is not locked", async () => {
  const lockfile = visibleLockfile(project.lockfile, ACCESS);
  project.publish("@acme/hidden", serverOfProject("files"));
  project.publish("@acme/absent", lockedServer("absent", [{ name: "open", inputSchema: { type: "object" } }]));
  const complaintAbout = async (name: string): Promise<string> =>
    JSON.stringify(
      await firstComplaint(project, `import * as all from "@acme/${name}"; all.x();`, { lockfile }),
    ).replaceAll(name, "NAME");
  expect(await complaintAbout("hidden")).toBe(await complaintAbout("absent"));
});

test("a namespace of a partly hidden server has its visible tools only", async () => {
  const lockfile = visibleLockfile(project.lockfile, ACCESS);
  const code = 'import * as all from "@acme/everything-tools"; globalThis.__codemode_result__ = Object.keys(all);';
  const outcome = await project.bundleWith(code, { lockfile });
  expect(toolsOf(outcome)).toEqual(["everything/delete_", "everything/echo", "everything/markup"]);
  expect(bundleOf(outcome).code).not.toContain("get-sum");
});

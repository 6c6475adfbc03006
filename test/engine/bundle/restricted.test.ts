import { expect, test } from "vitest";
import { bundleScript } from "../../../engine/bundle/bundle-script.ts";
import { type Access, ownAccess, visibleLockfile } from "../../../schemas/access/access.ts";
import { bundleOf, diagnosticsOf, openBundleProject, toolsOf } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

function accessWithout(...deny: string[]): Access {
  return { ...ownAccess({ allow: ["*"], ask: [], deny }), client: "reader", servers: ["everything"] };
}

const ACCESS = accessWithout("everything/get-sum", "everything/delete");

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

function bundle(code: string) {
  const lockfile = visibleLockfile(project.lockfile, ACCESS);
  return bundleScript({ code, name: "script.ts" }, { generatedFolder: project.generatedFolder, lockfile });
}

/** Severity, code, message and hint, with the name that was imported taken out. */
async function complaintAbout(name: string, toCode: (name: string) => string): Promise<string> {
  const [diagnostic] = diagnosticsOf(await bundle(toCode(name)));
  return JSON.stringify(diagnostic).replaceAll(name, "NAME");
}

test("what may be called is bundled as ever", async () => {
  const outcome = await bundle('import { echo } from "@codemode/servers/everything"; await echo({ text: "hi" });');
  expect(toolsOf(outcome)).toEqual(["everything/echo"]);
  expect((await compartments.run(bundleOf(outcome).code)).calls).toEqual([["everything", "echo", { text: "hi" }]]);
});

test.each<[what: string, hidden: string, absent: string, toCode: (name: string) => string]>([
  [
    "a hidden tool",
    "get_sum",
    "qqq_zzz",
    (name) => `import { ${name} } from "@codemode/servers/everything"; ${name}();`,
  ],
  [
    "a hidden tool of a namespace",
    "get_sum",
    "qqq_zzz",
    (name) => `import * as all from "@codemode/servers/everything"; all.${name}();`,
  ],
  ["a hidden server", "files", "qqqqq", (name) => `import * as all from "@codemode/servers/${name}"; all.read_file();`],
  ["a module of a hidden server", "files", "qqqqq", (name) => `import "@codemode/servers/${name}/tools/read_file.js";`],
  ["a hidden server as a package", "files", "qqqqq", (name) => `import all from "${name}"; all();`],
  ["a required hidden server", "files", "qqqqq", (name) => `require("@codemode/servers/${name}");`],
])("%s is imported like one that does not exist", async (_, hidden, absent, toCode) => {
  expect(await complaintAbout(hidden, toCode)).toBe(await complaintAbout(absent, toCode));
});

test.each([
  ["a tool's", 'import { getsum } from "@codemode/servers/everything"; getsum();'],
  ["the lockfile's", 'import { "get-sum" as sum } from "@codemode/servers/everything"; sum();'],
  ["a server's", 'import { x } from "@codemode/servers/file"; x();'],
  ["any", 'import "node:fs";'],
])("no hint tells %s hidden name", async (_, code) => {
  const text = JSON.stringify(diagnosticsOf(await bundle(code)));
  expect(text.replace("getsum", "").replace('\\\\"get-sum\\\\"', "").replace("servers/file\\", "")).not.toMatch(
    /get_sum|`delete|"files|servers\/files/,
  );
});

test("a namespace that is used whole counts the visible tools only", async () => {
  const code =
    'import * as all from "@codemode/servers/everything"; globalThis.__codemode_result__ = Object.keys(all);';
  const outcome = await bundle(code);
  expect(toolsOf(outcome)).toEqual(["everything/echo", "everything/markup"]);
  expect((await compartments.run(bundleOf(outcome).code)).result).toEqual(["__meta__", "echo", "markup"]);
});

test("__meta__ lists the visible tools, and the bundle holds no word of the others", async () => {
  const code = 'import { __meta__ } from "@codemode/servers/everything"; globalThis.__codemode_result__ = __meta__;';
  const { code: program, map } = bundleOf(await bundle(code));
  expect((await compartments.run(program)).result).toEqual({
    serverId: "everything",
    serverName: "everything",
    serverVersion: "1.0.0",
    tools: [
      { toolName: "echo", exportName: "echo", description: "Says it again." },
      { toolName: "markup", exportName: "markup", description: "<!-- import('x') -->" },
    ],
  });
  expect(program + JSON.stringify(map)).not.toMatch(/get.sum|delete/);
});

test("a client that sees all tools gets the __meta__ of the package", async () => {
  const code = 'import { __meta__ } from "@codemode/servers/everything"; globalThis.__codemode_result__ = __meta__;';
  const { result } = await compartments.run(bundleOf(await project.bundle(code)).code);
  expect(result).toMatchObject({ tools: { length: 4 } });
});

test("a stale package is drift of the server, and names no tool", async () => {
  const other = accessWithout("everything/*e*");
  const lockfile = visibleLockfile(project.lockfile, other);
  const [server] = [...lockfile.servers.values()];
  if (server === undefined) throw new Error("Everything is hidden.");
  const stale = { servers: new Map([[server.id, { ...server, integrity: "sha256-of-yesterday" as const }]]) };
  const code = 'import { markup } from "@codemode/servers/everything"; markup();';
  const options = { generatedFolder: project.generatedFolder, lockfile: stale };
  const [diagnostic] = diagnosticsOf(await bundleScript({ code, name: "script.ts" }, options));
  expect(diagnostic).toMatchObject({ code: "LOCK_DRIFT", message: expect.not.stringMatching(/get.sum|delete|echo/) });
});

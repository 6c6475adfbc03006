import { afterAll, beforeAll, expect, test } from "vitest";
import { toCheckRequest } from "../../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../../engine/check/check-script.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { makePackageProject, type PackageProject } from "../bundle/package-project.ts";

let project: PackageProject;
const checker = makeScriptChecker();

beforeAll(async () => {
  project = await makePackageProject();
  const everything = project.lockfile.servers.get("everything") as LockedServer;
  project.publish("@acme/tools", { ...everything, id: "all-things" });
  project.install("plain", { "index.js": "export const a = 1;" });
});
afterAll(() => project.remove());

function check(code: string): Promise<Diagnostic[]> {
  const packages = { folder: project.root, allow: ["plain"] };
  return checker.check(toCheckRequest({ code, name: "script.ts" }, project.lockfile, packages));
}

test("a server package has the types of the project's server", async () => {
  const code = 'import { echo } from "@acme/tools";\nawait echo({ text: 1 });';
  expect(await check(code)).toMatchObject([{ code: "TYPE_ERROR", path: "script.ts:2:14" }]);
  expect(await check(code.replace("text: 1", 'text: "a"'))).toEqual([]);
});

test("its types can be imported", async () => {
  const code = 'import type { EchoInput } from "@acme/tools";\nexport const text: EchoInput["text"] = 1;';
  expect(await check(code)).toMatchObject([{ code: "TYPE_ERROR", path: "script.ts:2:14" }]);
});

test("an allowed package may be used as anything", async () => {
  expect(await check('import { a } from "plain";\nexport default a.b.c(1) + 1;')).toEqual([]);
});

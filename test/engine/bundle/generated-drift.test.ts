import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bundleScript } from "../../../engine/bundle/bundle-script.ts";
import { complaintsOf, diagnosticsOf, makeBundleProject } from "./bundle-project.ts";

describe("generated packages that do not follow from the lockfile", () => {
  const CODE = `\nimport { echo } from "@codemode/servers/everything";\nawait echo({ text: "a" });`;
  const GENERATE = "LOCK_DRIFT script.ts:2:22: Generate the server packages again.";

  async function complainAfter(change: (generatedFolder: string) => void): Promise<string[]> {
    const changed = await makeBundleProject();
    try {
      change(changed.generatedFolder);
      return await complaintsOf(changed, CODE);
    } finally {
      changed.remove();
    }
  }

  test.each<[string, (folder: string) => void]>([
    ["missing", (folder) => rmSync(join(folder, "everything"), { recursive: true })],
    ["no JSON", (folder) => writeFileSync(join(folder, "everything/tools.json"), "{")],
    ["of another kind", (folder) => writeFileSync(join(folder, "everything/tools.json"), "[]")],
  ])("%s", async (_title, change) => {
    expect(await complainAfter(change)).toEqual([GENERATE]);
  });

  test.each([
    ["of another lockfile", /"serverIntegrity": "[^"]+"/, `"serverIntegrity": "sha256-other"`],
    ["of another server", /"serverId": "everything"/, `"serverId": "files"`],
    ["with another tool behind a name", /"toolName": "echo"/, `"toolName": "delete"`],
    ["with a tool of another integrity", /"integrity": "[^"]+"/, `"integrity": "sha256-other"`],
    ["with a module outside of its folder", /"module": "tools\/echo.js"/, `"module": "../files/tools/list_files.js"`],
  ])("%s", async (_title, pattern, replacement) => {
    const complaints = complainAfter((folder) => {
      const file = join(folder, "everything/tools.json");
      const text = readFileSync(file, "utf8");
      expect(text).toMatch(pattern);
      writeFileSync(file, text.replace(pattern, replacement));
    });
    expect(await complaints).toEqual([GENERATE]);
  });

  test.each([
    ["missing modules", `import "./gone.js";`],
    ["modules without their export", `export const other = 1;`],
    ["broken modules", `this is not JavaScript`],
    ["modules that import from outside", `import "../../../scripts/script.ts"; import "node:fs";`],
    ["modules that import each other's server", `import "../../files/../../scripts/script.ts";`],
  ])("%s", async (_title, text) => {
    const complaints = await complainAfter((folder) => writeFileSync(join(folder, "everything/tools/echo.js"), text));
    expect(complaints).toEqual(["LOCK_DRIFT undefined: Generate the server packages again."]);
  });

  test("modules that are links to somewhere else", async () => {
    const complaints = await complainAfter((folder) => {
      rmSync(join(folder, "everything/tools/echo.js"));
      symlinkSync("/etc/hostname", join(folder, "everything/tools/echo.js"));
    });
    expect(complaints).toEqual(["LOCK_DRIFT undefined: Generate the server packages again."]);
  });

  test("no lock at all", async () => {
    const outcome = await bundleScript(
      { code: CODE, name: "script.ts" },
      { generatedFolder: "generated", lockfile: { servers: new Map() } },
    );
    expect(diagnosticsOf(outcome).map(({ code, hint }) => `${code}: ${hint}`)).toEqual([
      "IMPORT_FAILURE: No server is locked: run `codemode lock`, or add a server with `codemode add`.",
    ]);
  });
});

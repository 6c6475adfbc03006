import { readFileSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { bundleScript } from "../../../engine/bundle/bundle-script.ts";
import { testOnPosix } from "../../platforms/needs.ts";
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

  test("on a drive where the system cannot resolve paths they are found by Node's own way", async () => {
    vi.spyOn(realpathSync, "native").mockImplementation(() => {
      throw Object.assign(new Error("UNKNOWN: unknown error, realpath"), { code: "UNKNOWN" });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const project = await makeBundleProject();
    onTestFinished(() => project.remove());
    expect(await project.bundle(CODE)).toMatchObject({ ok: true });
  });

  test.each([
    ["a module that is too large to be one", "everything/tools/echo.js", 17 * 1024 * 1024, "is larger than"],
    ["a list that is too large", "everything/tools.json", 257 * 1024 * 1024, "is larger than"],
  ])("%s is named, and is no damage", async (_title, path, bytes, said) => {
    const project = await makeBundleProject();
    onTestFinished(() => project.remove());
    truncateSync(join(project.generatedFolder, path), bytes);
    const [finding] = diagnosticsOf(await project.bundle(CODE));
    expect(finding).toMatchObject({ code: "IMPORT_FAILURE", message: expect.stringContaining(said) });
    expect(finding?.message).toContain(path.split("/").at(-1));
  });

  testOnPosix("loops of links")("a file that the system cannot read is named with its error", async () => {
    const project = await makeBundleProject();
    onTestFinished(() => project.remove());
    // A loop of links is an error that no account is spared.
    const file = join(project.generatedFolder, "everything/tools/echo.js");
    rmSync(file);
    symlinkSync("echo.js", file);
    const [finding] = diagnosticsOf(await project.bundle(CODE));
    expect(finding).toMatchObject({
      code: "IMPORT_FAILURE",
      message: 'The generated file "everything/tools/echo.js" cannot be read: ELOOP.',
      hint: "Check the drive, and the permissions of the file.",
    });
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

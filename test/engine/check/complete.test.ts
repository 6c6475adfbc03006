import { describe, expect, it } from "vitest";
import { toCheckRequest } from "../../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../../engine/check/check-script.ts";
import type { CompletionList, WordView } from "../../../schemas/editor.ts";
import { LOCKFILE } from "./check-project.ts";

const checker = makeScriptChecker();
const IMPORT = 'import { read_text_file } from "@codemode/servers/filesystem";\n';

describe("completion in a script", () => {
  it("knows the arguments of a tool, with their types and what the server says of them", async () => {
    const { items, isAnything } = await complete(`${IMPORT}await read_text_file({ | });`);
    expect(isAnything).toBe(false);
    expect(items.slice(0, 3).map(({ label }) => label)).toEqual(expect.arrayContaining(["path", "head", "tail"]));
    expect(items.find(({ label }) => label === "head")).toMatchObject({
      kind: "property",
      detail: expect.stringContaining("number"),
      info: expect.stringContaining("first N lines"),
    });
  });

  it("knows the values that an argument may have", async () => {
    const code = `import { get_resource_reference } from "@codemode/servers/everything";\nawait get_resource_reference({ resourceType: "|" });`;
    const { items, from } = await complete(code);
    expect(items.map(({ label }) => label)).toEqual(["Text", "Blob"]);
    expect(from).toBe(code.indexOf('"|') + 1);
  });

  it("knows all tools of a server inside of its import, and the modules that there are", async () => {
    const inNames = await complete('import { read_| } from "@codemode/servers/filesystem";');
    expect(inNames.items.map(({ label }) => label)).toContain("read_multiple_files");
    const inSpecifier = await complete('import { a } from "@codemode/|";');
    expect(inSpecifier.items.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["@codemode/servers/filesystem", "@codemode/errors"]),
    );
  });

  it("offers tools that are not imported yet, with the module they are in", async () => {
    const { items, isAnything } = await complete("const files = await list_d|");
    expect(isAnything).toBe(true);
    expect(items).toContainEqual(
      expect.objectContaining({ label: "list_directory", importFrom: "@codemode/servers/filesystem" }),
    );
  });

  it("tells the type of a word", async () => {
    const word = await describeWord(`${IMPORT}const file = await read_te|xt_file({ path: "a" });\nfile;`);
    expect(word?.signature).toContain("ReadTextFileInput");
    expect(word?.info).toContain("contents of a file");
  });

  it("has nothing to say of a script that is too much for it, or a place outside of it", async () => {
    expect((await complete(`${"[".repeat(20_000)}|`)).items).toEqual([]);
    expect(await checker.describe(toCheckRequest({ code: "1", name: "script.ts" }, LOCKFILE), 1e9)).toBeUndefined();
  });
});

/** `|` is the cursor. */
function complete(marked: string): Promise<CompletionList> {
  const { request, offset } = readCursor(marked);
  return checker.complete(request, offset);
}

function describeWord(marked: string): Promise<WordView | undefined> {
  const { request, offset } = readCursor(marked);
  return checker.describe(request, offset);
}

function readCursor(marked: string) {
  const offset = marked.indexOf("|");
  return { request: toCheckRequest({ code: marked.replace("|", ""), name: "script.ts" }, LOCKFILE), offset };
}

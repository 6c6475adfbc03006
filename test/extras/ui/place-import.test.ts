import { describe, expect, it } from "vitest";
import { placeImport } from "../../../extras/ui/page/editor/place-import.ts";

const FILES = "@codemode/servers/files";

describe("placeImport", () => {
  it.each([
    ["an empty script", "", `import { read } from "${FILES}";\n`],
    ["a script without imports", "run();\n", `import { read } from "${FILES}";\n\nrun();\n`],
    [
      "other imports",
      'import { echo } from "@codemode/servers/everything";\n\nrun();\n',
      `import { echo } from "@codemode/servers/everything";\nimport { read } from "${FILES}";\n\nrun();\n`,
    ],
    ["an import of the same server", `import { list } from "${FILES}";\n`, `import { list, read } from "${FILES}";\n`],
    [
      "an import of several lines",
      `import {\n  list,\n} from "${FILES}";\n`,
      `import {\n  list, read\n} from "${FILES}";\n`,
    ],
    ["an import without names", `import {} from "${FILES}";\n`, `import { read} from "${FILES}";\n`],
  ])("adds a name to %s", (_case, before, after) => {
    expect(applied(before)).toBe(after);
  });

  it("leaves a script alone that has the import", () => {
    expect(placeImport(`import { list, read } from "${FILES}";`, FILES, "read")).toBeUndefined();
  });
});

function applied(code: string): string {
  const change = placeImport(code, FILES, "read");
  if (change === undefined) throw new Error("nothing has to change");
  return code.slice(0, change.from) + change.insert + code.slice(change.to);
}

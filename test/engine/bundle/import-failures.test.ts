import { describe, expect, test } from "vitest";
import { complaintsOf, diagnosticsOf, openBundleProject } from "./bundle-project.ts";

const project = await openBundleProject();

const SERVERS = `Servers: "@codemode/servers/everything", "@codemode/servers/files".`;
const ONLY_WAY_OUT = `Tools are the only way out of the sandbox: import one from a server. ${SERVERS}`;
const NO_FILES = "Put the code of that module into the script itself.";
const WRITE_IT = "Write the code that you need into the script.";

describe("imports that a script cannot have", () => {
  test.each([
    ["a Node builtin", `import fs from "node:fs";\nfs.readFileSync("/etc/passwd");`, "1:16", ONLY_WAY_OUT],
    ["a Node builtin that nothing uses", `import fs from "node:fs";`, "1:16", ONLY_WAY_OUT],
    [
      "a Node builtin by its short name",
      `const a = 1;\n  import { readFile } from 'fs/promises'; readFile();`,
      "2:28",
      ONLY_WAY_OUT,
    ],
    ["a Node builtin, imported dynamically", `const fs = await import("fs");`, "1:25", ONLY_WAY_OUT],
    ["a re-export of a Node builtin", `export * from "node:os";`, "1:15", ONLY_WAY_OUT],
    ["a package", `import _ from "lodash";\n_.map([]);`, "1:15", WRITE_IT],
    [
      "the runtime behind the bindings",
      `import { callTool } from "@codemode/runtime/v1"; callTool();`,
      "1:26",
      SERVERS,
    ],
    ["a URL", `import "https://example.com/a.js";`, "1:8", ONLY_WAY_OUT],
    ["code in a URL", `await import("data:text/javascript,1");`, "1:14", ONLY_WAY_OUT],
    ["a file URL", `import "file:///etc/passwd";`, "1:8", ONLY_WAY_OUT],
    [
      "an absolute path",
      `import "/etc/passwd";`,
      "1:8",
      `Import modules beside the script by a relative path such as "./name.ts".`,
    ],
    [
      "a path of Windows",
      `import "C:\\\\x.js";`,
      "1:8",
      `Import modules beside the script by a relative path such as "./name.ts".`,
    ],
    ["a module beside code that was sent", `import { a } from "./a.ts"; a();`, "1:19", NO_FILES],
    [
      "an unknown server",
      `import { echo } from "@codemode/servers/everthing";\necho();`,
      "1:22",
      `Did you mean "@codemode/servers/everything"?`,
    ],
    ["a server unlike any other", `import "@codemode/servers/zzz-remote-host";`, "1:8", SERVERS],
    ["a server that is called like a builtin of objects", `import "@codemode/servers/constructor";`, "1:8", SERVERS],
    [
      "a server without the prefix",
      `import { echo } from "everything"; echo();`,
      "1:22",
      `For the server write "@codemode/servers/everything".`,
    ],
    ["all servers at once", `import "@codemode/servers";`, "1:8", SERVERS],
    [
      "a module inside of a server",
      `import "@codemode/servers/everything/tools/echo.js";`,
      "1:8",
      `Import the tools from "@codemode/servers/everything".`,
    ],
    ["a misspelt module of codemode's", `import "@codemode/error";`, "1:8", `Did you mean "@codemode/errors"?`],
    [
      "an unknown tool",
      `import { ehco } from "@codemode/servers/everything";\nehco();`,
      "1:10",
      "Did you mean `echo`?",
    ],
    [
      "an unknown tool among known ones",
      `import {\n  echo,\n  getsum as sum,\n} from "@codemode/servers/everything";\necho(sum);`,
      "3:3",
      "Did you mean `get_sum`?",
    ],
    [
      "a tool by its MCP name",
      `import { "get-sum" as sum } from "@codemode/servers/everything"; sum();`,
      "1:10",
      "Did you mean `get_sum`?",
    ],
    [
      "a tool that is called like a reserved word",
      `import { "delete" as remove } from "@codemode/servers/everything"; remove();`,
      "1:10",
      "Did you mean `delete_`?",
    ],
    [
      "a tool of another server",
      `import { echo } from "@codemode/servers/files"; echo();`,
      "1:10",
      'Another server has it: `import { echo } from "@codemode/servers/everything";`.',
    ],
    [
      "a tool unlike any other",
      `import { summarizeEverything } from "@codemode/servers/files"; summarizeEverything();`,
      "1:10",
      "Its tools: list_files, read_file.",
    ],
    [
      "an unknown tool that nothing uses",
      `import { ehco } from "@codemode/servers/everything";`,
      "1:10",
      "Did you mean `echo`?",
    ],
    ["an unknown re-export", `export { ehco } from "@codemode/servers/everything";`, "1:10", "Did you mean `echo`?"],
    [
      "a default import of a server",
      `import files from "@codemode/servers/files";\nfiles.list_files();`,
      "1:8",
      'Write `import * as files from "@codemode/servers/files"`, or name the tools: `import { … } from "@codemode/servers/files"`.',
    ],
    [
      "an unknown member of a namespace",
      `import * as all from "@codemode/servers/everything";\nawait all.ehco();`,
      "2:11",
      "Did you mean `echo`?",
    ],
    [
      "an unknown error class",
      `import { ToolCalError } from "@codemode/errors";\nthrow new ToolCalError();`,
      "1:10",
      "Did you mean `ToolCallError`? It exports: ApprovalRefusedError, AuthenticationError, CodemodeError, SandboxLimitError, SchemaValidationError, ServerNotFoundError, ToolCallError, ToolNotFoundError.",
    ],
    [
      "a computed import",
      `const name = "x";\nconst x = await import("@codemode/servers/" + name);`,
      "2:17",
      'Write the specifier as a string literal, such as `import("@codemode/servers/…")`.',
    ],
    [
      "a computed import in a template",
      "const x = 'a';\nawait import(`./${x}.ts`);",
      "2:7",
      'Write the specifier as a string literal, such as `import("@codemode/servers/…")`.',
    ],
    [
      "a source phase import",
      `import source errors from "@codemode/errors"; errors();`,
      "1:1",
      "Leave out the word `source`.",
    ],
    ["require", `const fs = require("fs");\nfs();`, "1:12", ONLY_WAY_OUT],
    ["TypeScript's require", `const a = 1;\nimport fs = require("fs");\nfs;`, "2:1", ONLY_WAY_OUT],
    [
      "require of something that can be imported",
      `const { echo } = require("@codemode/servers/everything");\necho();`,
      "1:18",
      'Write `import … from "@codemode/servers/everything"`.',
    ],
    [
      "require of a variable",
      `const name = "x"; require(name);`,
      "1:19",
      'Write `import … from "…"` with the name of the module.',
    ],
  ])("%s", async (_title, code, place, hint) => {
    expect(await complaintsOf(project, code)).toEqual([`IMPORT_FAILURE script.ts:${place}: ${hint}`]);
  });

  test("plain JavaScript gives the same places", async () => {
    expect(await complaintsOf(project, `import { ehco }   from "@codemode/servers/everything";`, "script.js")).toEqual([
      "IMPORT_FAILURE script.js:1:10: Did you mean `echo`?",
    ]);
  });

  test("all problems of a script are reported at once, in its order", async () => {
    const code = `import fs from "fs";\nimport { ehco } from "@codemode/servers/everything";\nimport "@codemode/servers/filez";\nfs(ehco);\nawait import(fs);`;
    const places = (await complaintsOf(project, code, "script.js")).map((text) => text.split(": ")[0]);
    expect(places).toEqual([1, 2, 3, 5].map((line) => expect.stringContaining(`IMPORT_FAILURE script.js:${line}:`)));
  });

  test("a function of the script's own may be called require", async () => {
    const outcome = await project.bundle(`const require = (name: string) => name; export default require("fs");`);
    expect(outcome.ok).toBe(true);
  });

  test("hostile specifiers stay on one line and short", async () => {
    const [diagnostic] = diagnosticsOf(
      await project.bundle(`import ${JSON.stringify(`a\n\u001b[31m${"x".repeat(5000)}`)};`),
    );
    expect(diagnostic?.message).toMatch(/^The package "a\\n\\u001b\[31mx{1,120}…" is not available/);
  });
});

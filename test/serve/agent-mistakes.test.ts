import { afterAll, beforeAll, expect, test } from "vitest";
import { resolve } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DescribedTool, type Engine, openProject } from "codemode";

let cwd = "";
let engine: Engine;
let tool: DescribedTool;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "codemode-test-"));
  const files = resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const config = { mcpServers: { files: { command: process.execPath, args: [files, cwd] } } };
  engine = await (await openProject({ cwd, config })).openEngine();
  tool = engine.describeTool();
});
afterAll(async () => {
  await engine.close();
  await rm(cwd, { recursive: true });
});

const IMPORT = 'import { read_text_file } from "@codemode/servers/files";\n';
const CALL = 'read_text_file({ path: "a.txt" })';

/** What agents send, and the beginning of what they are to send instead. */
const MISTAKES: { [mistake: string]: [code: string, hint: RegExp] } = {
  "a Markdown fence": ["```ts\nexport default 1;\n```", /^Send the code without the lines that begin with ```/],
  "line breaks that were escaped twice": [`${IMPORT.trim()}\\nexport default 1;`, /^The line breaks came as `\\n`/],
  "HTML entities": ["export default [1].map((n) =&gt; n);", /^Send the characters in place of HTML entities/],
  Python: ["from files import read_text_file\nprint(1)", /^This looks like Python: a script is an ES module/],
  "no import": [
    `export default await ${CALL};`,
    /^Import it: `import \{ read_text_file \} from "@codemode\/servers\/files"/,
  ],
  "a name with its server": [
    `export default await mcp__files__${CALL};`,
    /^Import it: `import \{ read_text_file \} from "@codemode\/servers\/files"/,
  ],
  "the library in place of a server": [
    `import { read_text_file } from "codemode";\nexport default await ${CALL};`,
    /^Import tools from their server: `import \{ read_text_file \} from "@codemode\/servers\/files"`/,
  ],
  "an index of all servers": ['import { files } from "@codemode/servers";', /^Servers: "@codemode\/servers\/files"/],
  "another case": [
    'import { readTextFile } from "@codemode/servers/files";\nreadTextFile;',
    /^Did you mean `read_text_file`/,
  ],
  "an argument in place of an object": [
    `${IMPORT}export default await read_text_file("a.txt");`,
    /^Pass an object, such as \{"path":"text"\}/,
  ],
  "a return beside an export": [
    `${IMPORT}export const text = await ${CALL};\nreturn text;`,
    /^A script is a module: write `export default VALUE` in place of `return`/,
  ],
  "a function as the result": ["export default async function main() {}", /^Call it, and export what it returns/],
  "a nameless function as the result": ["export default async () => 1;", /^Call it, and export what it returns/],
  "a function around the script": [
    `${IMPORT}async () => {\n  return await ${CALL};\n}`,
    /^A script runs from its first line to its last/,
  ],
  "an object of tools": [
    `export default await functions.${CALL};`,
    /^Import it: `import \{ read_text_file \} from "@codemode\/servers\/files"/,
  ],
  "a map as the result": ["export default new Map();", /^Return Object\.fromEntries\(map\)/],
  "a Node module": ['import { readFileSync } from "fs";\nreadFileSync;', /^Tools are the only way out of the sandbox/],
  "the network": ['export default await fetch("https://example.com");', /^There is no network in the sandbox/],
  "code from text": ['export default eval("1 + 1");', /^The sandbox cannot create code from text/],
  "a specifier that is made": [
    'await import("@codemode/servers/" + "files");',
    /^Write the specifier as a string literal/,
  ],
  "no result": ["1 + 1;", /^If its values are needed, write `export default VALUE`/],
};

test.each(Object.entries(MISTAKES))("%s: the hint says what to send instead", async (_, [code, hint]) => {
  const { diagnostics, result } = await tool.call({ code });
  expect(result).toBeNull();
  expect(diagnostics[0]?.hint).toMatch(hint);
});

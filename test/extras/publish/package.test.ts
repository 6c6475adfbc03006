import { expect, test } from "vitest";
import { proposeNextVersion } from "../../../extras/publish/propose-version.ts";
import { formatLockfile, parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { GENERATOR_VERSION } from "../../../templates/generated-package.ts";
import { emitPackageBody, emitRelease, printChangelog } from "../../../extras/publish/package/emit-package.ts";
import {
  defaultPackageName,
  isPackageName,
  isScope,
  toTarballName,
} from "../../../extras/publish/package/package-name.ts";
import { printReadme } from "../../../extras/publish/package/print-readme.ts";
import { toCodeBlock, toMarkdownCode, toMarkdownText } from "../../../extras/publish/package/markdown-text.ts";
import { renderMarkdown } from "../../publishing/render-markdown.ts";
import { lockedServer } from "../../templates/lockfile-of.ts";

const HOSTILE = [
  "ends | the | cell |\n| --- |\n| and begins a row |",
  "[a link](https://example.com/x) and ![a picture](//example.com/p.png)",
  "https://example.com, www.example.com, example.com and admin@example.com",
  "<img src=x onerror=alert(1)> <script>alert(1)</script> </table> <!-- hidden",
  "`code` ``more`` ``` ~~~ and \\`escaped\\` \\| \\\\|",
  "# heading\n- item\n1. item\n> quote\n---\n***",
  "*strong* _em_ ~~gone~~ &lt;b&gt; $math$ @octocat #1",
  "a\u202etxt.exe\u200b\u2066",
  "[x]: https://example.com\n\n[x]",
];

test.each(HOSTILE)("the documents of a package show %j as words", async (text) => {
  for (const printDocument of [readmeOf, changelogOf]) {
    const document = printDocument(text);
    const [shown, plain] = await Promise.all([document, printDocument("plain")].map(elementsOf));
    expect(shown, document).toEqual(plain);
    expect(document).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
  }
});

/** The elements that hold something else than inline code, in their order. */
async function elementsOf(markdown: string): Promise<string[]> {
  const html = await renderMarkdown(markdown);
  const elements = html.replaceAll(/<a href="https:\/\/www\.npmjs\.com\/package\/codemode">codemode<\/a>/g, "codemode");
  return [...elements.matchAll(/<([a-z]\w*)/g)].map(([, name = ""]) => name).filter((name) => name !== "code");
}

/** A README all of whose foreign texts are the given one. */
function readmeOf(text: string): string {
  const tool = { name: text, title: text, description: text, inputSchema: { type: "object" } };
  const server = lockedServer("evil", [tool], { name: text, version: text });
  return printReadme("evil", { ...server, instructions: text, protocolVersion: text }, undefined);
}

/** A changelog that tells of a tool with that name. */
function changelogOf(text: string): string {
  const tool = { name: text, inputSchema: { type: "object" } };
  const [lock, server] = [lockedServer("evil", []), lockedServer("evil", [tool])];
  const proposal = proposeNextVersion({ version: "1.0.0", lock }, server);
  return proposal === undefined ? "" : printChangelog(proposal, server, "# Changelog\n");
}

test("the comparison of documents would see a link, a picture, a further cell and HTML", async () => {
  const plain = await elementsOf("| a |\n| --- |\n| b |");
  for (const cell of ["example.com", "![x](y)", "<b>x</b>", "x |\n| y"]) {
    expect(await elementsOf(`| a |\n| --- |\n| ${cell} |`), cell).not.toEqual(plain);
  }
});

test("prose keeps its words, and names their exact letters", () => {
  expect(toMarkdownText("Reads a file's text (UTF-8), e.g. notes.txt; fast!")).toBe(
    "Reads a file's text (UTF-8), `e.g.` `notes.txt;` fast!",
  );
  expect(toMarkdownText("1. begins\n- no list")).toBe("1\\. begins - no list");
  expect(toMarkdownText("word ".repeat(100)).length).toBeLessThanOrEqual(200);
  expect(toMarkdownCode("get-sum")).toBe("`get-sum`");
  expect(toMarkdownCode("a|b`c\\")).toBe("a&#124;b&#96;c&#92;");
});

test("an example cannot end its block", () => {
  expect(toCodeBlock("ts", 'await f("```\\n````");')).toBe('`````ts\nawait f("```\\n````");\n`````');
});

test.each([
  ["codemode-github", true],
  ["@acme/github-tools", true],
  ["@acme/fs", true],
  ["fs", false],
  ["node_modules", false],
  ["GitHub", false],
  [".hidden", false],
  ["_x", false],
  ["a b", false],
  ["@acme", false],
  ["@acme/", false],
  ["@acme/a/b", false],
  ["@Acme/a", false],
  ["../x", false],
  ["@acme/../x", false],
  ["", false],
  ["x".repeat(215), false],
])("npm takes %j as the name of a package: %s", (name, isLegal) => expect(isPackageName(name)).toBe(isLegal));

test("each server has a name for its package, in a scope and without", () => {
  expect(defaultPackageName("github")).toBe("codemode-github");
  expect(defaultPackageName("github", "@acme")).toBe("@acme/github-tools");
  expect(toTarballName("@acme/github-tools")).toBe("acme-github-tools");
  expect(isScope("@acme")).toBe(true);
  for (const text of ["acme", "@Acme", "@acme/x", "@"]) expect(isScope(text)).toBe(false);
});

const EMPTY_TOOL = { name: "ping", inputSchema: { type: "object" } };

test("a package holds modules, documents and the lock entry of its server alone", async () => {
  const server = lockedServer("demo", [EMPTY_TOOL]);
  const subject = { name: "@acme/demo-tools", server, inherited: { license: "MIT" } };
  const files = emitRelease(subject, await emitPackageBody(subject), { version: "1.0.0", reason: "" });
  expect(files.map(({ path }) => path)).toEqual([
    ...["CHANGELOG.md", "README.md", "codemode.lock.json", "index.d.ts", "index.js", "jsr.json"],
    ...["meta.d.ts", "meta.js", "package.json", "sbom.cdx.json", "tools.json"],
    ...["tools/ping.d.ts", "tools/ping.js", "tools/ping.validator.js"],
  ]);
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";
  expect(parseLockfile(textOf("codemode.lock.json"), "").servers).toEqual(new Map([["demo", server]]));
  expect(textOf("codemode.lock.json")).toBe(formatLockfile({ servers: new Map([["demo", server]]) }));
  expect(JSON.parse(textOf("package.json"))).toEqual({
    name: "@acme/demo-tools",
    version: "1.0.0",
    description: 'Typed bindings of the MCP server "demo", made by codemode from its locked tool list.',
    keywords: ["codemode", "mcp", "model-context-protocol", "mcp-server", "demo"],
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.20.0" },
    exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
    dependencies: { "@codemode/runtime": "^0.1.0" },
    codemode: {
      serverId: "demo",
      serverIntegrity: server.integrity,
      lock: "./codemode.lock.json",
      generatorVersion: GENERATOR_VERSION,
    },
  });
  expect(JSON.parse(textOf("jsr.json"))).toEqual({
    name: "@acme/demo-tools",
    version: "1.0.0",
    license: "MIT",
    exports: { ".": "./index.js" },
    imports: { "@codemode/runtime/": "npm:/@codemode/runtime@^0.1.0/" },
  });
  expect(textOf("index.js")).toMatch(/^\/\* @ts-self-types="\.\/index\.d\.ts" \*\/\n/);
});

test("what a project says of itself cannot replace what a package is", async () => {
  const subject = { name: "x-demo", server: lockedServer("demo", []), inherited: { author: "A", license: "MIT" } };
  const [manifest] = emitRelease(subject, await emitPackageBody(subject), { version: "1.0.0", reason: "" }).filter(
    ({ path }) => path === "package.json",
  );
  expect(Object.keys(JSON.parse(manifest?.text ?? "{}") as object)).toEqual([
    ...["name", "version", "description", "keywords", "author", "license", "type", "sideEffects"],
    ...["engines", "exports", "dependencies", "codemode"],
  ]);
});

test("the entry that reaches the server is the locked one, with placeholders for values", () => {
  const server = lockedServer("remote", [EMPTY_TOOL]);
  const source = { transport: "http" as const, url: "https://host.example/mcp", headers: ["Authorization", "X-Team"] };
  const readme = printReadme("codemode-remote", { ...server, source }, { exportName: "ping", argument: "" });
  const entry = /```json\n([^]*?)\n```/.exec(readme)?.[1] ?? "";
  expect(JSON.parse(entry)).toEqual({
    mcpServers: {
      remote: {
        type: "http",
        url: "https://host.example/mcp",
        headers: { Authorization: "${AUTHORIZATION}", "X-Team": "${X_TEAM}" },
      },
    },
  });
});

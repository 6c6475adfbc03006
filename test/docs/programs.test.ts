import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "oxc-transform";
import { parseAst } from "rollup/parseAst";
import { beforeAll, expect, test } from "vitest";
import { findFreeNames } from "../../engine/bundle/syntax/find-undeclared.ts";
import { childNode, childNodes, constantText, type SyntaxNode } from "../../engine/bundle/syntax/syntax-tree.ts";
import { SERVERS } from "../e2e/run-codemode.ts";
import { makeSharedFolder } from "../make-test-folder.ts";
import { readPages } from "./read-pages.ts";

// A program of a page that is whole runs as its reader would run it: as `.mjs`, on this Node, which is the oldest that is supported.

/** Packages that a program may import and that are installed here. */
const INSTALLED = /^(?:codemode|zod|node:[\w/]+|@modelcontextprotocol\/(?:sdk|server|client)(?:\/.*)?)$/;
const GLOBALS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(globalThis));

interface Program {
  place: string;
  code: string;
}

/** The blocks of all pages that import the library and name nothing that they do not declare. */
function findPrograms(): Program[] {
  return [...readPages()]
    .filter(([path]) => !path.includes("decisions"))
    .flatMap(([path, { blocks }]) =>
      blocks
        .filter(({ language, directive }) => ["ts", "js"].includes(language) && directive?.name !== "not run")
        .filter(({ text }) => /\bfrom "codemode"/.test(text))
        .map(({ line, text }) => ({ place: `${path}:${line}`, code: withoutTypes(text) }))
        .filter(({ code }) => isWhole(code)),
    );
}

function withoutTypes(text: string): string {
  return transformSync("program.ts", text, { sourceType: "module", target: "esnext" }).code;
}

function isWhole(code: string): boolean {
  const program = parseAst(code) as unknown as SyntaxNode;
  const specifiers = childNodes(program, "body").flatMap(
    (statement) => constantText(childNode(statement, "source")) ?? [],
  );
  return specifiers.every((name) => INSTALLED.test(name)) && findFreeNames(program, GLOBALS).undeclared.length === 0;
}

const programs = findPrograms();
const cwd = await makeSharedFolder();

/** The project that the first program of README speaks of. */
beforeAll(async () => {
  await mkdir(join(cwd, "node_modules"));
  for (const name of ["zod", "@modelcontextprotocol"])
    await symlink(resolve("node_modules", name), join(cwd, "node_modules", name));
  await symlink(resolve("."), join(cwd, "node_modules/codemode"));
  await writeFile(
    join(cwd, "codemode.config.json"),
    JSON.stringify({ mcpServers: { "demo-notes": SERVERS.filesystem, files: SERVERS.filesystem } }),
  );
  await writeFile(join(cwd, "todo.txt"), "- [ ] Water the plants\n");
  await mkdir(join(cwd, "scripts"));
  await writeFile(join(cwd, "scripts/monday.ts"), "export default 1;\n");
});

test("README and the pages of the library have whole programs", () => {
  const pages = programs.map(({ place }) => place.replace(/:\d+$/, ""));
  expect(pages.filter((page) => page === "README.md")).toHaveLength(2);
  expect(pages).toContain("docs/own-tools.md");
});

test.each(programs)("$place runs", async ({ place, code }) => {
  const file = join(cwd, `${place.replaceAll(/\W/g, "-")}.mjs`);
  await writeFile(file, code);
  const outcome = await new Promise<{ failed: boolean; stderr: string }>((done) => {
    execFile(
      process.execPath,
      [file],
      { cwd, env: { ...process.env, CODEMODE_TRUST: "1" } },
      (error, _stdout, stderr) => done({ failed: error !== null, stderr }),
    );
  });
  expect(outcome, pathToFileURL(file).href).toEqual({ failed: false, stderr: "" });
});

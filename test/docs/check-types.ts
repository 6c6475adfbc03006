import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Finding, UNCHECKED } from "./finding.ts";
import type { Block, Page } from "./parse-page.ts";

const GLOBALS = `declare var __codemode_input__: unknown;
declare var __codemode_result__: unknown;
/** Of the examples of the library. */
declare const project: import("codemode").Project;
declare const engine: import("codemode").Engine;
`;

/**
 * Type errors in the `ts` and `js` blocks of pages, by the path of the page; one run of the compiler for all. Each block is a module of its own; one with a title
 * is found under it by the others of its page. The packages of servers are this repository's own; `files` is another name of `filesystem`.
 */
export function checkTypes(pages: ReadonlyMap<string, Page>): Map<string, Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "codemode-blocks-"));
  try {
    writeProject(folder);
    const places = new Map<string, string>();
    for (const [path, { blocks }] of pages) {
      for (const block of blocks.filter(isTyped)) places.set(writeBlock(folder, path, block, places), path);
    }
    return readErrors(compile(folder), places);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isTyped({ language, directive }: Block): boolean {
  return (language === "ts" || language === "js") && directive?.name !== UNCHECKED;
}

function writeProject(folder: string): void {
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "globals.d.ts"), GLOBALS);
  const options = {
    extends: resolve("test/tsconfig.json"),
    compilerOptions: {
      allowJs: true,
      checkJs: true,
      moduleDetection: "force",
      rootDir: "/",
      noUnusedLocals: false,
      paths: {
        "@codemode/servers/files": [resolve("generated/filesystem/index.d.ts")],
        "@codemode/servers/demo-notes": [resolve("generated/filesystem/index.d.ts")],
        "@codemode/servers/*": [resolve("generated/*/index.d.ts")],
        codemode: [resolve("dist/codemode.d.ts")],
        "@codemode/errors": [resolve("runtime/bindings/errors.ts")],
        "@codemode/discovery": [resolve("runtime/bindings/discovery.ts")],
      },
      typeRoots: [resolve("node_modules/@types")],
    },
    include: ["pages/**/*", "globals.d.ts"],
    exclude: [],
    references: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
}

/** Writes a block so that its lines have the numbers that they have in the page. */
function writeBlock(
  folder: string,
  path: string,
  { line, title, language, text }: Block,
  taken: ReadonlyMap<string, string>,
): string {
  const own = join("pages", path, title ?? `block-${line}.${language}`);
  const file = taken.has(own) ? join("pages", path, `block-${line}.${language}`) : own;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), `${"\n".repeat(line)}${text}`);
  return file;
}

function compile(folder: string): string {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [compiler, "-p", ".", "--pretty", "false"], { cwd: folder, encoding: "utf8" })
    .stdout;
}

function readErrors(printed: string, places: ReadonlyMap<string, string>): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>([...new Set(places.values())].map((path) => [path, []]));
  for (const [, file = "", line, message] of printed.matchAll(/^(\S[^(\n]*)\((\d+),\d+\): error (.*)$/gm)) {
    const path = places.get(file);
    if (path === undefined) throw new Error(`The blocks cannot be checked: ${file}: ${message}`);
    found.get(path)?.push({ line: Number(line), problem: message as string });
  }
  if (places.size > 0 && /^error TS/m.test(printed)) throw new Error(printed);
  return found;
}

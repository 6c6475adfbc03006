import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findLoaded, type Loaded } from "../publishing/find-loaded.ts";

interface Packed {
  name: string;
  files: { path: string }[];
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const FOLDERS: Record<string, string> = {
  codemode: ".",
  "@codemode/openapi": "openapi",
  "@codemode/runtime": "runtime/bindings",
};

const { stdout } = await promisify(execFile)(
  "npm",
  ["pack", "--dry-run", "--json", "--ignore-scripts", "--workspaces", "--include-workspace-root"],
  { maxBuffer: 1e8 },
);
// npm 11 prints a list, later ones an object.
const packed = new Map((Object.values(JSON.parse(stdout)) as Packed[]).map((one) => [one.name, one]));

/** What all programs and declarations of each package load, as npm would publish them. */
const loaded = new Map(
  await Promise.all(Object.keys(FOLDERS).map(async (name) => [name, await loadedBy(name)] as const)),
);

async function loadedBy(name: string): Promise<Loaded> {
  const paths = packed
    .get(name)
    ?.files.map(({ path }) => path)
    .filter((path) => /\.[cm]?js$|\.d\.ts$/.test(path));
  expect(paths?.length, name).toBeGreaterThan(0);
  const found = await Promise.all(
    (paths ?? []).map(async (path) => findLoaded(path, await readFile(join(FOLDERS[name] as string, path), "utf8"))),
  );
  return {
    packages: [...new Set(found.flatMap(({ packages }) => packages))].toSorted(),
    computed: found.flatMap(({ computed }, index) => (isStarter(paths?.[index] ?? "") ? [] : computed)),
  };
}

/** It hands Node's own `import` on to the chunks of the program, which are read themselves. */
function isStarter(path: string): boolean {
  return /^dist\/program\/[a-z-]+\.c?js$/.test(path);
}

function listedIn({ dependencies, optionalDependencies, peerDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).toSorted();
}

test.each(Object.keys(FOLDERS))("%s depends on what its published files load, and on nothing else", async (name) => {
  const manifest = JSON.parse(await readFile(join(FOLDERS[name] as string, "package.json"), "utf8")) as Manifest;
  const { packages = [] } = loaded.get(name) ?? {};
  expect(
    packages.filter((one) => !listedIn(manifest).includes(one)),
    "loaded, and not listed",
  ).toEqual([]);
  expect(
    listedIn(manifest).filter((one) => !packages.includes(one)),
    "listed, and not loaded",
  ).toEqual([]);
});

test("a name that is computed is a file of the package, but for the transports of pino that nothing here uses", () => {
  const foreign = [...loaded.values()]
    .flatMap(({ computed }) => computed)
    .filter((load) => !/new URL\(|program\.href/.test(load));
  expect(foreign).toEqual(["createRequire(context).resolve(origin)"]);
});

const PROGRAM = `
import a from "a/part";
export * from "@b/c/d";
const e = require("e"), f = importModule(\`f\`), g = await import("g");
const h = createRequire(import.meta.url).resolve("@h/i/package.json");
const text = 'require("no")', name = "no";
path.resolve("no");
require("node:fs"), require("fs"), require("./own"), import("#own");
require(name);
`;

test("imports, exports, require and resolve count, with the package of each; texts, Node's modules and own files do not", () => {
  expect(findLoaded("a.js", PROGRAM)).toEqual({
    packages: ["@b/c", "@h/i", "a", "e", "f", "g"],
    computed: ["require(name)"],
  });
  const types = `/** import { no } from "no"; */\nimport type { A } from "a";\nexport declare const b: import("b/c").B;\n`;
  expect(findLoaded("a.d.ts", types)).toEqual({ packages: ["a", "b"], computed: [] });
});

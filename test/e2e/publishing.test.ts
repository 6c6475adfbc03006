import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTarball } from "../../extras/publish/format-tarball.ts";
import { parseTarball } from "../../extras/publish/packed-package.ts";
import { findDependencies } from "../publishing/installed-packages.ts";
import { lintExports, lintTypes } from "../publishing/lint-tarball.ts";
import { findNode } from "../node-versions/find-node.ts";
import { findLibraryProgram, makeSettings, TYPED_API, TYPED_USE } from "../publishing/library-programs.ts";
import { packRepository } from "../publishing/pack-repository.ts";
import { PLANTED, RESULTS, USE } from "../publishing/package-programs.ts";
import { COMPILERS, PNPM, runProgram } from "../publishing/programs.ts";
import { findExamples } from "../publishing/readme-examples.ts";
import { type Registry, startRegistry } from "../publishing/registry.ts";
import { runCodemode, SERVERS } from "./run-codemode.ts";

const run = promisify(execFile);
const PACKAGES = ["everything", "filesystem", "memory"].map((id) => `@acme/${id}-tools`);

/** Holds the project `author`, whose servers are packed, the registry, and two projects that install from it. */
let root = "";
let registry: Registry;
let serverTarballs: string[] = [];
/** Of `codemode`, `@codemode/openapi` and `@codemode/runtime`. */
let ownTarballs: string[] = [];

// One publication and one installation with each program; all tests look at the same.
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "codemode-test-"));
  registry = await startRegistry(join(root, "registry"));
  [serverTarballs, ownTarballs] = await Promise.all([
    packServers(join(root, "author")),
    packRepository(join(root, "own"), registry.environment),
    registry.stock(findDependencies(resolve("."))),
  ]);
  await Promise.all([...serverTarballs, ...ownTarballs].map((tarball) => registry.publish(tarball)));
  await Promise.all(["with-npm", "with-pnpm", "library"].map(makeUser));
  await runCodemode(["generate"], { cwd: join(root, "author") });
  await Promise.all([
    run("npm", ["install", "@codemode/runtime", "codemode", ...PACKAGES], inside("with-npm")),
    run("npm", ["install", "codemode", "@codemode/openapi"], inside("library")),
    run(process.execPath, [PNPM, "add", "@codemode/runtime", ...PACKAGES], inside("with-pnpm")),
  ]);
  for (const name of ["with-npm", "with-pnpm"]) {
    await cp(join(root, "author/generated"), join(root, name, "node_modules/@codemode/servers"), { recursive: true });
  }
}, 90_000);
afterAll(async () => {
  await registry.stop();
  await rm(root, { recursive: true });
});

async function packServers(folder: string): Promise<string[]> {
  await mkdir(folder);
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers: SERVERS }));
  expect(await runCodemode(["lock"], { cwd: folder })).toMatchObject({ code: 0 });
  await learnOfEcho(join(folder, "codemode.lock.json"));
  const packed = await runCodemode(["pack", "--scope", "@acme"], { cwd: folder });
  expect(packed).toMatchObject({ code: 0 });
  return packed.stdout
    .trim()
    .split("\n")
    .map((path) => join(folder, path));
}

/** As `codemode learn` writes it for a tool whose texts are JSON, which none of the three servers has with fields. */
async function learnOfEcho(file: string): Promise<void> {
  const issue = { title: { type: "string" }, labels: { type: "array", items: { type: "string" } } };
  const observed = {
    json: { type: "object", properties: issue, required: ["title"] },
    sources: { "0000000000000000": 2 },
  };
  const lockfile = JSON.parse(await readFile(file, "utf8")) as {
    servers: { everything: { tools: { name: string; observed?: object }[] } };
  };
  for (const tool of lockfile.servers.everything.tools) if (tool.name === "echo") tool.observed = observed;
  await writeFile(file, JSON.stringify(lockfile));
}

/** An empty project whose configuration reaches the three servers. */
async function makeUser(name: string): Promise<void> {
  await mkdir(join(root, name));
  await writeFile(join(root, name, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  await writeFile(join(root, name, "codemode.config.json"), JSON.stringify({ mcpServers: SERVERS }));
  await writeFile(join(root, name, "notes.txt"), "alpha\nbeta\n");
}

function inside(name: string): { cwd: string; env: NodeJS.ProcessEnv } {
  return { cwd: join(root, name), env: registry.environment };
}

test("the registry gives out what was packed, byte by byte", async () => {
  for (const tarball of serverTarballs) {
    const [, id = ""] = /acme-(\w+)-tools/.exec(tarball) ?? [];
    const answer = await fetch(`${registry.url}@acme/${id}-tools/-/${id}-tools-${versionOf(tarball)}.tgz`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(await readFile(tarball)), id).toBe(true);
  }
});

function versionOf(tarball: string): string {
  return /-(\d+\.\d+\.\d+)\.tgz$/.exec(tarball)?.[1] ?? "";
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    moduleDetection: "force",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: [],
    noEmit: true,
  },
  include: ["*.ts"],
};

describe.each(["with-npm", "with-pnpm"])("installed %s", (name) => {
  test.each([...COMPILERS])("TypeScript %s accepts its types and the examples of every README", async (_, compiler) => {
    const cwd = join(root, name);
    await writeFile(join(cwd, "tsconfig.json"), JSON.stringify(TSCONFIG));
    await writeFile(join(cwd, "use.ts"), USE);
    await writeFile(join(cwd, "planted.ts"), PLANTED);
    await writeFile(join(cwd, "results.ts"), RESULTS);
    const generated = RESULTS.replace(/@acme\/(\w+)-tools/g, "@codemode/servers/$1");
    await writeFile(join(cwd, "generated.ts"), generated);
    // The rest of the DOM takes the compilers longer than everything else.
    await writeFile(join(cwd, "console.d.ts"), "declare const console: { log(value: unknown): void };");
    for (const [index, example] of (await readExamples(cwd)).entries()) {
      await writeFile(join(cwd, `example-${index}.ts`), example);
    }
    expect(await runProgram(compiler, [], { cwd })).toEqual({ ok: true, output: "" });
  });

  test("it runs in Node, against the real servers of the nearest configuration", async () => {
    const cwd = join(root, name);
    const script = `${USE.replace(/, type \w+|: GetSumInput|: string\[\]|: unknown/g, "")}\nconsole.log(JSON.stringify(outcome));`;
    await writeFile(join(cwd, "use.js"), script);
    const { stdout } = await run(process.execPath, ["use.js"], inside(name));
    expect(JSON.parse(stdout)).toEqual({ server: "memory", names: ["alpha"], sum: "The sum of 40 and 2 is 42." });
  });
});

async function readExamples(cwd: string): Promise<string[]> {
  const readmes = PACKAGES.map((name) => readFile(join(cwd, "node_modules", name, "README.md"), "utf8"));
  const examples = (await Promise.all(readmes)).flatMap(findExamples);
  expect(examples).toHaveLength(3 * PACKAGES.length);
  return examples;
}

test("the installed codemode runs a script in the sandbox that imports them", async () => {
  const cwd = join(root, "with-npm");
  await cp(join(root, "author/codemode.lock.json"), join(cwd, "codemode.lock.json"));
  await rm(join(cwd, "memory.jsonl"), { force: true });
  await writeFile(join(cwd, "script.ts"), `${USE}\nexport default outcome;`);
  const codemode = join(cwd, "node_modules/codemode/dist/cli/main.js");
  const { stdout } = await run(process.execPath, [codemode, "run", "script.ts"], inside("with-npm"));
  expect(JSON.parse(stdout)).toEqual({ server: "memory", names: ["alpha"], sum: "The sum of 40 and 2 is 42." });
});

describe("codemode as a library, in a project that has nothing else", () => {
  let cwd = "";
  beforeAll(async () => {
    cwd = join(root, "library");
    const program = findLibraryProgram(await readFile("README.md", "utf8"));
    const files = {
      "codemode.config.json": JSON.stringify({ mcpServers: { "demo-notes": SERVERS.filesystem } }),
      "todo.txt": "- [ ] first\n- [ ] second\n",
      "program.ts": program,
      "program.js": program,
      "use.ts": TYPED_USE,
      "api.ts": TYPED_API,
    };
    for (const [file, text] of Object.entries(files)) await writeFile(join(cwd, file), text);
    for (const [file, compilerOptions] of Object.entries(makeSettings(resolve("node_modules/@types")))) {
      await writeFile(join(cwd, file), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    }
  });

  // Node 24 runs TypeScript.
  test.each([
    ["program.js", process.execPath],
    ["program.ts", findNode("24")],
  ])("the program of README.md locks, runs a script, prints its result and ends: %s", async (file, node) => {
    await rm(join(cwd, "codemode.lock.json"), { force: true });
    const { stdout, stderr } = await run(node, [file], inside("library"));
    expect([stdout, stderr]).toEqual(["- [ ] first\n", ""]);
    expect((await readFile(join(cwd, file), "utf8")).trim().split("\n").length).toBeLessThanOrEqual(10);
    expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toContain("read_text_file");
  });

  test.each([...COMPILERS])("TypeScript %s accepts its types, with each resolution of modules", async (_, compiler) => {
    for (const settings of ["tsconfig.json", "tsconfig.bundler.json"]) {
      expect(await runProgram(compiler, ["-p", settings], { cwd })).toEqual({ ok: true, output: "" });
    }
  });
});

test("publint and attw find nothing to say against any package, and do find what is wrong with another", async () => {
  const tarballs = [...serverTarballs, ...ownTarballs];
  expect(tarballs).toHaveLength(6);
  for (const tarball of tarballs) {
    expect(await lintExports(tarball), tarball).toEqual([]);
    expect(await lintTypes(tarball), tarball).toEqual([]);
  }
  const wrong = {
    "package.json": '{"name":"x","version":"1.0.0","exports":{".":{"default":"./x.js","types":"./x.d.ts"}}}',
    "x.js": "export const x = 1;",
    "x.d.ts": "export declare const x: number;",
  };
  const files = Object.entries(wrong).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  await writeFile(join(root, "wrong.tgz"), await formatTarball(files));
  expect(await lintExports(join(root, "wrong.tgz"))).toContain("EXPORTS_TYPES_SHOULD_BE_FIRST");
  expect(await lintTypes(join(root, "wrong.tgz"))).not.toEqual([]);
});

test("the packages of this repository hold what was built and what describes it, and nothing else", async () => {
  const contents = await Promise.all(
    ownTarballs.map(async (file) => [basename(file), await listPacked(file)] as const),
  );
  const [command, openapi, runtime] = contents
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, paths]) => paths);
  expect(command?.filter((path) => !path.startsWith("dist/"))).toEqual([
    "LICENSE",
    "README.md",
    "package.json",
    "schemas/audit.schema.json",
    "schemas/config.schema.json",
    "schemas/doctor.schema.json",
    "schemas/lockfile.schema.json",
  ]);
  const made = command?.filter((path) => path.startsWith("dist/")) ?? [];
  expect(made.filter((path) => !MADE.test(path))).toEqual([]);
  expect(made).toEqual(
    expect.arrayContaining([
      "dist/cli/main.js",
      "dist/codemode.d.ts",
      "dist/program/library.js",
      "dist/sandbox/boot.cjs",
    ]),
  );
  expect(openapi?.map((path) => path.replace(/-[\w-]{8}\.js$/, "-HASH.js"))).toEqual([
    "LICENSE",
    "README.md",
    "dist/openapi.d.ts",
    ...["build-HASH.js", "main.js", "open-api-HASH.js", "server.js"].map((file) => `dist/program/${file}`),
    "dist/program/third-party-licenses.txt",
    "dist/sbom.cdx.json",
    "package.json",
  ]);
  const sources = [
    ...(await listSources("runtime/bindings")).map((path) => `runtime/bindings/${path}`),
    ...(await listSources("runtime/mcp/client")).map((path) => `runtime/mcp/client/${path}`),
    ...(await listSharedShapes()).map((path) => `schemas/${path}`),
  ];
  const built = sources.flatMap((path) => {
    const name = path.replace(/\.ts$/, "");
    // What runs in Node alone is reached through the same modules as everywhere, and needs no types of its own; but for what codemode itself imports.
    return /^(?:runtime\/(?:bindings\/node|mcp)|schemas)\//.test(name) && !FOR_CODEMODE.test(name)
      ? [`dist/${name}.js`]
      : [`dist/${name}.d.ts`, `dist/${name}.js`];
  });
  expect(runtime).toEqual(
    ["LICENSE", "README.md", "dist/runtime/bindings/linked.json", ...built, "package.json"].toSorted(),
  );
});

/** What the runtime takes from schemas/. */
async function listSharedShapes(): Promise<string[]> {
  const { files } = JSON.parse(await readFile("schemas/tsconfig.runtime.json", "utf8")) as { files: string[] };
  return files;
}

const FOR_CODEMODE =
  /^runtime\/(?:bindings\/node\/find-configuration|mcp\/client\/(?:env-files|placeholders|project-trust|server-environment|state-folder|windows-program))$/;

/** The linked program and what it finds the program by; what scripts of the build make of sources that are no modules. */
const MADE =
  /^dist\/(?:codemode\.d\.ts|sbom\.cdx\.json|cli\/(?:main\.d\.ts|(?:main|start-command)\.js)|program\/(?:[\w-]+\.c?js|third-party-licenses\.txt)|(?:extras\/ui\/report\/page|ui-page)\/[\w.-]+|sandbox\/(?:boot\.cjs|(?:main|realm|runtime|ses)\.js|third-party-licenses\.txt)|schemas\/(?:oldest-node\.js|(?:audit|config|doctor|lockfile)\.schema\.json))$/;

async function listPacked(tarball: string): Promise<string[]> {
  return [...(await parseTarball(await readFile(tarball))).keys()].toSorted();
}

async function listSources(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  return paths.filter((path) => path.endsWith(".ts") && !/(^|\/)(dist|node_modules)\//.test(path));
}

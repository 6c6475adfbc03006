import { appendFile, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { emitChanged, parseEmissionRecord } from "../../../engine/project/emit/emit-changed.ts";
import { checkPackages, generatePackages, type OutputChange } from "../../../engine/project/emit/generate-packages.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { lockfileOf, type RawTool } from "../../templates/lockfile-of.ts";
import { makeSharedFolder, makeTestFolder } from "../../make-test-folder.ts";

const inputSchema = { type: "object", properties: { text: { type: "string" } } };
const echo = { name: "echo", inputSchema };
const add = { name: "add", inputSchema };
const louder = { name: "echo", description: "Louder.", inputSchema };

const NOTHING: OutputChange = { written: [], removed: [] };
const RECORD = "node_modules/.cache/codemode/emitted.json";

interface EmissionFile {
  servers: { [id: string]: { stamps: object } };
}

interface Project {
  folder: string;
  generate(lockfile: Lockfile, names?: string[]): Promise<OutputChange>;
  check(lockfile: Lockfile): Promise<OutputChange>;
}

const SERVERS: Record<string, readonly RawTool[]> = { a: [echo, add], b: [echo] };
const LOCKFILE = lockfileOf(SERVERS);

function projectIn(folder: string, servers = SERVERS): Project {
  const entries = Object.keys(servers).map((name) => [name, { command: "server" }]);
  const config = toConfig({ mcpServers: Object.fromEntries(entries) }, join(folder, "codemode.config.json"), folder);
  return {
    folder: join(folder, "generated"),
    generate: (lockfile, names = []) => generatePackages({ config, lockfile, names }),
    check: (lockfile) => checkPackages({ config, lockfile }),
  };
}

const whole = await makeSharedFolder();
beforeAll(() => projectIn(whole).generate(LOCKFILE));

/** A copy of a project of the servers `a` and `b`, generated once. */
async function project(): Promise<Project> {
  const folder = await makeTestFolder();
  await cp(whole, folder, { recursive: true });
  return projectIn(folder);
}

const filesOf = (...modules: string[]): string[] =>
  modules.flatMap((module) => [`${module}.d.ts`, `${module}.js`, `${module}.validator.js`]);

test("what is there already is not written again", async () => {
  const { folder, generate } = await project();
  const before = await stat(join(folder, "a/tools/echo.js"), { bigint: true });
  expect(await generate(LOCKFILE)).toEqual(NOTHING);
  expect(await stat(join(folder, "a/tools/echo.js"), { bigint: true })).toMatchObject({ mtimeNs: before.mtimeNs });
});

test("an empty folder of a server that is gone goes, and one with files of a user stays", async () => {
  const { folder, generate } = await project();
  await mkdir(join(folder, "gone/tools"), { recursive: true });
  await mkdir(join(folder, "left"));
  expect(await generate(LOCKFILE, ["a"])).toEqual(NOTHING);
  expect((await readdir(folder)).toSorted()).toEqual(["a", "b", "package.json"]);
});

test("a changed tool is written again, the others of its server are not even emitted", async () => {
  const { generate, check } = await project();
  const change = await generate(lockfileOf({ a: [louder, add], b: [echo] }));
  expect(change).toEqual({
    written: ["a/meta.js", "a/tools.json", "a/tools/echo.d.ts", "a/tools/echo.js"],
    removed: [],
  });
  expect(await check(lockfileOf({ a: [louder, add], b: [echo] }))).toEqual(NOTHING);
});

test("the index of a server is emitted again for other names alone", async () => {
  const { folder, generate } = await project();
  await generate(LOCKFILE);
  const record = parseEmissionRecord(await readFile(join(folder, "..", RECORD), "utf8"));
  const emitted = async (tools: RawTool[]): Promise<string[]> => {
    const { files } = await emitChanged(folder, [...lockfileOf({ a: tools }).servers.values()], record);
    return files.map(({ path }) => path);
  };
  const ofServer = ["a/meta.js", "a/meta.d.ts", "a/tools.json"];
  expect(await emitted([louder, add])).toEqual(expect.arrayContaining([...ofServer, ...filesOf("a/tools/echo")]));
  expect(await emitted([louder, add])).toHaveLength(6);
  expect(await emitted([add])).toEqual(["a/index.js", "a/index.d.ts", ...ofServer]);
});

test("a new tool comes with its files, a removed one goes with them", async () => {
  const { generate, check } = await project();
  const without = lockfileOf({ a: [add], b: [echo] });
  expect(await generate(without)).toMatchObject({ removed: filesOf("a/tools/echo") });
  expect(await check(without)).toEqual(NOTHING);
  const { written } = await generate(lockfileOf({ a: [add, echo], b: [echo] }));
  expect(written).toEqual(expect.arrayContaining(filesOf("a/tools/echo")));
  expect(written).not.toContain("a/tools/add.js");
});

test("a tool whose types are called otherwise because of another tool is emitted again", async () => {
  const definitions = (name: string): RawTool => ({
    name: "get",
    inputSchema: { type: "object", properties: { a: { $ref: `#/$defs/${name}` } }, $defs: { [name]: inputSchema } },
  });
  const other = { name: "get_input", inputSchema: { ...inputSchema, $defs: {}, title: "x" } };
  const plain = { a: [definitions("Plain"), other] };
  const { generate, check } = projectIn(await makeTestFolder(), plain);
  await generate(lockfileOf(plain));
  const renamed = lockfileOf({ a: [definitions("Input"), other] });
  // The definition takes the name GetInputInput, which the other tool had.
  expect((await generate(renamed)).written).toEqual(expect.arrayContaining(["a/tools/get_input.d.ts"]));
  expect(await check(renamed)).toEqual(NOTHING);
});

test.each<[name: string, path: string, harm: (file: string) => Promise<unknown>]>([
  ["an edited module", "a/tools/echo.js", (file) => appendFile(file, "// edited\n")],
  ["an edited index", "a/index.js", (file) => writeFile(file, "")],
  ["an edited package.json", "package.json", (file) => writeFile(file, '{ "name": "@codemode/servers" }')],
  ["a missing validator", "b/tools/echo.validator.js", (file) => rm(file)],
  ["a damaged listing", "b/tools.json", (file) => writeFile(file, "{")],
])("%s is found and repaired", async (_, path, harm) => {
  const { folder, generate, check } = await project();
  const before = await readFile(join(folder, path), "utf8");
  await harm(join(folder, path));
  expect(await check(LOCKFILE)).toEqual({ written: [path], removed: [] });
  await harm(join(folder, path)).catch(() => undefined);
  expect(await generate(LOCKFILE)).toEqual({ written: [path], removed: [] });
  expect(await readFile(join(folder, path), "utf8")).toBe(before);
});

test("an edit is repaired too without an earlier check", async () => {
  const { folder, generate } = await project();
  await appendFile(join(folder, "a/tools/echo.js"), "// edited\n");
  expect(await generate(LOCKFILE)).toEqual({
    written: ["a/tools/echo.js"],
    removed: [],
  });
});

test("an edit is repaired after a look that has kept the stamps of files", async () => {
  const { folder, generate } = await project();
  const record = join(folder, "..", RECORD);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3000 });
  onTestFinished(() => void vi.useRealTimers());
  await generate(LOCKFILE);
  const [kept, text] = [await stat(record), await readFile(record, "utf8")];
  expect(Object.keys((JSON.parse(text) as EmissionFile).servers["a"]?.stamps ?? {})).toContain("a/tools/echo.js");
  await generate(LOCKFILE);
  expect(await stat(record)).toMatchObject({ mtimeMs: kept.mtimeMs });
  await appendFile(join(folder, "a/tools/echo.js"), "// edited\n");
  expect(await generate(LOCKFILE)).toEqual({ written: ["a/tools/echo.js"], removed: [] });
});

test("a file that is not ours to have there goes, with its folder", async () => {
  const { folder, generate, check } = await project();
  await mkdir(join(folder, "a/extra"));
  await writeFile(join(folder, "a/extra/evil.js"), "");
  expect(await check(LOCKFILE)).toEqual({ written: [], removed: ["a/extra/evil.js"] });
  expect(await generate(LOCKFILE)).toEqual({ written: [], removed: ["a/extra/evil.js"] });
  await expect(stat(join(folder, "a/extra"))).rejects.toThrow("ENOENT");
});

test("a check ignores the record, and its findings are repaired in spite of the record", async () => {
  const { folder, generate, check } = await project();
  const record = join(folder, "..", RECORD);
  const file = join(folder, "a/tools/echo.js");
  const evil = "export const echo = () => evil();\n";
  const { digestOf } = await import("../../../engine/project/emit/emit-changed.ts");
  const forged = (await readFile(record, "utf8")).replaceAll(digestOf(await readFile(file)), digestOf(evil));
  await writeFile(file, evil);
  await writeFile(record, forged);
  expect(await check(LOCKFILE)).toEqual({ written: ["a/tools/echo.js"], removed: [] });
  expect(await generate(LOCKFILE)).toEqual({ written: ["a/tools/echo.js"], removed: [] });
});

test.each(["", "{", "[]", '{"version":"0"}', '{"servers":5}'])(
  "a record that says %j makes everything be compared",
  async (text) => {
    const { folder, generate } = await project();
    await writeFile(join(folder, "..", RECORD), text);
    await appendFile(join(folder, "b/index.js"), "// edited\n");
    expect(await generate(LOCKFILE)).toEqual({ written: ["b/index.js"], removed: [] });
  },
);

test("with names, other servers are neither repaired nor removed", async () => {
  const { folder, generate } = await project();
  for (const path of ["a/index.js", "b/index.js"]) await writeFile(join(folder, path), "");
  expect(await generate(LOCKFILE, ["b"])).toEqual({ written: ["b/index.js"], removed: [] });
  expect(await generate(LOCKFILE)).toEqual({ written: ["a/index.js"], removed: [] });
});

test.each(["node_modules/.cache", "node_modules/.cache/codemode"])(
  "where %s is a link, nothing is written, read or removed behind it",
  async (path) => {
    const { folder, generate, check } = await project();
    const link = join(folder, "..", path);
    const victim = join(folder, "..", "victim");
    await rm(link, { recursive: true });
    await mkdir(victim);
    await writeFile(join(victim, "emitted.json"), "mine");
    await symlink(victim, link);
    const changed = lockfileOf({ a: [louder, add], b: [echo] });
    expect((await generate(changed)).written).toContain("a/tools/echo.js");
    expect((await check(LOCKFILE)).written).toContain("a/tools/echo.js");
    expect(await readdir(victim)).toEqual(["emitted.json"]);
    expect(await readFile(join(victim, "emitted.json"), "utf8")).toBe("mine");
  },
);

test("a link in the place of a server's folder is replaced, and what it leads to stays as it is", async () => {
  const { folder, generate } = await project();
  const elsewhere = await makeTestFolder();
  await writeFile(join(elsewhere, "index.js"), "precious");
  await rm(join(folder, "a"), { recursive: true });
  await symlink(elsewhere, join(folder, "a"));
  await generate(lockfileOf({ a: [louder, add], b: [echo] }));
  expect(await readdir(elsewhere)).toEqual(["index.js"]);
  expect(await readFile(join(elsewhere, "index.js"), "utf8")).toBe("precious");
  expect(await readFile(join(folder, "a/tools/echo.d.ts"), "utf8")).toContain("Louder.");
  expect(await readdir(join(folder, "a/tools"))).toEqual(filesOf("add", "echo"));
});

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stateName } from "@codemode/runtime/state-folder";
import {
  hasObservations,
  newSourceId,
  readObservations,
  writeObservations,
} from "../../../extras/learn/observed-store.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { Observations } from "../../../schemas/observed/learn-into.ts";
import { countResults } from "../../../schemas/observed/observed-results.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const PROJECT = "/project";
const LOCKFILE = lockfileOf({ files: [{ name: "read" }, { name: "write" }], notes: [{ name: "list" }] });
const SOURCE = "s".repeat(16);
let state: string;
let folder: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "codemode-state-"));
  vi.stubEnv("XDG_STATE_HOME", state);
  folder = join(state, "codemode", "observed", stateName(PROJECT));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(state, { recursive: true });
});

/** One result of each tool that is named, as `SERVER/TOOL`. */
function observed(source: string, ...tools: string[]): Observations {
  const servers = new Map<string, Map<string, { sources: Map<string, number>; shape: { text: true } }>>();
  for (const tool of tools) {
    const [server = "", name = ""] = tool.split("/");
    const known = servers.get(server) ?? new Map();
    servers.set(server, known.set(name, { sources: new Map([[source, 1]]), shape: { text: true } }));
  }
  return servers;
}

const write = (source: string, ...tools: string[]) =>
  writeObservations(PROJECT, source, observed(source, ...tools), LOCKFILE);

/** How many results of each tool are kept. */
async function kept(lockfile = LOCKFILE): Promise<object> {
  const { observations } = await readObservations(PROJECT, lockfile);
  const tools = [...observations].flatMap(([id, seen]) =>
    [...seen].map(([name, results]) => [`${id}/${name}`, countResults(results)] as const),
  );
  return Object.fromEntries(tools);
}

it("has what each series of runs has written last, for this account alone", async () => {
  expect(await kept()).toEqual({});
  expect(await hasObservations(PROJECT, SOURCE)).toBe(false);
  await write(SOURCE, "files/read");
  await write(SOURCE, "files/read", "notes/list");
  const other = newSourceId();
  expect(other).toMatch(/^[\w-]{16}$/);
  await write(other, "files/read");
  expect(await kept()).toEqual({ "files/read": 2, "notes/list": 1 });
  expect([await hasObservations(PROJECT, SOURCE), await hasObservations("/another", SOURCE)]).toEqual([true, false]);
  expect((await stat(join(folder, `${SOURCE}.json`))).mode & 0o777).toBe(0o600);
});

it("joins its files when there are more than sixteen", async () => {
  const counts: number[] = [];
  for (let file = 0; file < 17; file += 1) {
    await write(newSourceId(), "files/read");
    counts.push((await readdir(folder)).length);
  }
  expect(counts).toEqual([...Array.from({ length: 16 }, (_, index) => index + 1), 1]);
  expect(await kept()).toEqual({ "files/read": 17 });
});

it("leaves no file where nothing is left, and never touches a file of others", async () => {
  await write(SOURCE, "files/read", "files/write");
  await writeFile(join(folder, "notes.json"), "{}");
  await (await readObservations(PROJECT, LOCKFILE)).drop((id, name) => `${id}/${name}` === "files/write");
  expect(await kept()).toEqual({ "files/read": 1 });
  expect(await hasObservations(PROJECT, SOURCE)).toBe(false);
  await (await readObservations(PROJECT, LOCKFILE)).drop(() => true);
  expect(await readdir(folder)).toEqual(["notes.json"]);
});

it("drops what was read, and nothing that came since", async () => {
  await write(SOURCE, "files/read");
  const { drop } = await readObservations(PROJECT, LOCKFILE);
  await write(newSourceId(), "files/write");
  await drop(() => true);
  // Another process has taken it too.
  await drop(() => true);
  expect(await kept()).toEqual({ "files/write": 1 });
});

it("keeps nothing of a tool that is not locked", async () => {
  await write(SOURCE, "files/none", "none/read", "files/read");
  expect(await kept()).toEqual({ "files/read": 1 });
  const text = await readFile(join(folder, `${SOURCE}.json`), "utf8");
  expect(text).toContain(String(LOCKFILE.servers.get("files")?.tools[0]?.integrity));
});

const entry = async (): Promise<{ [member: string]: JsonValue }> => {
  await write(SOURCE, "files/read");
  const { servers } = JSON.parse(await readFile(join(folder, `${SOURCE}.json`), "utf8"));
  return servers.files.read;
};

it.each<[string, (whole: { [member: string]: JsonValue }) => JsonValue | string]>([
  ["no JSON", () => "{"],
  ["no object", () => []],
  ["of another version", (read) => ({ version: 2, servers: { files: { read } } })],
  ["without servers", () => ({ version: 1 })],
  ["with a list of servers", (read) => ({ version: 1, servers: [{ read }] })],
  ["with a server that is a list", (read) => ({ version: 1, servers: { files: [read] } })],
  ["with a tool that is null", () => ({ version: 1, servers: { files: { read: null } } })],
  ["with a tool that is a text", () => ({ version: 1, servers: { files: { read: "text" } } })],
  ["with a tool of another integrity", (read) => ({ version: 1, servers: { files: { write: read } } })],
  ["without what was observed", ({ integrity = "" }) => ({ version: 1, servers: { files: { read: { integrity } } } })],
  [
    "with what no result has",
    (read) => ({ version: 1, servers: { files: { read: { ...read, observed: { text: 1 } } } } }),
  ],
])("takes nothing out of a file %s, and all out of the others", async (_name, make) => {
  const read = await entry();
  const broken = make(read);
  await writeFile(join(folder, `${SOURCE}.json`), typeof broken === "string" ? broken : JSON.stringify(broken));
  await mkdir(join(folder, `${"x".repeat(16)}.json`));
  expect(await kept()).toEqual({});
  await write(newSourceId(), "files/read");
  expect(await kept()).toEqual({ "files/read": 1 });
});

it("takes nothing out of a file of more than 16 MiB, or of another name", async () => {
  const read = await entry();
  const text = JSON.stringify({ version: 1, servers: { files: { read } } });
  await writeFile(join(folder, `${SOURCE}.json`), text.padEnd(16 * 1024 * 1024));
  expect(await kept()).toEqual({ "files/read": 1 });
  await writeFile(join(folder, `${SOURCE}.json`), text.padEnd(16 * 1024 * 1024 + 1));
  for (const name of ["x.json", `${"x".repeat(17)}.json`, `${"x".repeat(16)}.jsonx`, `${"x".repeat(15)}.son.json`])
    await writeFile(join(folder, name), text);
  expect(await kept()).toEqual({});
});

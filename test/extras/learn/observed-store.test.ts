import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { collectShapes } from "../../../extras/learn/collect-shapes.ts";
import { readObservations } from "../../../extras/learn/observed-store.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import { countResults } from "../../../schemas/observed/observed-results.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const LOCKFILE: Lockfile = lockfileOf({ files: [{ name: "read" }, { name: "write" }] });
const [READ, WRITE] = ["read", "write"].map((toolName) => ({ serverId: "files", toolName })) as [
  { serverId: string; toolName: string },
  { serverId: string; toolName: string },
];
let state: string;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "codemode-state-"));
  vi.stubEnv("XDG_STATE_HOME", state);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(state, { recursive: true });
});

/** How many results of each tool wait to be learned. */
async function pending(): Promise<object> {
  const { observations } = await readObservations("/project", LOCKFILE);
  const tools = [...(observations.get("files") ?? [])].map(([name, seen]) => [name, countResults(seen)] as const);
  return Object.fromEntries(tools);
}

/** Results of one process, written at once. */
async function leave(...tools: (typeof READ)[]): Promise<void> {
  const collector = collectShapes("/project", () => LOCKFILE);
  for (const tool of tools) collector.add(tool, { text: true });
  await collector.close();
}

it("counts the results of all processes, also when their files are joined into one", async () => {
  for (let process = 0; process < 20; process += 1) await leave(READ, READ);
  expect(await pending()).toEqual({ read: 40 });
  const files = await readdir(join(state, "codemode", "observed"), { recursive: true });
  expect(files.filter((name) => name.endsWith(".json")).length).toBeLessThanOrEqual(16);
});

it("drops what is named, and keeps the rest", async () => {
  await leave(READ, WRITE);
  await leave(WRITE);
  await (await readObservations("/project", LOCKFILE)).drop((_, toolName) => toolName === "write");
  expect(await pending()).toEqual({ read: 1 });
  await (await readObservations("/project", LOCKFILE)).drop(() => true);
  expect(await pending()).toEqual({});
});

it("holds nothing of a tool that has changed since, or is gone", async () => {
  await leave(READ, WRITE);
  const changed = lockfileOf({ files: [{ name: "read", description: "Another text." }] });
  const { observations } = await readObservations("/project", changed);
  expect([...(observations.get("files") ?? [])]).toEqual([]);
  expect(await pending()).toEqual({ read: 1, write: 1 });
});

it("does not write again what was dropped while a process goes on", async () => {
  const collector = collectShapes("/project", () => LOCKFILE);
  for (const tool of [READ, WRITE]) collector.add(tool, { text: true });
  await collector.close();
  await (await readObservations("/project", LOCKFILE)).drop((_, toolName) => toolName === "write");
  collector.add(READ, { text: true });
  await collector.close();
  expect(await pending()).toEqual({ read: 2 });
});

import { describe, expect, test } from "vitest";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { ServeEntry } from "../../../schemas/config/config-file.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { manyServers, ownLockfile, presentationOf } from "./view-of.ts";

const listed = async (lockfile = ownLockfile, entry: ServeEntry = {}): Promise<JsonObject[]> =>
  presentationOf(lockfile, entry).surface.listTools();

async function hintOf(lockfile: Lockfile): Promise<unknown> {
  const [tool] = await listed(lockfile);
  expect(tool).toHaveProperty("_meta");
  return (tool as { _meta: JsonObject })._meta["anthropic/searchHint"];
}

describe("clients that hide tools until a model searches for them", () => {
  test.each(["run", "search", "files"] as const)("show those of the surface %s at once", async (surface) => {
    for (const { _meta } of await listed(ownLockfile, { surface }))
      expect(_meta).toMatchObject({ "anthropic/alwaysLoad": true });
  });

  test("do not do so for tools that are shown as they are", async () => {
    const [, direct] = await listed(ownLockfile, { direct: ["memory/read_graph"] });
    expect(direct?.["_meta"]).toBeUndefined();
  });

  test("find the run tool by its servers and by words of their tools", async () => {
    expect(await hintOf(ownLockfile)).toMatch(
      /^everything [a-z ]+, filesystem [a-z ]*\bfile\b[a-z ]*, memory [a-z ]*\bentities\b[a-z ]*$/,
    );
  });

  test("get a hint of bounded length, made of plain words", async () => {
    const poison = "\u202eignore_previous\n{{types}}<script>";
    const long = Array.from({ length: 300 }, (_, index) => ({ name: `${"x".repeat(5000)}_${index}_${poison}` }));
    for (const lockfile of [manyServers(1000), lockfileOf({ shop: long })]) {
      expect(await hintOf(lockfile)).toMatch(/^[a-z0-9 ,-]{1,300}$/);
    }
  });
});

describe("the annotations of the run tool say what a script can do at most", () => {
  const READS = { readOnlyHint: true };
  const ADDS = { readOnlyHint: false, destructiveHint: false };
  const tools = (...annotations: (JsonObject | undefined)[]) =>
    lockfileOf({
      shop: annotations.map((given, index) => ({
        name: `tool_${index}`,
        ...(given === undefined ? {} : { annotations: given }),
      })),
    });

  test.each([
    [tools(READS, READS), { readOnlyHint: true, destructiveHint: false, openWorldHint: true }],
    [tools({ ...READS, openWorldHint: false }), { readOnlyHint: true, destructiveHint: false, openWorldHint: false }],
    [tools(READS, ADDS), { readOnlyHint: false, destructiveHint: false, openWorldHint: true }],
    [tools(READS, undefined), { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
    [tools(READS, { readOnlyHint: "yes" }), { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
    [{ servers: new Map() }, { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
  ])("%#", async (lockfile, want) => {
    for (const surface of ["run", "search", "files"] as const)
      expect((await listed(lockfile, { surface })).at(-1)?.["annotations"]).toEqual(want);
  });

  test("follow the lockfile though the description stays the same", async () => {
    const [reads] = await listed(tools(READS));
    const [adds] = await listed(tools(ADDS));
    expect(reads?.["annotations"]).not.toEqual(adds?.["annotations"]);
  });
});

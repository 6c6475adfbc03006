import { expect, test } from "vitest";
import { present } from "../../../serve/present.ts";
import { ownAccess, visibleLockfile } from "../../../schemas/access/access.ts";
import { toServeSettings } from "../../../schemas/config/serve-settings.ts";
import type { ServeEntry } from "../../../schemas/config/config-file.ts";
import { oddTools } from "../../servers/hostile-tools.mjs";
import { lockfileOf, type RawTool } from "../../templates/lockfile-of.ts";
import { callText, ownLockfile, plainCall, presentationOf, viewOf } from "./view-of.ts";

async function namesOf(lockfile: typeof ownLockfile, entry: ServeEntry): Promise<string[]> {
  const tools = await presentationOf(lockfile, entry).surface.listTools();
  return tools.map(({ name }) => String(name));
}

test("no tool is shown plainly unless the configuration says so", async () => {
  expect(await namesOf(ownLockfile, {})).toEqual(["codemode.run"]);
  expect(await callText(presentationOf(ownLockfile), "everything_echo", { message: "hi" })).toBeUndefined();
});

test("tools that match a pattern stand beside the surface", async () => {
  const direct = ["everything/get-s*", "memory/read_graph"];
  expect(await namesOf(ownLockfile, { direct })).toEqual([
    "codemode.run",
    "everything_get_structured_content",
    "everything_get_sum",
    "memory_read_graph",
  ]);
  expect(await namesOf(ownLockfile, { direct: ["memory/read_graph"], surface: "search" })).toEqual([
    "search",
    "execute",
    "memory_read_graph",
  ]);
});

test("they are described as the lockfile has them", async () => {
  const locked = ownLockfile.servers.get("memory")?.tools.find(({ name }) => name === "read_graph");
  const tools = await presentationOf(ownLockfile, { direct: ["memory/read_graph"] }).surface.listTools();
  expect(tools.at(-1)).toEqual({
    name: "memory_read_graph",
    title: locked?.title,
    description: locked?.description,
    inputSchema: locked?.inputSchema,
    outputSchema: locked?.outputSchema,
    annotations: locked?.annotations,
  });
});

test("a call goes to the tool, and the run tool still answers", async () => {
  const { view, performed } = viewOf(ownLockfile);
  const { surface } = present(view, toServeSettings({ direct: ["everything/*"] }));
  await surface.callTool("everything_get_sum", { a: 1, b: 2 }, plainCall);
  await surface.callTool("everything_get_env", undefined, plainCall);
  expect(performed.calls).toEqual([
    { serverId: "everything", toolName: "get-sum", input: { a: 1, b: 2 } },
    { serverId: "everything", toolName: "get-env", input: {} },
  ]);
  await surface.callTool("codemode_run", { code: "1" }, plainCall);
  expect(performed.scripts).toHaveLength(1);
});

test("what the client may not call is not there", async () => {
  const visible = visibleLockfile(ownLockfile, ownAccess({ allow: ["*"], ask: [], deny: ["memory/*", "*/get-env"] }));
  const names = await namesOf(visible, { direct: ["*"] });
  expect(names.filter((name) => name.startsWith("memory") || name.includes("env"))).toEqual([]);
  expect(names).toContain("everything_echo");
  expect(await callText(presentationOf(visible, { direct: ["*"] }), "everything_get_env")).toBeUndefined();
});

test("names are legal, unlike each other, and do not depend on other tools", async () => {
  const long = "x".repeat(100);
  const tools: RawTool[] = [{ name: "éé" }, { name: "ee$" }, { name: long }, { name: `${long}y` }, { name: "a b/c" }];
  const names = (await namesOf(lockfileOf({ odd: tools }), { direct: ["*"] })).slice(1);
  expect(new Set(names).size).toBe(tools.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  const alone = (await namesOf(lockfileOf({ odd: [{ name: `${long}y` }] }), { direct: ["*"] })).slice(1);
  expect(names).toEqual(expect.arrayContaining(alone));
});

test("no tool of a server can take the name of a tool of the surface", async () => {
  const tools = lockfileOf({ codemode: [{ name: "run" }] });
  expect(await namesOf(tools, { direct: ["*"] })).toEqual(["codemode.run", "codemode_run2"]);
  expect(await namesOf(tools, { direct: ["*"], toolName: "codemode_run2" })).toEqual([
    "codemode_run2",
    "codemode_run3",
  ]);
});

test("clients accept the list for every input of a server", async () => {
  const broken: RawTool[] = [
    { name: "bool", inputSchema: { type: "object", properties: { a: true, b: false, c: 7 }, required: "a" } },
    { name: "hints", annotations: { title: 7, readOnlyHint: "yes", destructiveHint: true } },
  ];
  const named = (oddTools as RawTool[]).filter(({ name }) => name !== "null-title" && name !== "null-description");
  const lockfile = lockfileOf({ odd: [...named, ...broken] });
  const tools = (await presentationOf(lockfile, { direct: ["*"] }).surface.listTools()).slice(1);
  expect(tools).toHaveLength(named.length + broken.length);
  for (const tool of tools) {
    expect(tool["inputSchema"]).toMatchObject({ type: "object" });
    const { properties = {}, required = [] } = tool["inputSchema"] as { properties?: object; required?: unknown[] };
    for (const schema of Object.values(properties)) expect(schema).toBeTypeOf("object");
    for (const name of required) expect(name).toBeTypeOf("string");
    if (tool["outputSchema"] !== undefined) expect(tool["outputSchema"]).toMatchObject({ type: "object" });
  }
  const byName = new Map(tools.map((tool) => [tool["name"], tool]));
  expect(byName.get("odd_bool")?.["inputSchema"]).toEqual({
    type: "object",
    properties: { a: {}, b: { not: {} }, c: {} },
  });
  expect(byName.get("odd_hints")?.["annotations"]).toEqual({ destructiveHint: true });
  expect(byName.get("odd_array_output")).not.toHaveProperty("outputSchema");
});

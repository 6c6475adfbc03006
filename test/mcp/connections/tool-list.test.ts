import type { JsonObject } from "../../../schemas/json/json.ts";
import { describe, expect, it } from "vitest";
import { audiences, oddTools } from "../../servers/hostile-tools.mjs";
import { listServerTools } from "../../../runtime/mcp/client/list-pages.ts";
import { connect, failureOf, misbehaving } from "./misbehaving.ts";

describe("the snapshot of a tool list", () => {
  it("keeps every entry exactly as it came, however wrong its schemas", async () => {
    const connection = await connect(misbehaving(["odd"]));
    const { tools, problems } = await connection.snapshot();
    expect(JSON.stringify(tools)).toBe(JSON.stringify(oddTools));
    expect(problems).toBeUndefined();
    expect(Object.getPrototypeOf(tools.at(-1))).toBe(Object.prototype);
    expect(Object.hasOwn(tools.at(-1) as object, "__proto__")).toBe(true);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("leaves out entries that cannot be tools, and later ones of the same name, and reports them", async () => {
    const connection = await connect(misbehaving(["unusable"]));
    const { tools, problems } = await connection.snapshot();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ["first", "first"],
      ["odd-execution", "odd-execution"],
      ["maybe-long", "maybe-long"],
      ["last", "last"],
    ]);
    expect(problems).toEqual([
      { reason: "not-an-object", position: 1 },
      { reason: "not-an-object", position: 2 },
      { reason: "not-an-object", position: 3 },
      { reason: "no-name", position: 4 },
      { reason: "no-name", position: 5 },
      { reason: "no-name", position: 6 },
      { reason: "duplicate-name", position: 7, name: "first" },
      { reason: "needs-task", position: 8, name: "long-work" },
    ]);
  });

  it("leaves out tools that MCP Apps keep for their page, also where who may call them is not understood", async () => {
    const connection = await connect(misbehaving(["audiences"]));
    const { tools, problems = [] } = await connection.snapshot();
    const namesOf = (isForModels: boolean): string[] =>
      audiences.filter((tool) => tool.isForModels === isForModels).map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual(namesOf(true));
    expect(problems.map(({ reason, name }) => `${reason} ${name}`)).toEqual(
      namesOf(false).map((name) => `app-only ${name}`),
    );
  });

  it("walks all pages, each time from the start", async () => {
    const connection = await connect(misbehaving(["pages"]));
    for (let round = 0; round < 2; round += 1) {
      const { tools } = await connection.snapshot();
      expect(tools.map(({ name }) => name)).toEqual(["tool-0", "tool-1", "tool-2", "tool-3", "tool-4"]);
    }
  });

  it.each([null, ""])("ends at the cursor %j", async (nextCursor) => {
    expect((await listServerTools(async () => ({ tools: [{ name: "only" }], nextCursor }))).tools).toHaveLength(1);
  });

  it("refuses one that has no end, or a cursor that is no text", async () => {
    let pages = 0;
    const endless = listServerTools(async () => ({ tools: [], nextCursor: `${(pages += 1)}` }));
    await expect(endless).rejects.toThrow("over 1000 pages");
    const numbered = listServerTools(async () => ({ tools: [], nextCursor: 1 }));
    await expect(numbered).rejects.toThrow("cursor of tools/list is not a string");
  });

  it("refuses a list that is none, and the connection lives on", async () => {
    const connection = await connect(misbehaving(["no-array"]));
    expect(await failureOf(connection.snapshot())).toMatchObject({
      kind: "protocol",
      message: expect.stringContaining("no array of tools"),
    });
    await connection.callTool("echo", {});
  });

  it("uses a list whose cursor comes again as far as it came, with a warning", async () => {
    const pages = [
      { tools: [{ name: "a" }], nextCursor: "1" },
      { tools: [{ name: "b" }, { name: "a" }], nextCursor: "1" },
    ];
    let asked = 0;
    const { tools, problems } = await listServerTools(async () => pages[Math.min((asked += 1), 2) - 1] as JsonObject);
    expect(tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(problems).toEqual([{ reason: "repeated-cursor", position: 2 }]);
    expect(asked).toBe(2);
  });

  it("refuses a hundred thousand tools", async () => {
    const page = { tools: Array.from({ length: 60_000 }, (_, index) => ({ name: `tool-${index}` })) };
    let pages = 0;
    const endless = listServerTools(async () => ({ ...page, nextCursor: `${(pages += 1)}` }));
    await expect(endless).rejects.toThrow("over 100000 tools");
    expect(pages).toBe(2);
  });

  it("is empty for a server that has no tools", async () => {
    const connection = await connect(misbehaving(["no-tools"]));
    expect((await connection.snapshot()).tools).toEqual([]);
  });

  it("times out as a whole, and can be cancelled", async () => {
    const connection = await connect(misbehaving(["hang-at-list"], { timeoutMs: 1_000 }));
    const signal = AbortSignal.timeout(100);
    expect(await failureOf(connection.snapshot(signal))).toMatchObject({ kind: "cancelled" });
    expect(await failureOf(connection.snapshot())).toMatchObject({
      kind: "timeout",
      message: 'server "test" did not answer tools/list within 1 s',
    });
    await connection.callTool("echo", {});
  });
});

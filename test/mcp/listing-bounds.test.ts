import { expect, test } from "vitest";
import { listPages } from "../../runtime/mcp/client/list-pages.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

const TOOLS = { method: "tools/list", key: "tools", most: 100_000 };
const nested = (levels: number): JsonValue => JSON.parse(`${"[".repeat(levels)}1${"]".repeat(levels)}`) as JsonValue;
const list = (...pages: JsonValue[][]): Promise<JsonValue[]> =>
  listPages(TOOLS, async ({ cursor = "0" }) => {
    const page = Number(cursor);
    return { tools: pages[page] ?? [], ...(page + 1 < pages.length && { nextCursor: `${page + 1}` }) };
  });

test("an entry may be nested 256 levels deep, and one that is deeper is refused by its name", async () => {
  expect(await list([nested(256)])).toEqual([nested(256)]);
  await expect(list([nested(257)])).rejects.toThrow("an entry of tools/list is nested more than 256 levels deep");
  await expect(list([{ name: "dig", inputSchema: nested(100_000) }])).rejects.toThrow(
    'the entry "dig" of tools/list is nested more than 256 levels deep',
  );
  await expect(list([{ uriTemplate: "note:///{id}", _meta: nested(300) }])).rejects.toThrow('"note:///{id}"');
});

test("what all pages of a list hold is bounded, in number and in length", async () => {
  const many = Array.from({ length: 800_000 }, () => 0);
  const tool = (name: string, value: JsonValue): JsonValue => ({ name, inputSchema: { enum: value } });
  expect(await list([tool("first", many)], [tool("second", many)])).toHaveLength(2);
  await expect(list([tool("first", many)], [tool("second", many)], [tool("third", many)])).rejects.toThrow(
    'the entry "third" of tools/list has, with those before it, more than 2000000 values',
  );
  const long = "x".repeat(40 * 1024 * 1024);
  await expect(list([tool("first", long)], [tool("second", { [long]: 1 })])).rejects.toThrow(
    'the entry "second" of tools/list has, with those before it, more than 67108864 characters',
  );
});

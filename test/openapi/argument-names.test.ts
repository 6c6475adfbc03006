import { expect, test } from "vitest";
import { nameArguments, toArgumentName } from "../../openapi/tools/argument-names.ts";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

test.each([
  ["DateSent", "DateSent"],
  ["DateSent<", "DateSent_lt"],
  ["DateSent>", "DateSent_gt"],
  ["DateSent<=", "DateSent_lte"],
  ["DateSent>=", "DateSent_gte"],
  ["<age", "lt_age"],
  ["age<max", "age_lt_max"],
  ["status!", "status_not"],
  ["!status", "not_status"],
  ["status!=", "status_ne"],
  ["name~", "name_like"],
  ["+tag", "plus_tag"],
  ["page[size]", "page_size_"],
  ["$filter", "_filter"],
  ["日本", "_"],
  ["", "value"],
  ["__proto__", "value"],
])("%s is the argument %s", (name, argument) => {
  expect(toArgumentName(name)).toBe(argument);
});

test("every argument has a name of its own, whichever signs tell them apart, and plain names keep theirs", () => {
  const query = (name: string) => ({ name, place: "query" });
  const names = (list: { name: string; place: string }[]) => [...nameArguments(list).values()];
  expect(names([query("a b"), query("a_b"), query("a(b")])).toEqual(["a_b_2", "a_b", "a_b_3"]);
  expect(names([query("id"), { name: "id", place: "path" }, { name: "id", place: "header" }])).toEqual([
    ...["query_id", "id", "header_id"],
  ]);
  const signs = ["<", ">", "<=", ">=", "!", "!=", "=", "~", "+", "*", "<>", "?", "%", "|", "&", "^"];
  const all = names(signs.map((sign) => query(`x${sign}`)));
  expect(new Set(all).size).toBe(signs.length);
  expect(all.every((name) => /^[\w.-]{1,64}$/.test(name))).toBe(true);
});

const TEXT = { type: "string", format: "date-time" };
const parameter = (name: string, place = "query") => ({
  in: place,
  name,
  schema: TEXT,
  description: "When it was sent.",
});

test("an argument whose name was changed says the name in the request first, and goes there", async () => {
  const { origin, seen } = await startScriptedApi((_, response) => response.end("{}"));
  const properties = { "files[0]": { type: "string" }, plain: { type: "string" } };
  const requestBody = { required: true, content: { "application/json": { schema: { type: "object", properties } } } };
  const document = makeDocument({
    "/list": {
      post: {
        operationId: "list",
        parameters: ["DateSent", "DateSent<", "DateSent>"].map((name) => parameter(name)),
        requestBody,
        ...answering({}),
      },
    },
  });
  const { api, call } = await connectApi(document, { baseUrl: origin });
  const shown = Object.entries(api.tools[0]?.inputSchema.properties ?? {}).map(([name, schema]) => [
    ...[name, (schema as { description?: string }).description],
  ]);
  expect(shown).toEqual([
    ["DateSent", "When it was sent."],
    ["DateSent_lt", "`DateSent<` in the query. When it was sent."],
    ["DateSent_gt", "`DateSent>` in the query. When it was sent."],
    ["files_0_", "`files[0]` in the body."],
    ["plain", undefined],
  ]);
  await call("list", { DateSent_lt: "a", DateSent_gt: "b" });
  expect(seen[0]?.url).toBe("/list?DateSent%3C=a&DateSent%3E=b");
});

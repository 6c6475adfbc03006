import { expect, test } from "vitest";
import { present } from "../../../serve/present.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { toServeSettings } from "../../../schemas/config/serve-settings.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { callText, ownLockfile, plainCall, presentationOf, viewOf } from "./view-of.ts";

const users = lockfileOf({
  crm: [
    {
      name: "get-user",
      description: "Get user by ID",
      inputSchema: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
      annotations: { readOnlyHint: true },
    },
    { name: "list-users", description: "List all users", inputSchema: { type: "object" } },
    { name: "send-mail", description: "Send a message", inputSchema: { type: "object" } },
  ],
  calendar: [{ name: "create-event", description: "Create an event", inputSchema: { type: "object" } }],
});
const presentation = presentationOf(users, { surface: "search" });

async function structured(input: JsonObject): Promise<JsonObject> {
  const { surface } = present(viewOf(users).view, toServeSettings({ surface: "search" }));
  return (await surface.callTool("search", input, plainCall))?.structuredContent as JsonObject;
}

test("matches come with the signatures that a script needs", async () => {
  expect((await callText(presentation, "search", { query: "get user by id", limit: 1 }))?.text)
    .toBe(`Found 1 of 4 tools.

// from "@codemode/servers/crm"
/** Get user by ID [read-only] */
export function get_user(input: { id: string }): Promise<string | McpResult>;`);
});

test("the same is there as a value", async () => {
  expect(await structured({ query: "get user by id", limit: 1 })).toEqual({
    query: "get user by id",
    count: 4,
    results: [
      {
        serverId: "crm",
        toolName: "get-user",
        exportName: "get_user",
        signature:
          "/** Get user by ID [read-only] */\nexport function get_user(input: { id: string }): Promise<string | McpResult>;",
      },
    ],
  });
});

test("names alone are shown where no more is asked for, and everything on demand", async () => {
  const names = await callText(presentation, "search", { query: "user", detail: "name" });
  expect(names?.text.split("\n").toSorted()).toEqual([
    "",
    '// from "@codemode/servers/crm"',
    "Found 2 of 4 tools.",
    "get_user",
    "list_users",
  ]);
  const full = await callText(presentation, "search", { query: "get user", limit: 1, detail: "full" });
  expect(full?.text).toContain("export interface GetUserInput {");
  expect(await structured({ query: "get user", limit: 1, detail: "full" })).toMatchObject({
    results: [
      { description: "Get user by ID", annotations: { readOnlyHint: true }, inputSchema: { required: ["id"] } },
    ],
  });
});

test("one server alone can be searched", async () => {
  const found = await callText(presentation, "search", { query: "event user mail", serverId: "calendar" });
  expect(found?.text).toMatch(/^Found 1 of 1 tools\.\n\n\/\/ from "@codemode\/servers\/calendar"\n/);
});

test("nothing found is no error", async () => {
  expect(await callText(presentation, "search", { query: "zebra" })).toEqual({
    text: "Found 0 of 4 tools. Try other words, or fewer.",
    isError: false,
  });
});

const refused: [JsonObject, string][] = [
  [{}, 'The argument "query" must be a string. Pass a text for query.'],
  [{ query: 7 }, 'The argument "query" must be a string. Pass a text for query.'],
  [{ query: "x", serverId: "crn" }, 'There is no server "crn". Did you mean "crm"?'],
  [{ query: "x", serverId: "constructor" }, 'There is no server "constructor". Leave serverId out to search all.'],
  [{ query: "x", limit: 0 }, 'The argument "limit" must be a whole number from 1. Leave limit out, or pass 1 or more.'],
  [{ query: "x", detail: "all" }, 'The argument "detail" must be "name", "description" or "full". Leave it out.'],
];

test.each(refused)("%j is refused with what to do", async (input, want) => {
  expect(await callText(presentation, "search", input)).toEqual({ text: want, isError: true });
});

test("of the real servers, the first match is the right one", async () => {
  const real = presentationOf(ownLockfile, { surface: "search" });
  expect((await callText(real, "search", { query: "add two numbers", limit: 1 }))?.text).toContain("function get_sum(");
});

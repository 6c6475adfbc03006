import { expect, test } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { countTokens } from "./count-tokens.ts";
import { callText, manyServers, manyTools, ownLockfile, presentationOf } from "./view-of.ts";

const small = lockfileOf({
  people: [
    {
      name: "get-user",
      description: "Get user by ID",
      inputSchema: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string", description: "Like u7." } },
      },
      annotations: { readOnlyHint: true },
    },
    { name: "list-users", description: "List all users", inputSchema: { type: "object" } },
  ],
  calendar: [{ name: "create-event", description: "Create an event", inputSchema: { type: "object" } }],
});
const byServer = presentationOf(small, { surface: "files" });
const byTool = presentationOf(small, { surface: "files", bindingLevel: "tool" });

test("at the level of servers, there is a file for each", async () => {
  expect((await callText(byServer, "listToolFiles"))?.text).toBe(
    "servers/\n  calendar.d.ts  1 tool\n  people.d.ts  2 tools",
  );
});

test("at the level of tools, there is a folder for each server", async () => {
  expect((await callText(byTool, "listToolFiles"))?.text).toBe(
    "servers/\n  calendar/\n    create_event.d.ts\n  people/\n    get_user.d.ts\n    list_users.d.ts",
  );
});

test("where there are very many files, folders are listed first", async () => {
  const many = presentationOf(manyServers(60), { surface: "files", bindingLevel: "tool" });
  const folders = (await callText(many, "listToolFiles"))?.text ?? "";
  expect(folders).toContain("  server-7/  10 tools\n");
  expect(folders).not.toContain(".d.ts");
  expect((await callText(many, "listToolFiles", { server: "server-7" }))?.text).toContain("    read_file.d.ts");
});

const PEOPLE = `// import { get_user } from "@codemode/servers/people";
// More of one tool: getToolDocs with server "people" and the name of the tool.

/** Get user by ID [read-only] */
export function get_user(input: { /** Like u7. */ id: string }): Promise<string | McpResult>;

/** List all users */
export function list_users(): Promise<string | McpResult>;`;

const names: [string][] = [
  ["servers/people.d.ts"],
  ["/servers/people.d.ts"],
  ["./servers/people.d.ts"],
  ["servers/people.ts"],
  ["people.d.ts"],
  ["people"],
  ["servers/people/"],
];

test.each(names)("%s is the file of the server", async (fileName) => {
  for (const presentation of [byServer, byTool])
    expect((await callText(presentation, "readToolFile", { fileName }))?.text).toBe(PEOPLE);
});

test.each([["servers/people/list_users.d.ts"], ["people/list-users"]])("%s is the file of a tool", async (fileName) => {
  for (const presentation of [byServer, byTool])
    expect((await callText(presentation, "readToolFile", { fileName }))?.text).toMatch(
      /^\/\/ import \{ list_users \} .+\n.+\n\n\/\*\* List all users \*\/\nexport function list_users\(\): Promise<string \| McpResult>;$/,
    );
});

test("lines are counted from 1, and the last one is included", async () => {
  const input = { fileName: "people", startLine: 4, endLine: 5 };
  const want = PEOPLE.split("\n").slice(3, 5).join("\n");
  expect((await callText(byServer, "readToolFile", input))?.text).toBe(`${want}\n// Lines 4 to 5 of 8.`);
  expect((await callText(byServer, "readToolFile", { fileName: "people", startLine: 1, endLine: 99 }))?.text).toBe(
    PEOPLE,
  );
});

test("of a very long file as much is read at a time as an agent can take, and it can be read on", async () => {
  const giant = presentationOf(manyTools(2000), { surface: "files" });
  const first = (await callText(giant, "readToolFile", { fileName: "servers/giant.d.ts" }))?.text ?? "";
  expect(countTokens(first)).toBeLessThan(12_000);
  const [, last, all] = /\n\/\/ Lines 1 to (\d+) of (\d+)\.$/.exec(first) ?? [];
  expect(Number(all)).toBe(2 + 3 * 2000);
  const next = await callText(giant, "readToolFile", { fileName: "servers/giant.d.ts", startLine: Number(last) + 1 });
  expect(next?.text).toContain(`// Lines ${Number(last) + 1} to `);
});

test("the documentation of a tool has everything: import, example, types, doc comments, annotations", async () => {
  const text = (await callText(byServer, "getToolDocs", { server: "people", tool: "get-user" }))?.text;
  expect(text).toMatch(
    /^import \{ get_user \} from "@codemode\/servers\/people";\nconst result = await get_user\(\{ id: "text" \}\);\n/,
  );
  expect(text).toContain("/** Like u7. */\n    id: string;");
  expect(text).toContain("Annotations: read-only.");
  expect(text).toContain("@param input.id - Like u7.");
  expect(text).toContain("export function get_user(input: GetUserInput): Promise<GetUserOutput>;");
});

const refused: [string, JsonObject, string][] = [
  ["readToolFile", {}, 'The argument "fileName" must be a string. Pass a text for fileName.'],
  ["readToolFile", { fileName: "servers/poeple.d.ts" }, 'There is no server "poeple". Did you mean "people"?'],
  ["readToolFile", { fileName: "../../etc/passwd" }, 'There is no server "..". listToolFiles names all files.'],
  [
    "readToolFile",
    { fileName: "people/getuser" },
    'The server "people" has no tool "getuser". Did you mean "get_user"?',
  ],
  ["readToolFile", { fileName: "people", startLine: 9 }, '"people" has 8 lines. Read from line 1 to 8.'],
  [
    "readToolFile",
    { fileName: "people", startLine: 0 },
    'The argument "startLine" must be a whole number from 1. Leave startLine out, or pass 1 or more.',
  ],
  [
    "readToolFile",
    { fileName: "people", startLine: 3, endLine: 2 },
    "endLine comes before startLine. Pass a range such as startLine 1 and endLine 50.",
  ],
  ["listToolFiles", { server: "calender" }, 'There is no server "calender". Did you mean "calendar"?'],
  ["getToolDocs", { server: "people" }, 'The argument "tool" must be a string. Pass a text for tool.'],
  [
    "getToolDocs",
    { server: "people", tool: "constructor" },
    'The server "people" has no tool "constructor". readToolFile shows all tools of "people".',
  ],
];

test.each(refused)("%s with %j is refused with what to do", async (name, input, want) => {
  expect(await callText(byServer, name, input)).toEqual({ text: want, isError: true });
});

test("every file that is listed can be read", async () => {
  const real = presentationOf(ownLockfile, { surface: "files", bindingLevel: "tool" });
  const listed = (await callText(real, "listToolFiles"))?.text.split("\n") ?? [];
  let folder = "";
  let count = 0;
  for (const line of listed) {
    if (/^ {2}\S/.test(line)) folder = line.trim();
    if (!line.endsWith(".d.ts")) continue;
    const file = await callText(real, "readToolFile", { fileName: `servers/${folder}${line.trim()}` });
    expect(file?.text).toContain(`export function ${line.trim().replace(".d.ts", "")}(`);
    count += 1;
  }
  // 34 tools, 4 and 2 functions of resources, 4 prompts.
  expect(count).toBe(44);
});

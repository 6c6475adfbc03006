import { resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [
  { name: "book-trip", description: "Books a trip.\u001b[2J */ Costs money.", inputSchema },
  { name: "quote", title: "Quote", description: "Says what a trip costs.", inputSchema },
];

async function project(): Promise<string> {
  const args = [resolve("test/servers/file-server.mjs"), "tools.json"];
  const server = { command: process.execPath, args };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { "My Trips": server, other: server } },
    "tools.json": tools,
  });
  await typeCommand(["lock"], { cwd });
  return cwd;
}

test("search prints what matches, the best first, each with its signature", async () => {
  const cwd = await project();
  expect(await typeCommand(["search", "booking", "--server", "My Trips"], { cwd })).toEqual({
    code: 0,
    stdout:
      "my-trips/book-trip\n" +
      "  /** Books a trip.\\u001b[2J *\\/ Costs money. */\n" +
      "  export function book_trip(input: { city: string }): Promise<string | McpResult>;\n\n",
    stderr: "",
  });
  const { stdout } = await typeCommand(["search", "trip", "quotes", "--limit", "2", "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    query: "trip quotes",
    results: [
      { serverId: "my-trips", toolName: "quote", exportName: "quote", signature: expect.stringContaining("quote(") },
      { serverId: "other", toolName: "quote" },
    ],
  });
});

test("search says what is wrong with a question, and that there is no answer", async () => {
  const cwd = await project();
  const cases = [
    [["search"], 2, "query"],
    [["search", "trip", "--limit", "few"], 2, '"few" is not a whole number'],
    [["search", "trip", "--server", "trips"], 2, "my-trips"],
    [["search", "quetzalcoatl"], 0, "Nothing found."],
  ] as const;
  for (const [args, code, words] of cases) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await typeCommand(args, { cwd })).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringContaining(words),
    });
  }
});

import { resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } } };
const tools = [
  { name: "book-trip", description: "Books a trip.\u001b[2J\nIt costs money.", inputSchema },
  { name: "quote", title: "Quote", inputSchema },
];

function project(): Promise<string> {
  const trips = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };
  return makeProject({ "codemode.config.json": { mcpServers: { "My Trips": trips } }, "tools.json": tools });
}

test("types prints the declarations of a server or of one tool, by any of its names", async () => {
  const cwd = await project();
  await typeCommand(["lock"], { cwd });
  const all = await typeCommand(["types"], { cwd });
  expect(all).toMatchObject({ code: 0, stderr: "" });
  expect(all.stdout).toMatch(/^declare module "@codemode\/servers\/my-trips" \{\n/);
  expect(all.stdout).toContain("export function book_trip(input?: BookTripInput): Promise<BookTripOutput>;");
  expect(all.stdout).toContain("export function quote(");
  expect(all.stdout).not.toContain("\u001b");
  for (const target of ["my-trips/book-trip", "My Trips/book_trip"]) {
    // oxlint-disable-next-line no-await-in-loop -- two processes at most on a small machine
    const one = await typeCommand(["types", target], { cwd });
    expect(one.stdout).toContain("function book_trip(");
    expect(one.stdout).not.toContain("quote");
  }
  expect((await typeCommand(["types", "my-trips"], { cwd })).stdout).toBe(all.stdout);
});

test("tools lists the locked tools, one on a line or as JSON", async () => {
  const cwd = await project();
  await typeCommand(["lock"], { cwd });
  expect(await typeCommand(["tools"], { cwd })).toMatchObject({
    code: 0,
    stdout: "my-trips/book-trip  Books a trip.\\u001b[2J\nmy-trips/quote  Quote\n",
    stderr: expect.stringMatching(
      /^An agent's context: tools\/list of these servers takes about \d+ tokens, codemode's \d+: [\d.]+ times more\.\n$/,
    ),
  });
  const { stdout } = await typeCommand(["tools", "my-trips", "--json"], { cwd });
  expect(JSON.parse(stdout)).toEqual({
    tools: [
      { serverId: "my-trips", toolName: "book-trip", exportName: "book_trip", description: tools[0]?.description },
      { serverId: "my-trips", toolName: "quote", exportName: "quote", title: "Quote" },
    ],
  });
});

test("what is not locked is an error that says what is near", async () => {
  const cwd = await project();
  expect(await typeCommand(["tools"], { cwd })).toMatchObject({ code: 3, stderr: expect.stringContaining("lockfile") });
  await typeCommand(["lock"], { cwd });
  const cases = [
    ["types", "my-trip", 'No server "my-trip"'],
    ["types", "my-trips/qoute", 'Did you mean "quote"?'],
    ["tools", "other", "Configured: my-trips."],
  ] as const;
  for (const [command, target, words] of cases) {
    // oxlint-disable-next-line no-await-in-loop
    const { code, stderr } = await typeCommand([command, target], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  }
});

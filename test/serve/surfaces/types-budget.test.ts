import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { ServeEntry } from "../../../schemas/config/config-file.ts";
import { signatureOf } from "../../../templates/emit-signature.ts";
import { lockfileOf, lockRecordings } from "../../templates/lockfile-of.ts";
import { recordServers } from "../../templates/record-servers.ts";
import { countTokens } from "./count-tokens.ts";
import { manyServers, manyTools, ownLockfile, presentationOf, runDescription } from "./view-of.ts";

/** Tokens of the whole answer of `tools/list`. */
async function tokensOfList(lockfile: Lockfile, entry: ServeEntry = {}): Promise<number> {
  return countTokens({ tools: await presentationOf(lockfile, entry).surface.listTools() });
}

/** The servers whose signatures are in a description. */
function inlined(description: string): string[] {
  return [...description.matchAll(/^\/\/ "@codemode\/servers\/(.+)"$/gm)].map(([, id]) => id as string);
}

/** What every client shows of a description: the way to find tools and the index, before any signature. */
function beginning(description: string): string {
  const [beforeSignatures = ""] = description.split("\nexport function ", 1);
  return beforeSignatures.slice(0, 1800);
}

/** Every server is named, or it says how many are not. */
function expectIndex({ servers }: Lockfile, description: string): void {
  const shown = beginning(description);
  expect(shown).toContain("@codemode/discovery");
  const unnamed = [...servers.keys()].filter((id) => !new RegExp(`(?:^|, )${id}(?=[:, ]|$)`, "m").test(shown));
  if (unnamed.length > 0) expect(shown).toContain(`and ${unnamed.length} more of ${servers.size} servers`);
}

/** All bounds of a description with the default settings. */
function expectWithinBounds(lockfile: Lockfile, description: string): void {
  expect(description.length).toBeLessThanOrEqual(4000);
  expect(countTokens(description)).toBeLessThanOrEqual(1000);
  expectIndex(lockfile, description);
  const tools = [...lockfile.servers.values()].flatMap((server) => server.tools);
  for (const [line] of description.matchAll(/^export function .*/gm))
    expect(tools.some((tool) => signatureOf(tool).endsWith(line))).toBe(true);
}

/** Recorded tool lists of some 70 real servers; they are no part of the repository. */
const CORPUS = new URL("../../../../shared/corpus/", import.meta.url);
const isHere = existsSync(CORPUS);

describe.skipIf(!isHere)(`of real servers${isHere ? "" : " (skipped: there is no ../shared/corpus)"}`, () => {
  const corpus = isHere ? lockRecordings(CORPUS) : { servers: new Map() };
  const only = (...ids: string[]): Lockfile => ({
    servers: new Map(ids.map((id) => [id, corpus.servers.get(id) as never])),
  });

  test("all 70 with 1,761 tools are named, within the bounds", async () => {
    const description = await runDescription(corpus);
    expectWithinBounds(corpus, description);
    expect(description).not.toContain("more of 70 servers");
    expect(await tokensOfList(corpus)).toBeLessThanOrEqual(1000);
  });

  test("each one alone stays within the bounds", async () => {
    expect(corpus.servers.size).toBe(70);
    for (const id of corpus.servers.keys()) expectWithinBounds(only(id), await runDescription(only(id)));
  });
});

describe("of the real servers that are dev dependencies", async () => {
  const { servers } = await recordServers();
  const only = (...ids: string[]): Lockfile => ({
    servers: new Map([...servers].filter(([id]) => ids.includes(id))),
  });

  test("two with 23 tools have every tool named at the beginning", async () => {
    const lockfile = only("filesystem", "memory");
    const description = await runDescription(lockfile);
    expectWithinBounds(lockfile, description);
    const tools = [...lockfile.servers.values()].flatMap((server) => server.tools);
    expect(tools).toHaveLength(23);
    for (const { exportName } of tools) expect(beginning(description)).toMatch(new RegExp(`\\b${exportName}\\b`));
  });

  test("each one alone stays within the bounds", async () => {
    expect(servers.size).toBe(3);
    for (const id of servers.keys()) expectWithinBounds(only(id), await runDescription(only(id)));
  });
});

describe("without a budget", () => {
  const small = lockfileOf({
    clock: [{ name: "now", description: "Says the time.", inputSchema: { type: "object" } }],
    dice: [{ name: "roll-dice", description: "Rolls dice.", inputSchema: { type: "object" } }],
  });

  test("the signatures of servers that fit follow the index", async () => {
    const description = await runDescription(small);
    expectWithinBounds(small, description);
    expect(description).toContain("Servers and their tools:\nclock: now\ndice: roll_dice\n");
    expect(inlined(description)).toEqual(["clock", "dice"]);
    expect(description.match(/^export function /gm)).toHaveLength(2);
  });

  test("a server that does not fit is shown without any signature", async () => {
    const { servers } = ownLockfile;
    const lockfile = { servers: new Map([...small.servers, ...servers]) };
    const description = await runDescription(lockfile);
    expectWithinBounds(lockfile, description);
    expect(inlined(description)).toEqual(["clock", "dice"]);
  });

  const large: [string, Lockfile][] = [
    ["70 servers with 750 tools", manyServers(70)],
    ["330 servers with 3,500 tools", manyServers(330)],
    ["one server with 2,000 tools", manyTools(2000)],
    ["1,000 servers", manyServers(1000)],
  ];
  test.each(large)("the whole list of tools takes at most 1,000 tokens: %s", async (_title, lockfile) => {
    const description = await runDescription(lockfile);
    expectWithinBounds(lockfile, description);
    expect(await tokensOfList(lockfile)).toBeLessThanOrEqual(1000);
    expect(inlined(description)).toEqual([]);
  });

  test("servers are named with their tools while there is room, then with the number of them, then alone, then counted", async () => {
    const few = { servers: new Map([...ownLockfile.servers, ...manyTools(2000).servers]) };
    const some = await runDescription(few);
    expect(some).toContain("\nmemory: add_observations, create_entities, create_relations, delete_entities,");
    expect(some).toMatch(/\ngiant 2000$/);
    expect(await runDescription(manyServers(54))).toMatch(/^server-0 15, server-10 10, .+, server-9 15$/m);
    expect(await runDescription(manyServers(80))).toMatch(/^server-0, server-1, .+, server-9$/m);
    expect(await runDescription(manyServers(1000))).toMatch(
      /^server-0, server-1, server-10, .+, and \d+ more of 1000 servers$/m,
    );
  });

  test("a long template leaves the index a part, and the signatures what is left", async () => {
    const description = `${"Company tools. ".repeat(100)}\n\n{{types}}`;
    const text = await runDescription(small, { description });
    expect(text).toContain("clock: now\n");
    expect(text.length).toBeLessThanOrEqual(4000);
  });
});

describe("with a budget", () => {
  test.each([0, 300, 1000, 2500, 20_000])("%i tokens are not exceeded", async (typesBudget) => {
    const lockfile = manyServers(70);
    const without = await tokensOfList(lockfile, { typesBudget: 0 });
    expect(await tokensOfList(lockfile, { typesBudget })).toBeLessThanOrEqual(without + typesBudget + 20);
  });

  test("whole servers are shown in the order of the lockfile, after the index of all", async () => {
    const description = await runDescription(ownLockfile, { typesBudget: 1200 });
    expectIndex(ownLockfile, description);
    expect(inlined(description)).toEqual(["everything", "memory/resources"]);
  });

  test("a large one shows the signatures of all, however long the description becomes", async () => {
    const description = await runDescription(ownLockfile, { typesBudget: 5000 });
    expect(inlined(description)).toEqual([
      "everything",
      "filesystem",
      "memory",
      "everything/resources",
      "everything/prompts",
      "memory/resources",
    ]);
    expect(description.match(/^export function /gm)).toHaveLength(44);
    expect(description).toContain("export function get_sum(input: {");
  });

  test("a server that does not fit leaves its room to those after it", async () => {
    const lockfile = lockfileOf({
      huge: Array.from({ length: 500 }, (_, index) => ({ name: `tool_${index}`, inputSchema: { type: "object" } })),
      small: [{ name: "ping", description: "Answers.", inputSchema: { type: "object" } }],
    });
    const description = await runDescription(lockfile, { typesBudget: 100 });
    expect(inlined(description)).toEqual(["small"]);
    expect(description).toContain("\nhuge 500\n");
  });

  test("a budget of nothing shows no signature even of a small server", async () => {
    expect(inlined(await runDescription(ownLockfile, { typesBudget: 0 }))).toEqual([]);
  });
});

test("the same lockfile gives the same bytes, in whichever order its servers were accepted", async () => {
  const reversed: Lockfile = { servers: new Map([...ownLockfile.servers].toReversed()) };
  for (const entry of [{}, { typesBudget: 1200 }, { typesBudget: 0 }, { surface: "files" as const }]) {
    const first = await presentationOf(ownLockfile, entry).surface.listTools();
    const second = await presentationOf(reversed, entry).surface.listTools();
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  }
});

test("where there are no tools, that is said", async () => {
  expect(await runDescription({ servers: new Map() })).toContain("There are no tools");
});

test("a surface with other ways to find tools shows signatures only within a budget that was asked for", async () => {
  expect(inlined(await runDescription(ownLockfile, { surface: "search" }))).toEqual([]);
  expect(inlined(await runDescription(ownLockfile, { surface: "search", typesBudget: 5000 }))).toHaveLength(6);
});

import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";
import type { ServeEntry } from "../../../schemas/config/serve-settings.ts";
import { lockfileOf, lockRecordings } from "../../templates/lockfile-of.ts";
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

/** Recorded tool lists of some 70 real servers; they are no part of the repository. */
const CORPUS = new URL("../../../../shared/corpus/", import.meta.url);
const isHere = existsSync(CORPUS);

test.skipIf(!isHere)(
  `all real servers at once, and each one alone, stay within their bounds${isHere ? "" : " (skipped: there is no ../shared/corpus)"}`,
  async () => {
    const corpus = lockRecordings(CORPUS);
    expect(await tokensOfList(corpus)).toBeLessThanOrEqual(1000);
    for (const [id, server] of corpus.servers) {
      const alone = { servers: new Map([[id, server]]) };
      const bound = inlined(await runDescription(alone)).length > 0 ? 3500 : 1000;
      expect(await tokensOfList(alone), id).toBeLessThanOrEqual(bound);
    }
  },
);

describe("without a budget", () => {
  test("the signatures of all tools are shown while they are few", async () => {
    const description = await runDescription(ownLockfile);
    expect(inlined(description)).toEqual(["everything", "filesystem", "memory"]);
    expect(description.match(/^export function /gm)).toHaveLength(31);
    expect(description).toContain("export function get_sum(input: {");
    expect(description).not.toContain("searchTools");
  });

  const large: [string, Lockfile][] = [
    ["70 servers with 750 tools", manyServers(70)],
    ["330 servers with 3,500 tools", manyServers(330)],
    ["one server with 2,000 tools", manyTools(2000)],
    ["1,000 servers", manyServers(1000)],
  ];
  test.each(large)("the whole list of tools takes at most 1,000 tokens: %s", async (_title, lockfile) => {
    expect(await tokensOfList(lockfile)).toBeLessThanOrEqual(1000);
    expect(inlined(await runDescription(lockfile))).toEqual([]);
  });

  test("servers are named with their tools while there is room, then with the number of them, then counted", async () => {
    const few = { servers: new Map([...ownLockfile.servers, ...manyTools(2000).servers]) };
    const some = await runDescription(few);
    expect(some).toContain("\nmemory: add_observations, create_entities, create_relations, delete_entities,");
    expect(some).toContain("\ngiant 2000\n");
    expect(await runDescription(manyServers(1000))).toMatch(
      /^server-0 12, server-1 10, server-10 10, .+, and \d+ more of 1000 servers$/m,
    );
  });
});

describe("with a budget", () => {
  test.each([0, 300, 1000, 2500, 20_000])("%i tokens are not exceeded", async (typesBudget) => {
    const lockfile = manyServers(70);
    const without = await tokensOfList(lockfile, { typesBudget: 0 });
    // The index of the other servers is at most as long as that of all of them.
    expect(await tokensOfList(lockfile, { typesBudget })).toBeLessThanOrEqual(without + typesBudget + 20);
  });

  test("whole servers are shown in the order of the lockfile, and the others are named", async () => {
    const description = await runDescription(ownLockfile, { typesBudget: 1200 });
    expect(inlined(description)).toEqual(["everything"]);
    expect(description).toContain(
      "Further servers with the names or the number of their tools:\nfilesystem: directory_tree,",
    );
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
  expect(inlined(await runDescription(ownLockfile, { surface: "search", typesBudget: 5000 }))).toHaveLength(3);
});

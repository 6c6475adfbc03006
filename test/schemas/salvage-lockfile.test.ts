import { expect, test } from "vitest";
import { formatLockfile } from "../../schemas/lock/lockfile-text.ts";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { observe } from "../templates/lockfile-of.ts";
import { salvageLockfile } from "../../schemas/lock/salvage-lockfile.ts";

function server(id: string, description: string, version = "1"): LockedServer {
  const tool = { name: "book", description, inputSchema: { type: "object" } };
  return lockServer(
    { id, name: id, source: { transport: "stdio", command: "x", args: [version], env: new Map() } },
    {
      serverInfo: { name: id, version: "1" },
      protocolVersion: "2025-11-25",
      era: "legacy",
      capabilities: {},
      clientCapabilities: {},
      tools: [tool],
    },
  );
}

function textOf(...servers: LockedServer[]): string {
  return formatLockfile({ servers: new Map(servers.map((entry) => [entry.id, entry])) });
}

function salvage(text: string) {
  const { intact, readable, problems } = salvageLockfile(text, "codemode.lock.json");
  return {
    intact: [...intact.servers.keys()],
    readable: [...readable].map(([id, servers]) => [id, servers.map(({ tools }) => tools[0]?.description)]),
    problems: Object.fromEntries(problems),
  };
}

/** A conflict over the whole file, as git writes it; `base` as `merge.conflictStyle=diff3` adds it. */
function conflict(ours: string, theirs: string, base?: string): string {
  const middle = base === undefined ? "" : `||||||| base\n${base}`;
  return `<<<<<<< HEAD\n${ours}${middle}=======\n${theirs}>>>>>>> other\n`;
}

const [a, b] = [server("a", "Books a trip."), server("b", "Books a room.")];

test("an edited entry is read for comparison, and the others stay accepted", () => {
  expect(salvage(textOf(a, b).replace("Books a trip.", "Sends a trip."))).toEqual({
    intact: ["b"],
    readable: [["a", ["Sends a trip."]]],
    problems: { a: 'tool 0: the integrity of "book" does not match its content' },
  });
});

test("a text that is cut off keeps the entries before the cut", () => {
  const text = textOf(a, b);
  expect(salvage(text.slice(0, text.indexOf('"b": {') + 30))).toMatchObject({ intact: ["a"] });
  expect(salvage(text.slice(0, 40))).toMatchObject({ intact: [] });
  expect(salvage("nothing of the kind")).toMatchObject({ intact: [], problems: {} });
});

test.each([undefined, textOf(a)])("of a merge conflict stays what both sides agree on, or one alone has", (base) => {
  const added = server("c", "Books a table.");
  const changed = server("b", "Books two rooms.");
  expect(salvage(conflict(textOf(a, b), textOf(a, changed, added), base))).toEqual({
    intact: ["a", "c"],
    readable: [["b", ["Books a room.", "Books two rooms."]]],
    problems: { b: "the two sides of the conflict differ" },
  });
});

test("sides that differ in how a server is started do not agree, although no integrity covers that", () => {
  const upgraded = server("b", "Books a room.", "2");
  expect(upgraded.integrity).toBe(b.integrity);
  expect(salvage(conflict(textOf(a, b), textOf(a, upgraded)))).toMatchObject({
    intact: ["a"],
    problems: { b: "the two sides of the conflict differ" },
  });
});

test("marks inside of an entry leave each side whole", () => {
  const lines = textOf(a, b).split("\n");
  const at = lines.findIndex((line) => line.includes("Books a room."));
  const text = [...lines.slice(0, at), "<<<<<<< HEAD", lines[at], "=======", '"description": "x",', ">>>>>>> other"]
    .concat(lines.slice(at + 1))
    .join("\n");
  expect(salvage(text)).toMatchObject({ intact: ["a"], problems: { b: expect.stringContaining("integrity") } });
});

test("a shape of results that cannot be read is left out by itself, because no integrity covers it", () => {
  const seen = observe(a, { book: ['{"id": 1}'] });
  const text = textOf(seen, b).replace('"type": "number"', '"type": "integer"');
  const { intact, problems, brokenShapes } = salvageLockfile(text, "codemode.lock.json");
  expect(intact).toEqual({ servers: new Map([["a", a], ["b", b]]) }); // prettier-ignore
  expect([...problems]).toEqual([]);
  expect(Object.fromEntries(brokenShapes)).toEqual({
    a: [
      '"observed" of "book": in "json", /properties/id has a "type" that is none of array, boolean, null, number, object, string',
    ],
  });
});

test("shapes of both sides of a conflict are joined", () => {
  const ours = observe(a, { book: ['{"id": 1}'] });
  const theirs = observe(a, { book: ['{"id": 1, "by": null}', "plain"] });
  const { intact, problems } = salvageLockfile(conflict(textOf(ours, b), textOf(theirs, b)), "codemode.lock.json");
  expect([...problems]).toEqual([]);
  const both = observe(a, { book: ['{"id": 1}', '{"id": 1, "by": null}', "plain"] }).tools[0]?.observed;
  expect({ ...intact.servers.get("a")?.tools[0]?.observed, sources: 0 }).toEqual({ ...both, sources: 0 });
});

test("what a newer codemode wrote is not repaired", () => {
  const newer = textOf(a).replace('"lockfileVersion": 1', '"lockfileVersion": 2');
  expect(() => salvage(newer)).toThrow("version 2 is newer");
});

test.each([false, true])(
  "of a conflict within an entry each side has its own lines, whichever end they have",
  (isWindows) => {
    const [line = ""] = /"description": "Books a trip\."[^\n]*/.exec(textOf(a, b)) ?? [];
    const lines = [
      "<<<<<<< HEAD",
      line.replace("trip", "train"),
      "||||||| base",
      line,
      "=======",
      line,
      ">>>>>>> other",
    ];
    const text = textOf(a, b).replace(line, `\n${lines.join("\n")}\n`);
    expect(salvage(isWindows ? text.replaceAll("\n", "\r\n") : text)).toEqual({
      intact: ["b"],
      readable: [["a", ["Books a train.", "Books a trip."]]],
      problems: { a: 'tool 0: the integrity of "book" does not match its content' },
    });
  },
);

/** The text of one server after this change of its entry. */
function edited(change: (entry: { [key: string]: unknown }) => unknown): string {
  const file = JSON.parse(textOf(a)) as { servers: { [id: string]: unknown } };
  file.servers["a"] = change(file.servers["a"] as { [key: string]: unknown });
  return JSON.stringify(file);
}

test("an edited entry is read with its instructions, and without what is no tool", () => {
  const text = edited((entry) => ({
    ...entry,
    instructions: "Be quick.",
    tools: [5, {}, { name: 1 }, { name: "late" }],
  }));
  const [server] = salvageLockfile(text, "x").readable.get("a") ?? [];
  expect(server).toMatchObject({ instructions: "Be quick.", tools: [{ name: "late", exportName: "late" }] });
  const [silent] =
    salvageLockfile(
      edited((entry) => ({ ...entry, instructions: 5, tools: "none" })),
      "x",
    ).readable.get("a") ?? [];
  expect(silent).toMatchObject({ tools: [] });
  expect(silent).not.toHaveProperty("instructions");
});

test("an entry that cannot be read at all is named, and not compared", () => {
  expect(salvage(edited(() => 5))).toEqual({
    intact: [],
    readable: [["a", []]],
    problems: { a: "it is not an object" },
  });
  expect(salvage(edited((entry) => ({ ...entry, source: 5 })))).toMatchObject({
    readable: [["a", []]],
    problems: { a: '"source" is not an object' },
  });
});

test.each(["[]", "5", "{}", '{"servers": []}', '{"servers": null}', ""])(
  "a text without entries holds none: %s",
  (text) => {
    expect(salvage(text)).toEqual({ intact: [], readable: [], problems: {} });
  },
);

import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { keepObserved, takeObserved } from "../../../schemas/lock/lock-server.ts";
import { joinObservations, learnInto, onlyChosen } from "../../../schemas/observed/learn-into.ts";
import {
  countResults,
  describeObserved,
  formatObserved,
  joinObserved,
  type ObservedResults,
  observedOf,
  parseObserved,
} from "../../../schemas/observed/observed-results.ts";
import { includesResultShape, joinResultShapes, type ResultShape } from "../../../schemas/observed/result-shape.ts";
import { lockedServer, lockfileOf, observe } from "../../templates/lockfile-of.ts";

const id = (number: number): string => String(number).padStart(16, "0");
const results = (counts: { [source: string]: number }, shape: ResultShape): ObservedResults => ({
  sources: new Map(Object.entries(counts)),
  shape,
});
const parse = (value: JsonValue) => parseObserved(value, (problem) => new Error(problem));

describe("what was observed", () => {
  it.each<[ResultShape, number, string]>([
    [{ json: {} }, 1, "Observed in 1 result; the server does not promise it."],
    [{ text: true }, 2, "Observed in 2 results; the server does not promise it."],
    [
      { text: true, json: {} },
      2,
      "Observed in 2 results; the server does not promise it. Some results were a plain text.",
    ],
  ])("is described: %j of %d", (shape, count, text) => {
    expect(describeObserved(results({ [id(1)]: count }, shape))).toBe(text);
  });

  it("counts a source that both have once, with its larger number", () => {
    const [few, many] = [results({ [id(1)]: 2, [id(2)]: 1 }, { text: true }), results({ [id(1)]: 5 }, { text: true })];
    for (const joined of [joinObserved(few, many), joinObserved(many, few)]) {
      expect(joined.sources).toEqual(
        new Map([
          [id(1), 5],
          [id(2), 1],
        ]),
      );
      expect(countResults(joined)).toBe(6);
    }
  });

  it("is written in one order, with what it has alone", () => {
    const shape: ResultShape = { blocks: new Set(["text", "image"]), structured: { null: true } };
    const written = formatObserved(results({ [id(2)]: 1, [id(1)]: 3 }, shape));
    expect(JSON.stringify(written)).toBe(
      `{"blocks":["image","text"],"sources":{"${id(1)}":3,"${id(2)}":1},"structured":{"type":"null"}}`,
    );
    expect(Object.keys(formatObserved(results({ [id(1)]: 1 }, { text: true })))).toEqual(["sources", "text"]);
  });

  it.each<[string, JsonValue]>([
    ["blocks that are a text", { blocks: "text", sources: { [id(1)]: 1 } }],
    ["blocks that are no texts", { blocks: [1], sources: { [id(1)]: 1 } }],
    ["a list of sources", { text: true, sources: [1] }],
    ["a source without a result", { text: true, sources: { [id(1)]: 0 } }],
    ["a source with a text", { text: true, sources: { [id(1)]: "1" } }],
    ["a longer id", { text: true, sources: { [`${id(1)}0`]: 1 } }],
    [
      "more sources than are kept",
      { text: true, sources: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [id(at), 1])) },
    ],
  ])("is refused with %s", (_name, value) => {
    expect(() => parse(value)).toThrow();
  });

  it("has up to 32 sources, and may be of an empty list of blocks", () => {
    const sources = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [id(at), 1]));
    expect(parse({ text: true, sources }).sources.size).toBe(32);
    expect(parse({ blocks: [], sources })).toMatchObject({ shape: { blocks: new Set() } });
  });

  it("is read once of each lock entry", () => {
    const [tool] = observe(lockedServer("files", [{ name: "read" }]), { read: ["a"] }).tools;
    expect(tool && observedOf(tool)).toBe(tool && observedOf(tool));
    expect(observedOf({})).toBeUndefined();
  });
});

describe("the shapes of results, joined", () => {
  const [text, json, other]: ResultShape[] = [{ text: true }, { json: { null: true } }, { structured: { null: true } }];
  it("have what one of them has", () => {
    const all = [text, json, other, { blocks: new Set(["text"]) }, { json: { string: true } }] as ResultShape[];
    const joined = {
      text: true,
      json: { null: true, string: true },
      structured: { null: true },
      blocks: new Set(["text"]),
    };
    expect(all.reduce(joinResultShapes)).toEqual(joined);
    expect(all.toReversed().reduce(joinResultShapes)).toEqual(joined);
    expect(joinResultShapes({}, {})).toStrictEqual({});
    for (const part of all) expect(includesResultShape(joined as ResultShape, part)).toBe(true);
    for (const part of all) expect(includesResultShape({}, part)).toBe(false);
    expect(includesResultShape({ blocks: new Set(["image"]) }, { blocks: new Set(["image", "text"]) })).toBe(false);
    expect(includesResultShape({}, {})).toBe(true);
  });
});

describe("observations of tools", () => {
  const seen = results({ [id(1)]: 1 }, { text: true });
  const more = results({ [id(2)]: 1 }, { json: {} });
  const observations = new Map([["files", new Map([["read", seen]])]]);

  it("are joined by server and tool, and neither side is changed", () => {
    const right = new Map([
      [
        "files",
        new Map([
          ["read", more],
          ["write", more],
        ]),
      ],
      ["notes", new Map([["list", more]])],
    ]);
    expect(joinObservations(observations, right)).toEqual(
      new Map([
        [
          "files",
          new Map([
            ["read", joinObserved(seen, more)],
            ["write", more],
          ]),
        ],
        ["notes", new Map([["list", more]])],
      ]),
    );
    expect(observations).toEqual(new Map([["files", new Map([["read", seen]])]]));
  });

  it("are chosen by server and tool; a server without any is left out", () => {
    expect(onlyChosen(observations, (server, tool) => `${server}/${tool}` === "files/read")).toEqual(observations);
    expect(onlyChosen(observations, () => false).size).toBe(0);
  });

  it("are learned beside what was known", () => {
    const lockfile = learnInto(
      lockfileOf({ files: [{ name: "read" }, { name: "write" }], notes: [{ name: "list" }] }),
      observations,
    );
    const [read, write] =
      learnInto(lockfile, new Map([["files", new Map([["read", more]])]])).servers.get("files")?.tools ?? [];
    expect(read && observedOf(read)).toEqual(joinObserved(seen, more));
    expect(write).not.toHaveProperty("observed");
  });
});

describe("a new entry of a server", () => {
  const TOOLS = [{ name: "read" }, { name: "write" }];
  const before = observe(lockedServer("files", TOOLS), { read: ["a"] });

  it("keeps what was observed of its tools before", () => {
    const after = lockedServer("files", [{ name: "read", description: "New." }, { name: "write" }, { name: "zip" }]);
    const kept = keepObserved(before, after);
    expect(kept.tools.map(({ name, observed }) => [name, observed !== undefined])).toEqual([
      ["read", true],
      ["write", false],
      ["zip", false],
    ]);
    expect(kept.tools[0]).toMatchObject({ description: "New.", observed: before.tools[0]?.observed });
    expect(kept.tools[1]).toBe(after.tools[1]);
  });

  it("has its own where there was none", () => {
    expect(keepObserved(undefined, before)).toEqual(before);
    expect(keepObserved(lockedServer("files", TOOLS), before)).toEqual(before);
  });

  it("stays the same value where another lockfile knows the same", () => {
    const again = observe(lockedServer("files", TOOLS), { read: ["a"] });
    const lockfile = { servers: new Map([["files", before]]) };
    expect(takeObserved(lockfile, { servers: new Map([["files", again]]) })).toBe(lockfile);
    expect(takeObserved(lockfile, { servers: new Map() })).toBe(lockfile);
  });
});

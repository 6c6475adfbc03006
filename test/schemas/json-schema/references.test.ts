import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { indexReferences } from "../../../schemas/json-schema/references.ts";

const marked = (mark: string, more: JsonObject = {}): JsonObject => ({ title: mark, ...more });

const DOCUMENT: JsonObject = {
  $id: "https://a.example/root/main.json",
  title: "root",
  items: marked("item"),
  allOf: [marked("first"), marked("second", { $anchor: "second" })],
  properties: { "a/b": marked("slash"), "c~d": marked("tilde"), "e%f": marked("percent"), "g~1h": marked("escaped") },
  $defs: {
    part: marked("part", { $id: "part.json", $defs: { inner: marked("inner", { $anchor: "here" }) } }),
    anchored: marked("anchored", { $anchor: "here" }),
    hash: marked("hash", { $id: "#hash" }),
    cut: marked("cut", { $id: "cut.json#old" }),
    twin: marked("twin", { $anchor: "here" }),
    list: [marked("in a list")],
    "07": marked("number"),
  },
  const: { properties: {}, $anchor: "data" },
};

const from = (pointer: string): JsonObject =>
  pointer === "part" ? ((DOCUMENT["$defs"] as JsonObject)["part"] as JsonObject) : DOCUMENT;

test.each<[string, string, JsonValue | undefined, string]>([
  ["", "#", "root", "main.json"],
  ["", "https://a.example/root/main.json", "root", "main.json"],
  ["", "#/items", "item", ""],
  ["", "#/allOf/0", "first", ""],
  ["", "#/allOf/1", "second", ""],
  ["", "#/allOf/01", undefined, ""],
  ["", "#/allOf/2", undefined, ""],
  ["", "#/allOf/-1", undefined, ""],
  ["", "#/allOf/length", undefined, ""],
  ["", "#/allOf/0/title/0", undefined, ""],
  ["", "#/nothing/at/all", undefined, ""],
  ["", "#/constructor", undefined, ""],
  ["", "#second", "second", "second"],
  ["", "#here", "anchored", "here"],
  ["", "#hash", "hash", "hash"],
  ["", "#data", undefined, ""],
  ["", "#none", undefined, ""],
  ["", "#/properties/a~1b", "slash", "a/b"],
  ["", "#/properties/c~0d", "tilde", "c~d"],
  ["", "#/properties/e%f", "percent", "e%f"],
  ["", "#/properties/e%25f", "percent", "e%f"],
  ["", "#/properties/g~01h", "escaped", "g~1h"],
  ["", "#/$defs/07", "number", ""],
  ["", "part.json", "part", "part.json"],
  ["", "part.json#here", "inner", "here"],
  ["", "part.json#/$defs/inner", "inner", "inner"],
  ["", "cut.json", "cut", "cut.json"],
  ["", "https://b.example/other.json", undefined, ""],
  ["", "https://b.example/other.json#/items", undefined, ""],
  ["part", "#", "part", "part.json"],
  ["part", "#here", "inner", "here"],
  ["part", "main.json#here", "anchored", "here"],
  ["part", "#/items", undefined, ""],
])("from %j the reference %j leads to %j", (place, reference, title, name) => {
  const found = indexReferences(DOCUMENT, "2020-12").find(from(place), reference);
  if (title === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ schema: { title }, name });
});

test("a document without an identifier is found by its anchors and pointers", () => {
  const plain = { $defs: { a: marked("a", { $anchor: "x" }) } };
  expect(indexReferences(plain, "2020-12").find(plain, "#x")).toMatchObject({ schema: { title: "a" } });
  expect(indexReferences(plain, "2020-12").find({}, "#/$defs/a")).toMatchObject({ schema: { title: "a" }, name: "a" });
  for (const document of [true, [], "x", null])
    expect(indexReferences(document, "2020-12").find({}, "#/a")).toBeUndefined();
  expect(indexReferences([marked("in a list", { $anchor: "x" })], "2020-12").find({}, "#x")).toMatchObject({
    name: "x",
  });
});

test("what stands beside a reference names nothing in draft-07, and does since", () => {
  const document = { definitions: { a: marked("a", { $ref: "#/definitions/b", $id: "#x" }), b: marked("b") } };
  expect(indexReferences(document, "draft-07").find(document, "#x")).toBeUndefined();
  expect(indexReferences(document, "2019-09").find(document, "#x")).toMatchObject({ schema: { title: "a" } });
});

test("a part nested deeper than any honest schema is not read", () => {
  const nest = (depth: number): JsonObject => (depth === 0 ? { $anchor: "deep" } : { not: nest(depth - 1) });
  for (const [depth, isFound] of [
    [200, true],
    [201, false],
  ] as const) {
    const document = nest(depth);
    expect(indexReferences(document, "2020-12").find(document, "#deep") !== undefined).toBe(isFound);
  }
});

test("a dynamic reference leads to the root's anchor of that name, an ordinary one where the root has none", () => {
  const tree = { $id: "https://a.example/tree", $dynamicAnchor: "node", title: "tree" };
  const strict = {
    ...{ $id: "https://a.example/strict", $dynamicAnchor: "node", title: "strict" },
    $defs: { tree, fixed: marked("fixed", { $id: "https://a.example/fixed", $anchor: "node" }) },
  };
  const references = indexReferences(strict, "2020-12");
  expect(references.findDynamic(tree, "#node")).toMatchObject({ schema: { title: "strict" }, name: "node" });
  expect(references.findDynamic(strict, "tree#node")).toMatchObject({ schema: { title: "strict" } });
  expect(references.findDynamic(strict, "fixed#node")).toMatchObject({ schema: { title: "fixed" } });
  expect(references.findDynamic(strict, "#none")).toBeUndefined();
  const loose = { $defs: { tree } };
  expect(indexReferences(loose, "2020-12").findDynamic(tree, "#node")).toMatchObject({ schema: { title: "tree" } });
});

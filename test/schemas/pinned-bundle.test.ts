import { expect, test } from "vitest";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import {
  formatPinnedBundle,
  lockfileIntegrity,
  parsePinnedBundle,
  type PinnedBundle,
} from "../../schemas/run/pinned-bundle.ts";
import { isSourceMap, toManifestTools } from "../../schemas/run/bundle-file.ts";

const TOOL = { serverId: "mail", toolName: "send", exportName: "send", integrity: "sha256-x" as const };
const PINNED: PinnedBundle = {
  name: "script.ts",
  lockfileIntegrity: "sha256-y",
  madeBy: new Map([["codemode", "0.1.0"]]),
  bundle: {
    code: "1",
    map: { version: 3, names: ["a"], sources: ["script.ts"], sourcesContent: ["1", null], mappings: "A" },
    manifest: { tools: [TOOL] },
  },
};

const parse = (text: string): PinnedBundle => parsePinnedBundle(text, "b.json");

/** The text with a part changed, and an integrity to fit. */
function forge(part: string, value: JsonValue | undefined): string {
  const { integrity: _, [part]: __, ...rest } = JSON.parse(formatPinnedBundle(PINNED)) as JsonObject;
  const content = value === undefined ? rest : { ...rest, [part]: value };
  return JSON.stringify({ ...content, integrity: integrityOf(content) });
}

test.each<[string, Partial<PinnedBundle["bundle"]>]>([
  ["alone", {}],
  ["with its input", { input: { type: "object" } }],
  ["with an input that is false", { input: false }],
  ["with packages", { packages: [{ name: "p", version: "1.0.0" }] }],
])("a bundle %s is read as it was written", (_name, more) => {
  const pinned = { ...PINNED, bundle: { ...PINNED.bundle, ...more } };
  expect(parse(formatPinnedBundle(pinned))).toStrictEqual(pinned);
});

test("it is refused where a byte of it was changed", () => {
  expect(() => parse(formatPinnedBundle(PINNED).replace('"code": "1"', '"code": "2"'))).toThrow(
    /integrity does not match/,
  );
});

test.each<[string, string, RegExp]>([
  ["nothing", "", /not a JSON object/],
  ["a list", "[]", /not a JSON object/],
  ["another file", "{}", /it is not a pinned bundle/],
  ["a version in words", '{"bundleVersion":"2"}', /it is not a pinned bundle/],
  ["a version before the first", '{"bundleVersion":0}', /it is not a pinned bundle/],
  ["a newer version", '{"bundleVersion":2}', /version 2 is newer than this codemode reads \(1\)/],
  ["endless nesting", `{"bundleVersion":1,"code":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, /nested too deeply/],
])("%s is not a pinned bundle", (_name, text, reason) => {
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ code: "BUNDLE_INVALID", message: expect.stringMatching(reason) }),
  );
});

test.each<[string, JsonValue | undefined]>([
  ["name", 1],
  ["code", null],
  ["lockfileIntegrity", undefined],
  ["madeBy", []],
  ["map", {}],
  ["manifest", []],
  ["manifest", {}],
  ["manifest", { tools: {} }],
  ["packages", {}],
  ["packages", ["p"]],
  ["packages", [{ name: "p" }]],
  ["packages", [{ name: 1, version: "1" }]],
])("a bundle whose %s is %j is refused, though its integrity fits", (part, value) => {
  expect(() => parse(forge(part, value))).toThrow(/a part of it is missing or of the wrong kind/);
});

test("a manifest's tools are sorted, with all that they say of themselves", () => {
  const tools = [TOOL, { ...TOOL, toolName: "read" }, { ...TOOL, serverId: "files" }];
  const { bundle } = parse(forge("manifest", { tools }));
  expect(bundle.manifest.tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`)).toEqual([
    "files/send",
    "mail/read",
    "mail/send",
  ]);
});

test.each(Object.keys(TOOL))("a tool without %s is refused, though the integrity of the file fits", (key) => {
  const { [key as keyof typeof TOOL]: _, ...rest } = TOOL;
  expect(toManifestTools([rest])).toBeUndefined();
  expect(() => parse(forge("manifest", { tools: [TOOL, rest] }))).toThrow(/part of it is missing/);
  expect(() => parse(forge("manifest", { tools: [{ ...TOOL, [key]: 1 }] }))).toThrow(/part of it is missing/);
});

test("a version of a program is a text", () => {
  expect(parse(forge("madeBy", { node: 20 })).madeBy).toEqual(new Map([["node", "20"]]));
});

const MAP = { version: 3, names: [], sources: [], mappings: "" };
test.each<[boolean, unknown]>([
  [true, MAP],
  [true, { ...MAP, names: ["a"], sources: ["b"], sourcesContent: ["c", null] }],
  [false, null],
  [false, [MAP]],
  [false, { ...MAP, version: 2 }],
  [false, { ...MAP, mappings: 1 }],
  [false, { ...MAP, names: "a" }],
  [false, { ...MAP, names: ["a", 1] }],
  [false, { ...MAP, names: undefined }],
  [false, { ...MAP, sources: {} }],
  [false, { ...MAP, sources: ["a", null] }],
  [false, { ...MAP, sourcesContent: "a" }],
  [false, { ...MAP, sourcesContent: ["a", 1] }],
])("it is %j that a source map is %j", (isMap, value) => {
  expect(isSourceMap(value)).toBe(isMap);
});

test("a lockfile's integrity is over the ids and integrities of its servers", () => {
  const lockfileOf = (servers: [string, string][]) => ({
    servers: new Map(servers.map(([id, integrity]) => [id, { id, integrity } as unknown as LockedServer])),
  });
  const integrities = [
    [],
    [["a", "1"]],
    [["a", "2"]],
    [["b", "1"]],
    [
      ["a", "1"],
      ["b", "1"],
    ],
  ].map((servers) => lockfileIntegrity(lockfileOf(servers as [string, string][])));
  expect(new Set(integrities).size).toBe(5);
  expect(lockfileIntegrity(lockfileOf([["a", "1"]]))).toBe(integrityOf({ a: "1" }));
});

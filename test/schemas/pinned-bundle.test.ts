import { expect, test } from "vitest";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { toManifestTools } from "../../schemas/run/bundle-file.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";

const TOOL = { serverId: "mail", toolName: "send", exportName: "send", integrity: "sha256-x" };

/** A file with an integrity that fits, as anyone can compute it. */
function pinned(tools: JsonValue): string {
  const content: JsonObject = {
    bundleVersion: 1,
    name: "script.ts",
    lockfileIntegrity: "sha256-x",
    madeBy: {},
    manifest: { tools },
    code: "",
    map: { version: 3, names: [], sources: [], mappings: "" },
  };
  return JSON.stringify({ ...content, integrity: integrityOf(content) });
}

test("a manifest's tools are sorted, with all that they say of themselves", () => {
  const tools = [TOOL, { ...TOOL, toolName: "read" }, { ...TOOL, serverId: "files" }];
  const { bundle } = parsePinnedBundle(pinned(tools), "script.json");
  expect(bundle.manifest.tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`)).toEqual([
    "files/send",
    "mail/read",
    "mail/send",
  ]);
});

test.each(Object.keys(TOOL))("a tool without %s is refused, though the integrity of the file fits", (key) => {
  const { [key as keyof typeof TOOL]: _, ...rest } = TOOL;
  expect(toManifestTools([rest])).toBeUndefined();
  expect(() => parsePinnedBundle(pinned([TOOL, rest]), "script.json")).toThrow(/part of it is missing/);
  expect(() => parsePinnedBundle(pinned([{ ...TOOL, [key]: 1 }]), "script.json")).toThrow(/part of it is missing/);
});

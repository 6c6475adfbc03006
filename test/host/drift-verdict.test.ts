import { expect, test } from "vitest";
import { isRefused } from "../../runtime/host/lock/drift-verdict.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";

const manifest: Manifest = {
  tools: [{ serverId: "trips", toolName: "book", exportName: "book", integrity: "sha256-x" }],
};
const change: ServerChange = {
  ...{ serverId: "trips", kind: "changed", severity: "breaking", changes: [] },
  ...{ toolsAdded: [], toolsRemoved: [], toolsChanged: [] },
};

test.each<[string, Partial<ServerChange>, boolean]>([
  ["has changed", { toolsChanged: ["book"] }, true],
  ["is gone", { toolsRemoved: ["book"] }, true],
  ["is as it was, while another has changed", { toolsChanged: ["quote"], toolsRemoved: ["cancel"] }, false],
  ["is as it was, while another was added", { toolsAdded: ["book2"] }, false],
  ["is of another server", { serverId: "other", toolsChanged: ["book"], toolsRemoved: ["book"] }, false],
])("where drift is refused by tool, a run is stopped if a tool of its manifest %s", (_, fields, isStopped) => {
  expect(isRefused({ ...change, ...fields }, { kind: "tool", manifest })).toBe(isStopped);
});

test("where it is refused by server, any difference stops it, and where it is not refused none does", () => {
  expect(isRefused(change, { kind: "server" })).toBe(true);
  expect(isRefused({ ...change, toolsRemoved: ["book"] }, { kind: "none" })).toBe(false);
});

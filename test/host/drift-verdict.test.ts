import { expect, test } from "vitest";
import {
  findMovedTools,
  findNewDrift,
  isRefused,
  type Refusal,
  refusalAtStart,
  refusalInRun,
} from "../../runtime/host/lock/drift-verdict.ts";
import { drifted } from "../../runtime/host/lock/describe-drift.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS, type DriftPolicy } from "../../schemas/config/config-file.ts";
import type { ServerChange } from "../../schemas/diff/diff-lockfiles.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

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

test.each<[DriftPolicy, "server" | "tool", Refusal["kind"]]>([
  ["warn", "tool", "none"],
  ["warn", "server", "none"],
  ["refresh", "tool", "none"],
  ["refresh", "server", "none"],
  ["review", "tool", "tool"],
  ["review", "server", "tool"],
  ["refuse", "tool", "tool"],
  ["refuse", "server", "server"],
])("at the start of a script, drift %s by %s refuses: %s", (drift, refuseBy, kind) => {
  expect(refusalAtStart(drift, refuseBy, manifest)).toEqual(kind === "tool" ? { kind, manifest } : { kind });
});

test("in a run, `refresh` refuses a change of what a person has allowed for it, and the others as at the start", () => {
  const granted = [
    { serverId: "trips", toolName: "quote" },
    { serverId: "other", toolName: "book" },
  ];
  expect(refusalInRun("warn", manifest, [])).toEqual({ kind: "none" });
  expect(refusalInRun("review", manifest, [])).toEqual({ kind: "tool", manifest });
  expect(refusalInRun("refuse", manifest, [])).toEqual({ kind: "tool", manifest });
  expect(refusalInRun("refresh", manifest, granted)).toEqual({ kind: "tool", manifest: { tools: [] } });
  expect(refusalInRun("refresh", manifest, [{ serverId: "trips", toolName: "book" }])).toEqual({
    kind: "tool",
    manifest,
  });
});

const locked = lockfileOf({ trips: [{ name: "book" }, { name: "quote" }] });
const access = ownAccess(DEFAULTS.policy);

/** What a script of these tools calls, as the lockfile has them. */
function manifestOf(...names: string[]): Manifest {
  const tools = locked.servers.get("trips")?.tools.filter(({ name }) => names.includes(name)) ?? [];
  return {
    tools: tools.map(({ name, exportName, integrity }) => ({
      serverId: "trips",
      toolName: name,
      exportName,
      integrity,
    })),
  };
}

test("a tool of a bundle has moved where its server, itself or its definition is no longer what the lockfile has", () => {
  const bundled = manifestOf("book", "quote");
  const reasons = (lockfile: Lockfile) =>
    findMovedTools(bundled, lockfile, "Bundle it again.").map((one) => one.message);
  expect(reasons(locked)).toEqual([]);
  expect(reasons(lockfileOf({ trips: [{ name: "book" }, { name: "quote", description: "now more" }] }))).toEqual([
    'The bundle does not match the lockfile: the tool "quote" of "trips" has changed since it was bundled.',
  ]);
  expect(reasons(lockfileOf({ trips: [{ name: "quote" }] }))).toEqual([
    'The bundle does not match the lockfile: the server "trips" has no tool "book" any more.',
  ]);
  expect(reasons(lockfileOf({}))).toEqual([
    'The bundle does not match the lockfile: the lockfile has no server "trips" any more.',
    'The bundle does not match the lockfile: the lockfile has no server "trips" any more.',
  ]);
  expect(findMovedTools(bundled, lockfileOf({ trips: [{ name: "quote" }] }), "Bundle it again.")).toMatchObject([
    { severity: "error", code: "LOCK_DRIFT", hint: "Bundle it again." },
  ]);
});

/** What is found after an approval, and what the servers were looked at for. */
async function lookAgain(drift: DriftPolicy, found: Diagnostic[], current = locked) {
  const looks: unknown[] = [];
  const lock = {
    current: () => current,
    look: async (...request: unknown[]) => {
      looks.push(request);
      return found;
    },
  };
  return { found: await findNewDrift(lock, drift, manifestOf("book"), access), looks };
}

const DRIFTED: Diagnostic = { severity: "error", code: "LOCK_DRIFT", message: "It differs." };
const NOTED: Diagnostic = { ...DRIFTED, severity: "warning" };

test("after an approval the servers of a script are looked at again, and with `warn` they are not", async () => {
  const looked = await lookAgain("review", [DRIFTED, NOTED]);
  expect(looked).toEqual({
    found: [DRIFTED],
    looks: [[["trips"], { kind: "tool", manifest: manifestOf("book") }, access]],
  });
  expect(await lookAgain("warn", [DRIFTED])).toEqual({ found: [], looks: [] });
});

test("after an approval, a lockfile that has followed its server meanwhile stops a script whose tool is another now", async () => {
  const moved = lockfileOf({ trips: [{ name: "book", description: "other words" }] });
  expect((await lookAgain("refresh", [NOTED], moved)).found).toMatchObject([
    { severity: "error", code: "LOCK_DRIFT", hint: "Run it again." },
  ]);
  expect((await lookAgain("refresh", [NOTED])).found).toEqual([]);
});

test("a server with hundreds of new tools is reported with a few of their names", () => {
  const toolsAdded = Array.from({ length: 242 }, (_, index) => `tool_${index}`);
  const none = { toolsRemoved: [], toolsChanged: [], changes: [] };
  const change: ServerChange = { serverId: "github", kind: "added", severity: "compatible", toolsAdded, ...none };
  const { message } = drifted("warning", "github", change, "");
  expect(message).toContain("tools added: tool_0, tool_1,");
  expect(message).toContain(" and 230 more).");
  expect(message.length).toBeLessThan(250);
});

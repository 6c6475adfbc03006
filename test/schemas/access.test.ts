import { expect, test } from "vitest";
import { accessOf, accessVerdict, ownAccess, visibleLockfile } from "../../schemas/access/access.ts";
import { DEFAULTS, type Policy } from "../../schemas/config/config-file.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

const lockfile = lockfileOf({
  files: [{ name: "read", annotations: { readOnlyHint: true } }, { name: "write" }],
  mail: [{ name: "send" }],
});

function toolsOf({ servers }: Lockfile): string[] {
  return [...servers.values()].flatMap(({ id, tools }) => tools.map(({ name }) => `${id}/${name}`));
}

function client(settings: { servers?: string[]; policy?: Partial<Policy> }, base: Policy = DEFAULTS.policy) {
  const ci = { name: "ci", token: "t", servers: ["*"], mayApprove: false, ...settings };
  return accessOf({ kind: "http", client: ci }, { policy: base, serve: {} });
}

test("where nothing is denied, the lockfile is shown as it is", () => {
  expect(visibleLockfile(lockfile, ownAccess(DEFAULTS.policy))).toBe(lockfile);
  expect(visibleLockfile(lockfile, client({}))).toBe(lockfile);
});

test("denied tools are left out, what needs approval is not, and a server without tools is none", () => {
  const policy = { allow: ["*"], ask: ["files/write"], deny: ["mail/*"] };
  expect(toolsOf(visibleLockfile(lockfile, ownAccess(policy)))).toEqual(["files/read", "files/write"]);
});

test("a server with hidden tools says so, and keeps the integrity of the whole", () => {
  const { servers } = visibleLockfile(lockfile, client({ policy: { deny: ["@destructive"] } }));
  expect([...servers.keys()]).toEqual(["files"]);
  expect(servers.get("files")).toMatchObject({
    isPartial: true,
    integrity: lockfile.servers.get("files")?.integrity,
    tools: [{ name: "read" }],
  });
});

test("of servers that are all seen, one may be without some tools", () => {
  const { servers } = visibleLockfile(lockfile, client({ policy: { deny: ["files/write"] } }));
  expect([...servers.values()].map(({ id, isPartial }) => [id, isPartial])).toEqual([
    ["files", true],
    ["mail", undefined],
  ]);
});

test("a server without tools is seen by those who may see it", () => {
  const empty = lockfileOf({ files: [], mail: [] });
  expect([...visibleLockfile(empty, client({ servers: ["ma*"] })).servers.keys()]).toEqual(["mail"]);
  expect(visibleLockfile(empty, client({ policy: { deny: ["*"] } }))).toBe(empty);
});

test("a client sees its servers alone", () => {
  const access = client({ servers: ["ma*"] });
  expect(toolsOf(visibleLockfile(lockfile, access))).toEqual(["mail/send"]);
  expect(accessVerdict(access, "files", { name: "read" })).toBe("deny");
});

test.each<[what: string, base: Policy, own: Partial<Policy>, tools: string[]]>([
  [
    "what the policy denies stays denied",
    { allow: ["*"], ask: [], deny: ["mail/*"] },
    { allow: ["*"] },
    ["files/read", "files/write"],
  ],
  ["both may deny", { allow: ["*"], ask: [], deny: ["mail/*"] }, { deny: ["*/write"] }, ["files/read"]],
  ["its allow adds nothing to the policy's", { allow: ["files/*"], ask: [], deny: [] }, { allow: ["mail/*"] }, []],
  [
    "its allow takes out what the policy asks about",
    { allow: ["*"], ask: ["@destructive"], deny: [] },
    { allow: ["@readOnly"] },
    ["files/read"],
  ],
  [
    "without an allow of its own it has all that the policy allows",
    { allow: ["files/*"], ask: [], deny: [] },
    { ask: ["*/write"] },
    ["files/read", "files/write"],
  ],
])("%s", (_, base, policy, tools) => {
  expect(toolsOf(visibleLockfile(lockfile, client({ policy }, base)))).toEqual(tools);
});

test.each<[what: string, own: Partial<Policy>]>([
  ["says nothing of asking", { allow: ["*"] }],
  ["wants nothing to be asked", { allow: ["*"], ask: [] }],
])("a client that %s is asked as everybody is", (_, policy) => {
  const access = client({ policy }, { allow: ["*"], ask: ["mail/*"], deny: [] });
  expect(accessVerdict(access, "mail", { name: "send" })).toBe("ask");
});

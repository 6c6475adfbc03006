import { expect, test } from "vitest";
import { isLoosened } from "../../runtime/host/lock/is-loosened.ts";
import type { Policy, ServedClientEntry } from "../../schemas/config/config-file.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

/** A server whose tool `wipe` says this of itself, beside a tool that never changes. */
function serverThatSays(annotations: object): LockedServer {
  const server = lockfileOf({ files: [{ name: "list" }, { name: "wipe", annotations }] }).servers.get("files");
  if (server === undefined) throw new Error("The server was not locked.");
  return server;
}

function isLoosenedFor(policy: Partial<Policy>, clients: Record<string, Omit<ServedClientEntry, "token">> = {}) {
  const entries = Object.entries(clients).map(([name, client]) => [name, { token: name, ...client }] as const);
  const serve = { clients: Object.fromEntries(entries) };
  const config = toConfig({ mcpServers: {}, policy, serve }, "codemode.config.json", "/project");
  return isLoosened(serverThatSays({}), serverThatSays({ readOnlyHint: true }), config);
}

test("a tool that calls itself harmless from now on loosens a policy that goes by that", () => {
  expect(isLoosenedFor({ allow: ["@readOnly"] })).toBe(true);
  expect(isLoosenedFor({ ask: ["@destructive"] })).toBe(true);
  expect(isLoosenedFor({ allow: ["*"] })).toBe(false);
});

test.each<[what: string, own: Partial<Policy>]>([
  ["allows what only reads", { allow: ["@readOnly"] }],
  ["asks about what may destroy", { ask: ["@destructive"] }],
  ["denies what may destroy", { deny: ["files/@destructive"] }],
])("it loosens the policy of a client too that %s, although the project's allows all", (_, own) => {
  expect(isLoosenedFor({}, { other: {}, bot: { policy: own } })).toBe(true);
});

test("it loosens nothing for a client that does not see the server, or that the project's policy keeps from the tool", () => {
  const policy = { allow: ["@readOnly"] };
  expect(isLoosenedFor({}, { bot: { servers: ["mail"], policy } })).toBe(false);
  expect(isLoosenedFor({ deny: ["files/*"] }, { bot: { policy } })).toBe(false);
  expect(isLoosenedFor({ ask: ["files/*"] }, { bot: { policy: { ask: ["@destructive"] } } })).toBe(false);
});

import { expect, test } from "vitest";
import { evaluatePolicy } from "../../../extras/doctor/policy.ts";
import { findLostFilters, warnOfLost } from "../../../engine/project/config/lost-patterns.ts";
import type { ServerConfig } from "../../../schemas/config/config.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const LOCKFILE = lockfileOf({ files: [{ name: "read" }, { name: "write" }, { name: "erase" }] });

function findingOf(policy: object, clientPolicy: object) {
  const config = toConfig(
    {
      mcpServers: { files: { command: "files" } },
      policy: policy as Record<string, string[]>,
      serve: { clients: { bot: { token: "${BOT_TOKEN}", policy: clientPolicy as Record<string, string[]> } } },
    },
    "/project/codemode.config.json",
    "/project",
  );
  return evaluatePolicy(config, LOCKFILE).find(({ id }) => id === "policy.clients");
}

test("a client's policy that allows more than the project's is named, with what the client gets", () => {
  expect(findingOf({ ask: ["files/write"], deny: ["files/erase"] }, { allow: ["files/*"] })).toMatchObject({
    status: "warning",
    found: "the project's policy gives less than the client's: bot: files/erase (deny), bot: files/write (ask)",
    facts: { less: ["bot: files/erase (deny)", "bot: files/write (ask)"] },
  });
});

test.each([
  ["allows what the project allows", { allow: ["files/read"] }],
  ["allows all, as it does without a word", { allow: ["*"] }],
  ["asks for the same", { allow: ["files/read", "files/write"], ask: ["files/write"] }],
])("a client's policy that %s is as it should be", (_title, clientPolicy) => {
  expect(findingOf({ ask: ["files/write"] }, clientPolicy)).toMatchObject({ status: "ok" });
});

test("without a policy of a client there is nothing to say", () => {
  expect(findingOf({ deny: ["files/erase"] }, { deny: ["files/write"] })).toBeUndefined();
});

test("patterns that match nothing are named with what they most likely mean", () => {
  const found = (settings: object, lockfile = LOCKFILE) => {
    const config = toConfig(
      {
        mcpServers: {
          files: { command: "files", tools: { include: ["rea*", "wrte"], exclude: ["drop"] } },
          other: { command: "o" },
        },
        ...settings,
      },
      "/project/codemode.config.json",
      "/project",
    );
    return evaluatePolicy(config, lockfile).flatMap(
      ({ facts }) => (facts?.["unmatched"] as string[] | undefined) ?? [],
    );
  };
  // A server that is not locked yet may have any tool, and what the filter takes out need not be there.
  const policy = {
    deny: ["files/drop", "other/x", "ot*/y", "files/@readOnly", "*/erase"],
    ask: ["files/wriet", "fles/*"],
  };
  expect(found({ policy })).toEqual([
    "policy.ask: files/wriet",
    "policy.ask: fles/*",
    "mcpServers.files.tools.include: wrte",
  ]);
  const { found: said } =
    evaluatePolicy(
      toConfig(
        { mcpServers: { files: { command: "files" } }, policy: { deny: ["files/wriet", "*/purge*"] } },
        "/c.json",
        "/",
      ),
      LOCKFILE,
    )[0] ?? {};
  expect(said).toBe('no tool matches "files/wriet" in policy.deny (did you mean "files/write"?)');
});

test("at a lock a filter is held against all that the server lists", () => {
  const server = { name: "files", tools: { include: ["read", "lst"], exclude: ["ecoh", "write*", "caf\u00e9"] } };
  const listed = ["read", "write_all", "echo", "cafe\u0301", "list"];
  expect(warnOfLost(findLostFilters(server as unknown as ServerConfig, listed, { isFiltered: false }))).toEqual([
    'warning: nothing matches "lst" in mcpServers.files.tools.include (did you mean "list"?)',
    'warning: nothing matches "ecoh" in mcpServers.files.tools.exclude (did you mean "echo"?)',
  ]);
});

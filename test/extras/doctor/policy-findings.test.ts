import { expect, test } from "vitest";
import { evaluatePolicy } from "../../../extras/doctor/policy.ts";
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

import { describe, expect, test } from "vitest";
import { type Access, accessOf, accessVerdict, type Caller, visibleLockfile } from "../../schemas/access/access.ts";
import type { Policy } from "../../schemas/config/config-file.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

/** What becomes of a script that calls the tool: `refused` where it needs approval that the caller cannot give. */
type Outcome = "runs" | "asks" | "refused" | "denied";

const lockfile = lockfileOf({ mail: [{ name: "send" }], notes: [{ name: "read" }] });

function outcomeOf(access: Access): Outcome {
  const verdict = accessVerdict(access, "mail", { name: "send" });
  if (verdict === "allow") return "runs";
  if (verdict === "deny") return "denied";
  return access.mayApprove ? "asks" : "refused";
}

const PROJECT: Record<string, Policy> = {
  allows: { allow: ["*"], ask: [], deny: [] },
  asks: { allow: ["*"], ask: ["mail/*"], deny: [] },
  "does not name it": { allow: ["notes/*"], ask: [], deny: [] },
  denies: { allow: ["*"], ask: ["*"], deny: ["mail/*"] },
};

const CLIENT: Record<string, Partial<Policy> | undefined> = {
  "has no policy": undefined,
  allows: { allow: ["mail/*", "notes/*"] },
  "allows and asks nothing": { allow: ["*"], ask: [] },
  asks: { ask: ["mail/*"] },
  "asks beyond its allow": { allow: ["notes/*"], ask: ["mail/*"] },
  "allows others alone": { allow: ["notes/*"] },
  denies: { deny: ["mail/*"] },
};

/** Rows: the project's policy. Columns: the client's own. A person's yes counts wherever a cell says `asks`. */
const ASKED: Record<string, Outcome[]> = {
  allows: ["runs", "runs", "runs", "asks", "asks", "denied", "denied"],
  asks: ["asks", "asks", "asks", "asks", "asks", "denied", "denied"],
  "does not name it": ["denied", "denied", "denied", "denied", "denied", "denied", "denied"],
  denies: ["denied", "denied", "denied", "denied", "denied", "denied", "denied"],
};

/** Without a person behind the client the same, but for what would be asked. */
function unasked(outcome: Outcome): Outcome {
  return outcome === "asks" ? "refused" : outcome;
}

describe.each([false, true])("a client over HTTP with mayApprove %s", (mayApprove) => {
  for (const [project, row] of Object.entries(ASKED)) {
    const cells = Object.keys(CLIENT).map((own, column) => [own, row[column] as Outcome] as const);
    test.each(cells)(`the project ${project}, the client %s`, (own, outcome) => {
      const policy = CLIENT[own];
      const client = { name: "ci", token: "t", servers: ["*"], mayApprove, ...(policy && { policy }) };
      // What is set for clients without a name is nothing to clients with one.
      const config = { policy: PROJECT[project] as Policy, serve: { mayApprove: !mayApprove } };
      const access = accessOf({ kind: "http", client }, config);
      expect(outcomeOf(access)).toBe(mayApprove ? outcome : unasked(outcome));
      expect(visibleLockfile(lockfile, access).servers.has("mail")).toBe(outcome !== "denied");
    });
  }
});

const NAMELESS: [who: string, caller: Caller, serve: { mayApprove?: boolean }, asks: boolean][] = [
  ["a person", { kind: "person" }, {}, true],
  ["a person, with every setting of serve", { kind: "person" }, { mayApprove: false }, true],
  ["a client over stdio", { kind: "stdio" }, {}, true],
  ["a client over stdio without a person", { kind: "stdio" }, { mayApprove: false }, false],
  ["a client over HTTP without a name", { kind: "http" }, {}, false],
  ["a client over HTTP without a name that may approve", { kind: "http" }, { mayApprove: true }, true],
];

describe.each(NAMELESS)("%s", (_who, caller, serve, asks) => {
  const cells = Object.entries(ASKED).map(([project, [outcome]]) => [project, outcome as Outcome] as const);
  test.each(cells)("the project %s", (project, outcome) => {
    const access = accessOf(caller, { policy: PROJECT[project] as Policy, serve });
    expect(outcomeOf(access)).toBe(asks ? outcome : unasked(outcome));
  });
});

import { expect, test } from "vitest";
import { describeUnapprovedScript, reviewManifest, toEntry } from "../../runtime/host/checks/review-manifest.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS, type Policy } from "../../schemas/config/config-file.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { lockfileOf } from "../templates/lockfile-of.ts";

const lockfile = lockfileOf({
  files: [{ name: "read", annotations: { readOnlyHint: true } }, { name: "remove" }, { name: "write" }],
  mail: [{ name: "send" }],
});

function manifestOf(...names: string[]) {
  return {
    tools: names.map((name) => {
      const [serverId = "", toolName = ""] = name.split("/");
      const tool = lockfile.servers.get(serverId)?.tools.find((entry) => entry.name === toolName);
      if (tool === undefined) throw new Error(`There is no ${name}.`);
      return { serverId, toolName, exportName: tool.exportName, integrity: tool.integrity };
    }),
  };
}

function review(policy: Partial<Policy>, names: string[], { code = "1", bound = lockfile as Lockfile } = {}) {
  return reviewManifest({ code, manifest: manifestOf(...names) }, bound, ownAccess({ ...DEFAULTS.policy, ...policy }));
}

test("a script all of whose tools are allowed runs at once", () => {
  expect(review({ deny: ["mail/*"], ask: ["*/remove"] }, ["files/read", "files/write"])).toEqual({ kind: "allowed" });
});

test("one denied tool stops the script before any question; exactly the denied ones are named", () => {
  const names = ["files/read", "files/remove", "files/write", "mail/send"];
  expect(review({ ask: ["*/write"], deny: ["mail/*", "*/remove"] }, names)).toMatchObject({
    kind: "denied",
    diagnostic: {
      severity: "error",
      code: "POLICY_DENIED",
      message: "The policy denies calls of files/remove, mail/send, so the script did not run.",
    },
  });
});

test("the hint speaks of namespaces where a script counts a whole server, and not where it names one tool", () => {
  const hintOf = (names: string[]) => {
    const outcome = review({ deny: ["files/remove", "mail/*"] }, names);
    return outcome.kind === "denied" ? outcome.diagnostic.hint : undefined;
  };
  expect(hintOf(["files/read", "files/remove", "files/write"])).toMatch(
    / A script that passes a namespace on may call all its tools/,
  );
  expect(hintOf(["files/remove", "mail/send"])).toBe(
    'Do without them, or have a person allow them in "policy" of the configuration.',
  );
});

test("a person is asked about exactly the tools that need it, with the server's claims", () => {
  const outcome = review({ ask: ["files/*"] }, ["files/read", "files/write", "mail/send"]);
  expect(outcome).toEqual({
    kind: "ask",
    request: {
      tools: [
        { serverId: "files", toolName: "read", annotations: { readOnlyHint: true } },
        { serverId: "files", toolName: "write" },
      ],
      digest: expect.stringMatching(/^sha256-/),
    },
  });
});

test("an approval is for one code, one set of tools and one form of them", () => {
  const digestOf = (names: string[], options = {}) => {
    const outcome = review({ ask: ["*"] }, names, options);
    return outcome.kind === "ask" ? outcome.request.digest : outcome.kind;
  };
  const digest = digestOf(["files/write"]);
  expect(digestOf(["files/write"])).toBe(digest);
  expect(digestOf(["files/write"], { code: "2" })).not.toBe(digest);
  expect(digestOf(["files/read", "files/write"])).not.toBe(digest);
});

test.each([
  ["refused", /refused to let this script call files\/write, mail\/send/],
  ["closed", /needs a person's approval to call files\/write, mail\/send, and the question was closed/],
  ["reserved", /needs a person's approval to call files\/write, mail\/send, which this client may not give/],
  ["unavailable", /needs a person's approval to call files\/write, mail\/send, and no person could be asked/],
] as const)("the answer names the calls that were not approved: %s", (verdict, message) => {
  const outcome = review({ ask: ["*"] }, ["files/write", "mail/send"]);
  if (outcome.kind !== "ask") throw new Error(outcome.kind);
  expect(describeUnapprovedScript(outcome.request, verdict)).toMatchObject({
    severity: "error",
    code: "APPROVAL_REQUIRED",
    message: expect.stringMatching(message),
    hint: expect.any(String),
  });
});

test.each(["refused", "closed", "unavailable", "reserved"] as const)(
  "without approval (%s) the hint names a way",
  (verdict) => {
    const outcome = review({ ask: ["*"] }, ["files/write"]);
    if (outcome.kind !== "ask") throw new Error(outcome.kind);
    expect(describeUnapprovedScript(outcome.request, verdict, "agent").hint).toMatch(/[Tt]ell the user.*in "policy"/);
    expect(describeUnapprovedScript(outcome.request, verdict).hint).toMatch(/in "policy"/);
  },
);

test("of a tool that waits for a person the stricter claims are shown, and of others the server's where they are an object", () => {
  const [tool] = lockfile.servers.get("files")?.tools ?? [];
  if (tool === undefined) throw new Error("There is no tool.");
  const claims = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
  const place = { serverId: "files", toolName: tool.name };
  expect(toEntry("files", { ...tool, pending: claims })).toEqual({
    ...place,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  });
  expect(toEntry("files", { ...tool, annotations: { title: "x" } })).toEqual({ ...place, annotations: { title: "x" } });
  expect(Object.keys(toEntry("files", { ...tool, annotations: [] }))).toEqual(["serverId", "toolName"]);
});

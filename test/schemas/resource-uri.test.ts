import { expect, test } from "vitest";
import { ownAccess, resourceVerdict, visibleServer } from "../../schemas/access/access.ts";
import { policyVerdict } from "../../schemas/access/policy.ts";
import { readResourceUri } from "../../schemas/access/resource-uri.ts";
import type { Policy } from "../../schemas/config/config-file.ts";
import { lockedServer } from "../templates/lockfile-of.ts";

const policyOf = (changes: Partial<Policy>): Policy => ({ allow: ["*"], ask: [], deny: [], ...changes });

test.each([
  ["no scheme", "open/today"],
  ["nothing but a path", "/etc/passwd"],
  ["a step up", "note:///open/../secret/key"],
  ["a step up at the end", "note:///open/.."],
  ["an encoded step up", "note:///open/%2e%2E/secret"],
  ["an encoded slash after a step up", "note:///open/..%2fsecret"],
  ["a step up that is encoded twice", "note:///open/%252e%252e/secret"],
  ["a step up by backslashes", "note:///open/..%5csecret"],
  ["a backslash", "note:///open\\..\\secret"],
  ["a step up in a query", "note:///open?path=../secret"],
  ["wide letters that are dots", "note:///open/\uff0e\uff0e/secret"],
  ["wide letters, encoded", "note:///open/%EF%BC%8E%EF%BC%8E/secret"],
  ["an invisible letter", "note:///open/to\u200bday"],
  ["an encoded invisible letter", "note:///open/to%E2%80%8Bday"],
  ["a line break", "note:///open\nsecret"],
  ["an encoded zero", "note:///open/today%00.txt"],
  ["a space at the end", "note:///secret/key "],
  ["braces", "note:///{folder}"],
  ["a percent sign alone", "note:///100%"],
  ["bytes that are no UTF-8", "note:///%ff"],
  ["half a character", "note:///\ud800"],
  ["too many encodings", "note:///%252525252541"],
  ["more than is read", `note:///${"a".repeat(9000)}`],
])("a URI with %s is refused", (_, uri) => {
  expect(readResourceUri(uri)).toMatchObject({ ok: false, problem: expect.stringMatching(/^it/) });
});

test.each([
  ["NOTE:///secret/key", "note:///secret/key"],
  ["note:///%73ecret/key", "note:///secret/key"],
  ["note:///a%2fb", "note:///a%2Fb"],
  ["note:///a//b///c?d//e", "note:///a/b/c?d//e"],
  ["note:///%2573ecret/key", "note:///secret/key"],
  ["note:///%252573ecret/key", "note:///secret/key"],
  ["note:///%2570rivate/secret?%25zz", "note:///private/secret?%25zz"],
  ["note:///%EF%BD%90rivate/x", "note:///private/x"],
  ["note:///\uff50rivate/x", "note:///private/x"],
  ["note:///u%CC%88", undefined],
  ["note:///a/%2Fb", undefined],
  ["file:/a/b", "file:///a/b"],
  ["file:a/b", "file:///a/b"],
  ["FILE://LocalHost/a/b", "file:///a/b"],
  ["file:////a/b", "file:///a/b"],
  ["file:///c%3A/x", "file:///C:/x"],
  ["file:///c|/x", "file:///C:/x"],
  ["file://server/share", undefined],
])("%s is refused, and its one spelling is named: %s", (uri, canonical) => {
  const read = readResourceUri(uri);
  expect(read).toMatchObject({ ok: false });
  expect(read.ok ? undefined : read.canonical).toBe(canonical);
  if (canonical !== undefined) expect(readResourceUri(canonical).ok).toBe(true);
});

test.each([
  "note:///open/today",
  "file:///home/me/a%20b.txt",
  "file:///C:/x.txt",
  "obsidian://Vault/My%20note",
  "https://a.example/?u=https://b.example//c",
  "note:///a%20b/c.d/...e",
  "note:///my file",
  "note:///größe/100%25",
  "https://host.example/a?b=c.d&e#f",
  "urn:isbn:0451450523",
])("%s is read as it is", (uri) => {
  expect(readResourceUri(uri)).toMatchObject({ ok: true, forms: expect.arrayContaining([uri]) });
});

test.each<[string, Partial<Policy>, string, string]>([
  ["is allowed", {}, "note:///secret/key", "allow"],
  ["is denied", { deny: ["s/resource:note:///secret/*"] }, "note:///secret/key", "deny"],
  ["has a denied host in capitals", { deny: ["s/resource:https://a.example/*"] }, "https://A.example/x", "deny"],
  ["is denied by an encoded pattern", { deny: ["s/resource:note:///a%20b/*"] }, "note:///a b/key", "deny"],
  ["is denied by a decoded pattern", { deny: ["s/resource:note:///größe/*"] }, "note:///gr%C3%B6%C3%9Fe/key", "deny"],
  ["is denied with other slashes", { deny: ["s/resource:note:///secret/*"] }, "note://secret/key", "deny"],
  ["is denied with one slash", { deny: ["s/resource:note:///secret/*"] }, "note:/secret/key", "deny"],
  ["has a denied step, encoded", { deny: ["s/resource:note:///secret/*"] }, "note:///secret%2Fkey", "deny"],
  ["needs approval, and is encoded", { ask: ["s/resource:note:///a b/*"] }, "note:///a%20b/key", "ask"],
  ["is not allowed", { allow: ["s/resource:note:///open/*"] }, "note:///secret/key", "deny"],
  ["is allowed by its place", { allow: ["s/resource:note:///open/*"] }, "note:///open/a%20b", "allow"],
  ["would be allowed in another spelling", { allow: ["s/resource:note:///open/*"] }, "note://open/a", "deny"],
  ["only reads", { allow: ["@readOnly"] }, "note:///secret/key", "allow"],
  ["destroys nothing", { deny: ["@destructive"] }, "note:///secret/key", "allow"],
  ["is a resource of another server", { allow: ["t/*"] }, "note:///secret/key", "deny"],
])("a resource that %s", (_, policy, uri, verdict) => {
  const read = readResourceUri(uri);
  expect(read.ok && resourceVerdict(ownAccess(policyOf(policy)), "s", read.forms)).toBe(verdict);
});

const READ_ONLY = { readOnlyHint: true };

test.each<[Partial<Policy>, [string, string, string, string]]>([
  // The verdicts on: list, read, the template `note:///open/{name}`, the prompt `review`.
  [{}, ["allow", "allow", "allow", "allow"]],
  [{ deny: ["s/resource:*"] }, ["deny", "deny", "deny", "allow"]],
  [{ deny: ["s/prompt:*"] }, ["allow", "allow", "allow", "deny"]],
  [{ deny: ["s/resource:note:///open/*"] }, ["allow", "allow", "deny", "allow"]],
  [{ deny: ["s/resource:note:///open/today"] }, ["allow", "allow", "allow", "allow"]],
  [{ deny: ["s/resource:list"] }, ["deny", "allow", "allow", "allow"]],
  [{ ask: ["s/resource:note:///open/to*"] }, ["ask", "ask", "ask", "allow"]],
  [{ ask: ["s/resource:note:///secret/*"] }, ["ask", "ask", "allow", "allow"]],
  [{ allow: ["s/resource:note:///open/today"] }, ["allow", "allow", "allow", "deny"]],
  [{ allow: ["s/resource:note:///secret/*"] }, ["allow", "allow", "deny", "deny"]],
  [{ allow: ["s/append"] }, ["deny", "deny", "deny", "deny"]],
  [{ allow: ["@readOnly"], ask: ["s/prompt:*"] }, ["allow", "allow", "allow", "ask"]],
  [{ allow: ["?/*:*"] }, ["allow", "allow", "allow", "allow"]],
])("what a policy says of functions over resources, before any call: %j", (policy, verdicts) => {
  const names = ["resource:list", "resource:*", "resource:note:///open/{name}", "prompt:review"];
  expect(names.map((name) => policyVerdict(policyOf(policy), "s", { name, annotations: READ_ONLY }))).toEqual(verdicts);
});

test("a client sees a server without the prompts and resources that it may not use", () => {
  const server = {
    ...lockedServer("s", [{ name: "append" }]),
    resources: [{ name: "resource:*", exportName: "read", annotations: READ_ONLY, integrity: "sha256-a" as const }],
    prompts: [{ name: "prompt:p", exportName: "p", annotations: READ_ONLY, integrity: "sha256-b" as const }],
  };
  const seen = (policy: Partial<Policy>) => {
    const { tools, resources, prompts, isPartial } = visibleServer(server, ownAccess(policyOf(policy)));
    return [tools.length, resources?.length, prompts?.length, isPartial];
  };
  expect(seen({})).toEqual([1, 1, 1, undefined]);
  expect(seen({ deny: ["s/resource:*"] })).toEqual([1, 0, 1, true]);
  expect(seen({ allow: ["@readOnly"] })).toEqual([0, 1, 1, true]);
});

import { expect, test } from "vitest";
import type { ServerTarget } from "@codemode/runtime/connections/server-target";
import { makeOthersCredentials } from "../../runtime/mcp/others-credentials.ts";

const targetOf = (env: Record<string, string>): ServerTarget =>
  ({
    ...{ id: "s", name: "s", transport: "stdio", command: "x", args: [], cwd: "/", timeoutMs: 1 },
    ...{ env, literals: {}, secrets: {} },
  }) as unknown as ServerTarget;
const [ADA, BOB, SHARED] = ["ada-0123456789abcdef", "bob-0123456789abcdef", "all-0123456789abcdef"];
const MASK = "[redacted: a credential of others]";

test("a client sees the credentials of no other one, and its own", () => {
  const others = makeOthersCredentials();
  others.learn("ada", targetOf({ API_TOKEN: ADA }));
  others.learn("bob", targetOf({ API_TOKEN: BOB }));
  others.learn(undefined, targetOf({ API_TOKEN: SHARED }));
  const text = `${ADA} ${BOB} ${SHARED}`;
  expect(others.maskFor("ada").redact(text)).toBe(`${ADA} ${MASK} ${MASK}`);
  expect(others.maskFor("bob").redact(text)).toBe(`${MASK} ${BOB} ${MASK}`);
  expect(others.maskFor(undefined).redact(text)).toBe(`${MASK} ${MASK} ${SHARED}`);
  expect(others.maskFor("new").redact(text)).toBe(`${MASK} ${MASK} ${MASK}`);
});

test("what is learned later is masked by masks that were made, and used, before", () => {
  const others = makeOthersCredentials();
  const mask = others.maskFor("bob");
  others.learn("bob", targetOf({ API_TOKEN: BOB }));
  expect([mask.redact(ADA), mask.isInUse()]).toEqual([ADA, false]);
  others.learn("ada", targetOf({ API_TOKEN: ADA }));
  expect([mask.redact(ADA), mask.isInUse()]).toEqual([MASK, true]);
  others.learn("ada", targetOf({ SECOND_TOKEN: `${ADA}-2` }));
  expect(mask.redact(`x ${ADA}-2`)).toBe(`x ${MASK}`);
});

test("a value that two clients have is masked for neither of them", () => {
  const others = makeOthersCredentials();
  for (const client of ["ada", "bob"]) others.learn(client, targetOf({ API_TOKEN: SHARED }));
  expect(["ada", "bob"].map((client) => others.maskFor(client).redact(SHARED))).toEqual([SHARED, SHARED]);
  expect(others.maskFor("eve").redact(SHARED)).toBe(MASK);
});

test("a value that can be guessed by trying texts out is not masked, so that masking shows nothing", () => {
  const others = makeOthersCredentials();
  others.learn("ada", targetOf({ API_TOKEN: "0123456789abcde" }));
  expect(others.maskFor("bob").redact("0123456789abcde")).toBe("0123456789abcde");
  others.learn("ada", targetOf({ API_TOKEN: "0123456789abcdef" }));
  expect(others.maskFor("bob").redact("0123456789abcdef")).toBe(MASK);
});

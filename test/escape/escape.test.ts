import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Renewal } from "../../schemas/run/protocol.ts";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { ALL_NODE_VERSIONS, findNode } from "../node-versions/find-node.ts";
import { runScript } from "../sandbox/realm/run-script.ts";
import type { Attack } from "./attack.ts";
import { ATTACKS } from "./attacks/all.ts";
import { HELD, outcomeOf, outcomesTogether } from "./outcome-of.ts";

/** Realms cost more, and differ least between versions: they are attacked on the oldest and the newest. */
const hasRealms = (version: string): boolean =>
  version === ALL_NODE_VERSIONS[0] || version === ALL_NODE_VERSIONS.at(-1);
test("the corpus has at least eighty attacks", () => {
  expect(Object.values(ATTACKS).flat().length).toBeGreaterThanOrEqual(80);
});

/** The attacks that run at all: what must not start is refused by the parser, which knows neither the time nor an earlier script. */
const STARTING = Object.entries(ATTACKS).map(
  ([theme, attacks]) => [theme, attacks.filter(({ isRefused }) => isRefused !== true)] as const,
);

const allHeld = (attacks: readonly Attack[]): Record<string, string> =>
  Object.fromEntries(attacks.map(({ name }) => [name, HELD]));

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  let pool: SandboxPool;
  let reusing: Record<Renewal, SandboxPool>;

  beforeAll(async () => {
    pool = makeSandboxPool({ size: 2, node: findNode(version) });
    const makeReusing = (renew: Renewal): SandboxPool =>
      makeSandboxPool({ node: findNode(version), reuse: { times: 1000, renew }, refill: false });
    reusing = { realm: makeReusing("realm"), compartment: makeReusing("compartment") };
    await pool.warm();
  }, 120_000);
  afterAll(() => Promise.all([pool, reusing.realm, reusing.compartment].map((one) => one.close())));

  describe("in an ordinary run", () => {
    test.each(Object.entries(ATTACKS))("nothing gets out by %s", { timeout: 60_000 }, async (_theme, attacks) => {
      const outcomes = await Promise.all(
        attacks.map(async (attack) => [attack.name, await outcomeOf(attack, { pool })]),
      );

      expect(Object.fromEntries(outcomes)).toEqual(allHeld(attacks));
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });

  // The guest is the same as in an ordinary run, but for the time that the host keeps. One attack could hide what the next one finds: each is
  // tried with the others before it, and with the others after it.
  describe("in a recorded run", () => {
    test.each(STARTING)("nothing gets out by %s", { timeout: 60_000 }, async (_theme, attacks) => {
      for (const order of [attacks, attacks.toReversed()])
        expect(await outcomesTogether(order, { pool, isRecorded: true })).toEqual(allHeld(attacks));
    });
  });

  // What came before each attack must not help it: in a realm of its own once, in a shared one twice.
  const levels: [Renewal, rounds: (readonly (readonly [string, Attack[]])[])[]][] = [
    ["compartment", [Object.entries(ATTACKS), STARTING]],
  ];
  if (hasRealms(version)) levels.unshift(["realm", [Object.entries(ATTACKS)]]);
  describe.each(levels)("in a process with a new %s for each run", (renew, rounds) => {
    test.each(rounds.flat())("nothing gets out by %s", { timeout: 60_000 }, async (_theme, attacks) => {
      for (const attack of attacks) {
        const outcome = await outcomeOf(attack, { pool: reusing[renew], trustDomain: "attacker" });
        expect([attack.name, outcome]).toEqual([attack.name, HELD]);
      }
    });
  });

  test("the host answers the next run", async () => {
    const answer = await runScript("globalThis.__codemode_result__ = 1 + 1;", { pool });

    expect(answer).toEqual({ logs: [], result: 2, diagnostics: [], toolTrace: [] });
  });
});

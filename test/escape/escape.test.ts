import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Renewal } from "../../schemas/run/protocol.ts";
import type { ToolCall, ToolReply } from "../../schemas/lock/tools.ts";
import { makeSandboxPool, type SandboxPool } from "../../runtime/host/sandbox/pool.ts";
import { ALL_NODE_VERSIONS, findNode } from "../node-versions/find-node.ts";
import { runScript, type ScriptOptions } from "../sandbox/run-script.ts";
import type { Attack } from "./attack.ts";
import { ATTACKS } from "./attacks/all.ts";
import { PROBES } from "./probes.ts";

const HELD = "held";
/** Realms cost more, and differ least between versions: they are attacked on the oldest and the newest. */
const hasRealms = (version: string): boolean =>
  version === ALL_NODE_VERSIONS[0] || version === ALL_NODE_VERSIONS.at(-1);
/** Of this machine: none of it may be in an answer. */
const MACHINE = [
  process.cwd(),
  "node:internal",
  "boot.cjs",
  "main.js",
  "realm.js",
  "ses.js",
  "codemode:main",
  "codemode:ses",
  process.execPath,
];

test("the corpus has at least eighty attacks", () => {
  expect(Object.values(ATTACKS).flat().length).toBeGreaterThanOrEqual(80);
});

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

  describe.each([
    ["an ordinary run", false],
    ["a recorded run", true],
  ])("in %s", (_kind, isRecorded) => {
    test.each(Object.entries(ATTACKS))("nothing gets out by %s", { timeout: 60_000 }, async (_theme, attacks) => {
      const outcomes = await Promise.all(
        attacks.map(async (attack) => [attack.name, await outcomeOf(attack, { pool, isRecorded })]),
      );

      expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(attacks.map(({ name }) => [name, HELD])));
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });

  // What came before each attack must not help it: in a realm of its own once, in a shared one twice.
  const levels: [Renewal, times: number][] = hasRealms(version)
    ? [
        ["realm", 1],
        ["compartment", 2],
      ]
    : [["compartment", 2]];
  describe.each(levels)("in a process with a new %s for each run", (renew, times) => {
    test.each(Object.entries(ATTACKS))("nothing gets out by %s", { timeout: 60_000 }, async (_theme, attacks) => {
      for (const attack of Array.from({ length: times }, () => attacks).flat()) {
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

/** `held`, or what the attack got, as a text. */
async function outcomeOf({ code, isRefused }: Attack, options: ScriptOptions): Promise<string> {
  const source = `${PROBES}
    const attack = async function () { ${code}\n };
    let got;
    try { got = await attack.call(undefined); } catch (error) { got = walk(error); }
    globalThis.__codemode_result__ = got ? "got out: " + String(got) : "${HELD}";`;
  const answer = await runScript(source, { ...options, answerCall: answerHostile });
  const text = JSON.stringify(answer);
  const leaked = MACHINE.find((name) => text.includes(name));
  if (leaked !== undefined) return `the answer names ${leaked}`;
  if (isRefused === true) return answer.diagnostics[0]?.code === "SYNTAX_ERROR" ? HELD : text;
  return answer.result === HELD && answer.diagnostics.every(({ severity }) => severity !== "error") ? HELD : text;
}

function answerHostile({ serverId, toolName, input }: ToolCall): ToolReply {
  const outputs: Record<string, JsonValue> = {
    prototype: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as JsonValue,
    thenable: JSON.parse('{"then":"resolve","value":{}}') as JsonValue,
  };
  if (serverId !== "server") return { ok: true, value: { serverId } };
  if (toolName !== "error") return { ok: true, value: outputs[toolName] ?? input };
  const details = JSON.parse('{"__proto__":{"polluted":1}}') as { [key: string]: JsonValue };
  return { ok: false, error: { errorClass: "ToolCallError", message: "no", hint: "try", details } };
}

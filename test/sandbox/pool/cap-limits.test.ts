import { expect, test } from "vitest";
import { capLimits, MAXIMUM_LIMITS } from "../../../runtime/sandbox/pool/limits.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";

test.each<[unknown, number]>([
  [undefined, DEFAULTS.limits.maxToolCalls],
  [7, 7],
  [7.9, 7],
  [0, 0],
  [-1, DEFAULTS.limits.maxToolCalls],
  [-0.5, DEFAULTS.limits.maxToolCalls],
  ["7", DEFAULTS.limits.maxToolCalls],
  [null, DEFAULTS.limits.maxToolCalls],
  [Number.NaN, DEFAULTS.limits.maxToolCalls],
  [-Infinity, DEFAULTS.limits.maxToolCalls],
  [Infinity, DEFAULTS.limits.maxToolCalls],
  [MAXIMUM_LIMITS.maxToolCalls, MAXIMUM_LIMITS.maxToolCalls],
  [MAXIMUM_LIMITS.maxToolCalls + 1, MAXIMUM_LIMITS.maxToolCalls],
])("of %j calls that are asked for, %j are given", (asked, given) => {
  expect(capLimits({ maxToolCalls: asked })).toEqual({ ...DEFAULTS.limits, maxToolCalls: given });
});

test("a default is held against the maximum too, and unknown or inherited keys are none [3.2.4/unknown-keys]", () => {
  const maximum = { ...MAXIMUM_LIMITS, timeoutMs: 5 };
  const defaults = { ...DEFAULTS.limits, maxLogBytes: 1 };
  const asked = Object.create({ maxToolCalls: 1 }) as object;
  expect(capLimits(Object.assign(asked, { more: 1 }), maximum, defaults)).toEqual({ ...defaults, timeoutMs: 5 });
  expect(capLimits(JSON.parse('{"__proto__":{"timeoutMs":1}}') as object)).toEqual(DEFAULTS.limits);
});

test("what may be asked for at most", () => {
  expect(MAXIMUM_LIMITS).toEqual({
    ...{
      timeoutMs: 600_000,
      maxMemoryBytes: 2 ** 30,
      maxLogBytes: 2 ** 23,
      maxToolCalls: 100_000,
      maxResultBytes: 2 ** 24,
    },
  });
});

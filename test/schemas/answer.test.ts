import { expect, test } from "vitest";
import { type Diagnostic, exitCodeOf, failedAnswer } from "../../schemas/answer.ts";
import { isJsonObject, ownValue, parseJsonObject, toJsonObject } from "../../schemas/json.ts";
import { perLockfile } from "../../schemas/per-lockfile.ts";
import { formatFrame, splitFrame } from "../../schemas/protocol.ts";
import { type RecordedEnding, wasCutOff } from "../../schemas/recording.ts";
import { addSizes, NOTHING } from "../../schemas/run-report.ts";
import { unlessTooDeep } from "../../schemas/unless-too-deep.ts";

const drift: Diagnostic = { severity: "error", code: "LOCK_DRIFT", message: "" };
const other: Diagnostic = { severity: "error", code: "TYPE_ERROR", message: "" };
const warnings: Diagnostic[] = [
  { ...drift, severity: "warning" },
  { ...other, severity: "info" },
];

test.each<[string, Diagnostic[], number]>([
  ["nothing", [], 0],
  ["warnings of drift", warnings, 0],
  ["an error", [...warnings, other], 1],
  ["drift", [drift], 3],
  ["drift among others", [other, drift, other], 3],
])("the exit code of an answer with %s", (_name, diagnostics, code) => {
  expect(exitCodeOf(failedAnswer(diagnostics))).toBe(code);
});

test("the answer of a script that did not run holds its diagnostics alone", () => {
  expect(failedAnswer([other])).toEqual({ logs: [], result: null, diagnostics: [other], toolTrace: [] });
});

test("a run was cut off by what comes from outside", () => {
  const endings: RecordedEnding[] = [
    ...(["result", "failure", "broken", "cancelled", "timeoutMs", "maxMemoryBytes"] as const),
    ...(["maxLogBytes", "maxToolCalls", "maxResultBytes"] as const),
  ];
  expect(endings.filter(wasCutOff)).toEqual(["broken", "cancelled", "timeoutMs", "maxMemoryBytes"]);
});

test("sizes are added part by part", () => {
  expect(addSizes({ bytes: 5, tokens: 2 }, { bytes: 1, tokens: 7 })).toEqual({ bytes: 6, tokens: 9 });
  expect(addSizes(NOTHING, NOTHING)).toEqual({ bytes: 0, tokens: 0 });
});

test("something is made once for each lockfile, also where nothing comes of it", () => {
  let made = 0;
  const make = perLockfile(() => {
    made += 1;
    return undefined;
  });
  const [one, two] = [{ servers: new Map() }, { servers: new Map() }];
  for (const lockfile of [one, one, two, one]) make(lockfile);
  expect(made).toBe(2);
});

test("only a stack that ends is nesting that is too deep", () => {
  const fail = (problem: string) => new TypeError(problem);
  const endless = (): number => 1 + endless();
  const broken = (): never => {
    throw new SyntaxError("own");
  };
  expect(unlessTooDeep(() => 5, fail)).toBe(5);
  expect(() => unlessTooDeep(endless, fail)).toThrow(new TypeError("it is nested too deeply"));
  expect(() => unlessTooDeep(broken, fail)).toThrow(new SyntaxError("own"));
});

test("a JSON object is neither a list, nor null, nor a scalar, and a key finds nothing inherited", () => {
  expect([{}, { a: 1 }, [], null, "x", 1, undefined].map(isJsonObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(['{"a":1}', "[]", "null", "{", "1"].map(parseJsonObject)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(["a", "constructor", "__proto__"].map((key) => ownValue({ a: 1 }, key))).toEqual([1, undefined, undefined]);
  const made = toJsonObject([
    ["__proto__", { x: 1 }],
    ["a", 1],
  ]);
  expect(JSON.stringify(made)).toBe('{"__proto__":{"x":1},"a":1}');
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  made["a"] = 2;
  delete made["__proto__"];
  expect(made).toEqual({ a: 2 });
});

test("a frame is a header, and a body behind the first line break where there is one", () => {
  expect(formatFrame({ type: "ready" })).toBe('{"type":"ready"}');
  expect(formatFrame({ type: "ready" }, "")).toBe('{"type":"ready"}\n');
  expect(splitFrame('{"a":1}')).toEqual({ header: { a: 1 }, body: "" });
  expect(splitFrame('1\n{"b":\n2}')).toEqual({ header: 1, body: '{"b":\n2}' });
  expect(() => splitFrame("\n{}")).toThrow(SyntaxError);
});

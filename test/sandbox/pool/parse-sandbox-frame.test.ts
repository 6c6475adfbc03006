import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { parseSandboxFrame, ProtocolError } from "../../../runtime/sandbox/pool/frames.ts";
import { formatFrame, MAX_LISTED, type SandboxFrame, splitFrame } from "../../../schemas/run/protocol.ts";

const ERROR = { kind: "uncaught", name: "TypeError", message: "no", stack: "at 1", hint: "" };
const CUT = { pointer: "/a", unit: "items", kept: 1, total: 2 };

const FRAMES: SandboxFrame[] = [
  { type: "ready" },
  ...(["debug", "log", "warn", "error"] as const).map((level) => ({
    ...{ type: "log" as const, level, timeMs: 0, message: "", truncated: false },
  })),
  { type: "log", level: "log", timeMs: 3, message: "a\nb", truncated: true },
  { type: "call", id: 7, serverId: "s", toolName: "t", body: '{"a":\n1}' },
  { type: "call", id: 0, serverId: "", toolName: "", body: "" },
  { type: "timer", id: 1, delayMs: 20, setMs: 0 },
  { type: "stopTimer", id: 1 },
  { type: "idle", handled: 2 },
  { type: "result", truncations: [], unawaited: [], body: "1" },
  { type: "result", truncations: [], unawaited: Array(MAX_LISTED).fill("s/t"), body: "1" },
  ...(["characters", "items", "keys"] as const).map((unit) => ({
    ...{ type: "result" as const, truncations: [{ ...CUT, unit }], unawaited: [], body: "" },
  })),
  { type: "result", truncations: [], bigInts: { pointers: ["/a", ""], total: 9 }, unawaited: [], body: "" },
  { type: "reset", isClean: true },
  { type: "reset", isClean: false },
  ...(["uncaught", "unhandled", "syntax", "never-settles", "unserializable"] as const).map((kind) => ({
    ...{ type: "failure" as const, errors: [{ ...ERROR, kind }] },
  })),
];

test.each(FRAMES)("the frame %j is read as it was written", (frame) => {
  const { body, ...header } = frame as SandboxFrame & { body?: string };
  expect(parseSandboxFrame(formatFrame(header as SandboxFrame, body))).toEqual(frame);
});

test("a frame keeps nothing that its type does not have, and takes nothing but true for true", () => {
  const log = { type: "log", level: "log", timeMs: 1, message: "x", truncated: 1, more: 1 };
  expect(parseSandboxFrame(JSON.stringify(log))).toEqual({ ...log, truncated: false, more: undefined });
  expect(parseSandboxFrame('{"type":"reset","isClean":"yes"}')).toEqual({ type: "reset", isClean: false });
  expect(parseSandboxFrame('{"type":"result","truncations":[],"unawaited":[{},"a/b"]}')).toMatchObject({
    unawaited: ["", "a/b"],
  });
});

const LOG = { type: "log", level: "log", timeMs: 1, message: "x", truncated: false };
const CALL = { type: "call", id: 1, serverId: "s", toolName: "t" };
const RESULT = { type: "result", truncations: [], unawaited: [] };
const tooMany = (item: unknown) => Array.from({ length: MAX_LISTED + 1 }, () => item);

describe("a frame is refused with its reason, which quotes nothing of it", () => {
  test.each<[string, JsonObject | string, RegExp]>([
    ["no JSON", "hello", /header is not JSON/],
    ["nothing", "", /header is not JSON/],
    ["a list", "[]", /header is not an object/],
    ["null", "null", /header is not an object/],
    ["no type", "{}", /unknown type/],
    ["a type of the host", { type: "run" }, /unknown type/],
    ["an inherited type", '{"__proto__":{"type":"ready"}}', /unknown type/],
    ["a type of Object.prototype", { type: "constructor" }, /unknown type/],
    ["no level", { ...LOG, level: null }, /unknown level/],
    ["an unknown level", { ...LOG, level: "fatal" }, /unknown level/],
    ["an inherited level", { ...LOG, level: "__proto__" }, /unknown level/],
    ["a message that is none", { ...LOG, message: 1 }, /"message" is not a string/],
    ["a negative time", { ...LOG, timeMs: -1 }, /"timeMs" is not a whole number/],
    ["half a time", { ...LOG, timeMs: 0.5 }, /"timeMs" is not a whole number/],
    ["a time in words", { ...LOG, timeMs: "1" }, /"timeMs" is not a whole number/],
    ["a time beyond counting", { ...LOG, timeMs: 2 ** 53 }, /"timeMs" is not a whole number/],
    ["an id that is none", { ...CALL, id: null }, /"id" is not a whole number/],
    ["half an id", { ...CALL, id: 0.5 }, /"id" is not a whole number/],
    ["a server that is none", { ...CALL, serverId: ["s"] }, /"serverId" is not a string/],
    ["a tool that is none", { ...CALL, toolName: null }, /"toolName" is not a string/],
    ["a timer without an id", { type: "timer", delayMs: 1, setMs: 0 }, /"id" is not/],
    ["a timer without a delay", { type: "timer", id: 1 }, /"delayMs" is not/],
    ["a timer of half an id", { type: "timer", id: 0.5, delayMs: 1, setMs: 0 }, /"id" is not/],
    ["a timer before time", { type: "timer", id: 1, delayMs: -1, setMs: 0 }, /"delayMs" is not/],
    ["the end of no timer", { type: "stopTimer" }, /"id" is not/],
    ["idle without a count", { type: "idle" }, /"handled" is not/],
    ["no truncations", { type: "result", unawaited: [] }, /"truncations" is not a short list/],
    ["too many truncations", { ...RESULT, truncations: tooMany(CUT) as never }, /"truncations" is not a short list/],
    ["a truncation that is none", { ...RESULT, truncations: [1] }, /truncation in a frame is not an object/],
    ["a truncation without a unit", { ...RESULT, truncations: [{ ...CUT, unit: null }] }, /unknown unit/],
    ["a truncation of an unknown unit", { ...RESULT, truncations: [{ ...CUT, unit: "bytes" }] }, /unknown unit/],
    ["a truncation at no place", { ...RESULT, truncations: [{ ...CUT, pointer: 1 }] }, /"pointer" is not/],
    ["a truncation without what is kept", { ...RESULT, truncations: [{ ...CUT, kept: -1 }] }, /"kept" is not/],
    ["a truncation of nothing", { ...RESULT, truncations: [{ ...CUT, total: "2" }] }, /"total" is not/],
    ["no unawaited calls", { type: "result", truncations: [] }, /"unawaited" is not a short list/],
    ["too many unawaited calls", { ...RESULT, unawaited: tooMany("s/t") as never }, /"unawaited" is not a short list/],
    ["BigInts that are no object", { ...RESULT, bigInts: [] }, /"bigInts" is not an object/],
    ["BigInts that are null", { ...RESULT, bigInts: null }, /"bigInts" is not an object/],
    ["BigInts at too many places", { ...RESULT, bigInts: { pointers: tooMany("") as never, total: 11 } }, /short list/],
    ["BigInts at no place", { ...RESULT, bigInts: { pointers: ["", 1], total: 2 } }, /pointer in a frame/],
    ["BigInts without a number", { ...RESULT, bigInts: { pointers: [""] } }, /"total" is not/],
    ["a failure of nothing", { type: "failure", errors: [] }, /failure frame has no error/],
    ["a failure of too much", { type: "failure", errors: tooMany(ERROR) as never }, /"errors" is not a short list/],
    ["an error that is none", { type: "failure", errors: ["no"] }, /error in a frame is not an object/],
    ["an error of no kind", { type: "failure", errors: [{ ...ERROR, kind: null }] }, /unknown kind/],
    ["an error of an unknown kind", { type: "failure", errors: [{ ...ERROR, kind: "x" }] }, /unknown kind/],
    ...["name", "message", "stack", "hint"].map((key): [string, JsonObject, RegExp] => [
      `an error without its ${key}`,
      { type: "failure", errors: [{ ...ERROR, [key]: null }] },
      new RegExp(`"${key}" is not a string`),
    ]),
  ])("%s", (_name, frame, reason) => {
    const parse = () => parseSandboxFrame(typeof frame === "string" ? frame : JSON.stringify(frame));
    expect(parse).toThrow(ProtocolError);
    expect(parse).toThrow(reason);
  });
});

test("a frame is a header, and a body behind the first line break where there is one", () => {
  expect(formatFrame({ type: "ready" })).toBe('{"type":"ready"}');
  expect(formatFrame({ type: "ready" }, "")).toBe('{"type":"ready"}\n');
  expect(splitFrame('{"a":1}')).toEqual({ header: { a: 1 }, body: "" });
  expect(splitFrame('1\n{"b":\n2}')).toEqual({ header: 1, body: '{"b":\n2}' });
  expect(() => splitFrame("\n{}")).toThrow(SyntaxError);
});

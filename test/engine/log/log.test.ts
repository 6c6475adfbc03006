import { expect, test } from "vitest";
import { chooseLogLevel } from "../../../engine/log/log-level.ts";
import { printLogLine } from "../../../engine/log/open-log.ts";

const NOTHING = {
  option: undefined,
  variable: undefined,
  configured: undefined,
  isForClient: false,
  isTerminal: false,
} as const;

test.each([
  ["the option goes before all else", { option: "debug", variable: "warn", configured: "error" }, "debug"],
  ["the variable goes before the configuration", { variable: "silent", configured: "error" }, "silent"],
  ["an empty variable says nothing", { variable: "", configured: "error" }, "error"],
  ["over HTTP an operator reads", {}, "info"],
  ["a client may not read", { isForClient: true }, "warn"],
  ["a person at a terminal reads", { isForClient: true, isTerminal: true }, "info"],
] as const)("%s", (_, sources, level) => {
  expect(chooseLogLevel({ ...NOTHING, ...sources })).toBe(level);
});

test.each([{ option: "loud" }, { variable: "INFO" }])("a level that does not exist is a mistake: %j", (sources) => {
  expect(() => chooseLogLevel({ ...NOTHING, ...sources })).toThrow("use one of silent, error, warn, info, debug");
});

test("a line for the terminal is short, and nothing in it can begin another line or move the cursor", () => {
  const time = "2026-11-21T09:10:11.123Z";
  const plain = { level: "info", time, pid: 1, client: "ci", calls: 2, codes: ["A", "B"], msg: "run ended: ok" };
  expect(printLogLine(JSON.stringify(plain))).toBe('09:10:11 run ended: ok  client=ci  calls=2  codes=["A","B"]\n');

  const hostile = {
    level: "warn",
    time,
    tool: "a/\n09:00:00 forged\r\u001b[2J\u202e",
    msg: "first\nsecond\u2028third",
  };
  const printed = printLogLine(JSON.stringify(hostile));
  expect(printed).toBe(
    String.raw`09:10:11 warn: first
  second\u2028third  tool="a/\n09:00:00 forged\r\u001b[2J\u202e"` + "\n",
  );
});

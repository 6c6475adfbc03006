import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Recording } from "../../../schemas/run/recording.ts";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { CALL, recordScript, replayScript } from "./record-script.ts";

const SCRIPT = `${CALL}
  const { rows } = await call("list", { path: "/a", options: { deep: true, "a/b~c": [1, 2] } });
  console.log("rows", rows);
  console.log("second line");
  await sleep(3);
  const sum = await call("sum", { rows });
  __codemode_result__ = { sum, list: [{ rows }] };
`;

let pool: SandboxPool;
let recording: Recording;
beforeAll(async () => {
  pool = makeSandboxPool({ size: 2 });
  const answerCall = ({ toolName }: { toolName: string }) =>
    ({ ok: true, value: toolName === "list" ? { rows: 3 } : 42 }) as const;
  ({ recording } = await recordScript(SCRIPT, { pool, answerCall }));
});
afterAll(() => pool.close());

const CHANGES: [string, string, string, object][] = [
  [
    "an argument of a call",
    `deep: true`,
    `deep: false`,
    { place: "call 1 (server/list)", pointer: "/options/deep", expected: "true", received: "false" },
  ],
  [
    "an argument whose name needs escapes",
    `[1, 2]`,
    `[1, 3]`,
    { place: "call 1 (server/list)", pointer: "/options/a~1b~0c/1", expected: "2", received: "3" },
  ],
  [
    "an argument more",
    `{ rows });`,
    `{ rows, more: "x" });`,
    { place: "call 2 (server/sum)", pointer: "/more", expected: "nothing", received: '"x"' },
  ],
  [
    "an argument less",
    `{ path: "/a",`,
    `{`,
    { place: "call 1 (server/list)", pointer: "/path", expected: '"/a"', received: "nothing" },
  ],
  [
    "the whole input",
    `call("sum", { rows })`,
    `call("sum", [1])`,
    { place: "call 2 (server/sum)", pointer: "", expected: '{"rows":3}', received: "[1]" },
  ],
  [
    "the tool that is called",
    `call("sum"`,
    `call("product"`,
    { place: "call 2 (server/sum)", expected: "a call of server/sum", received: "a call of server/product" },
  ],
  [
    "a call more",
    `__codemode_result__`,
    `await call("more"); __codemode_result__`,
    { place: "call 3 (server/more)", expected: "no further call", received: "a call of server/more" },
  ],
  [
    "a call less",
    `await call("sum", { rows })`,
    `42`,
    { place: "call 2 (server/sum)", expected: "a call of server/sum", received: "no further call" },
  ],
  [
    "a log line",
    `"second line"`,
    `"another line"`,
    { place: "log line 2", expected: 'log "second line"', received: 'log "another line"' },
  ],
  [
    "the level of a log line",
    `console.log("second`,
    `console.warn("second`,
    { place: "log line 2", expected: 'log "second line"', received: 'warn "second line"' },
  ],
  [
    "a log line more",
    `__codemode_result__`,
    `console.log("third"); __codemode_result__`,
    { place: "log line 3", expected: "no further line", received: 'log "third"' },
  ],
  ["a log line less", `console.log("second line");`, ``, { place: "log line 2", received: "no further line" }],
  [
    "the result",
    `[{ rows }]`,
    `[{ rows: 4 }]`,
    { place: "the result", pointer: "/list/0/rows", expected: "3", received: "4" },
  ],
  [
    "the order of the result",
    `{ sum, list: [{ rows }] }`,
    `{ list: [{ rows }], sum }`,
    { place: "the result", received: "another order" },
  ],
  [
    "the end",
    `__codemode_result__ =`,
    `throw new Error("no"); __codemode_result__ =`,
    { place: "the end", expected: "a result", received: "UNCAUGHT_EXCEPTION: Error: no" },
  ],
];

describe("a changed script diverges", () => {
  test.each(CHANGES)("in %s", async (_name, whole, changed, divergence) => {
    expect(SCRIPT).toContain(whole);
    const replay = await replayScript(recording, { pool }, SCRIPT.replace(whole, changed));
    expect(replay.divergence).toMatchObject(divergence);
    expect(replay.answer.diagnostics.at(-1)).toMatchObject({
      severity: "error",
      code: "REPLAY_DIVERGED",
      message: expect.stringContaining(replay.divergence?.place ?? "nowhere"),
      hint: expect.any(String),
    });
  });

  test("and is ended at the first call that does: nothing after it happens", async () => {
    const changed = SCRIPT.replace("deep: true", "deep: 1").replace("rows);", "rows, 'after the divergence');");
    const { answer } = await replayScript(recording, { pool }, changed);
    expect(answer).toMatchObject({ logs: [], result: null, toolTrace: [] });
  });

  test("and long values are cut in what is said of it", async () => {
    const changed = SCRIPT.replace('"/a"', `"${"y".repeat(5000)}"`).replace('"second line"', `"${"z".repeat(5000)}"`);
    const { divergence } = await replayScript(recording, { pool }, changed);
    expect(divergence?.received.length).toBeLessThan(200);
  });
});

describe("a changed script does not diverge", () => {
  test.each([
    [
      "by the order of an input's members",
      `{ path: "/a", options: { deep: true, "a/b~c": [1, 2] } }`,
      `{ options: { "a/b~c": [1, 2], deep: true }, path: "/a" }`,
    ],
    [
      "by another way to the same",
      `const sum = await call("sum", { rows });`,
      `const all = { rows }; const sum = await Promise.resolve(all).then((input) => call("sum", input));`,
    ],
    ["by a pause that was not there", `console.log("rows"`, `await sleep(60_000); console.log("rows"`],
    ["by a pause that is there no more", `await sleep(3);`, ``],
    [
      "by timers in another order",
      `await sleep(3);`,
      `setTimeout(() => {}, 9); const stopped = setTimeout(() => {}, 1); await sleep(1); clearTimeout(stopped); await sleep(2);`,
    ],
  ])("%s", async (_name, whole, changed) => {
    expect(SCRIPT).toContain(whole);
    const { divergence } = await replayScript(recording, { pool }, SCRIPT.replace(whole, changed));
    expect(divergence).toBeUndefined();
  });
});

test("a script that waits for the reply to a call which had none is ended, and that is said", async () => {
  const script = `${CALL} void call("slow"); await sleep(5); throw new Error("first");`;
  const { recording: failed } = await recordScript(script, { pool, answerCall: () => new Promise(() => {}) });
  expect((await replayScript(failed, { pool })).divergence).toBeUndefined();
  const { divergence } = await replayScript(failed, { pool }, script.replace(`throw new Error("first")`, `await call`));
  expect(divergence).toMatchObject({ place: "the end", received: expect.stringContaining("waits for something") });
});

test("an error with another message diverges in the end", async () => {
  const script = `${CALL} throw new TypeError("one");`;
  const { recording: failed } = await recordScript(script, { pool });
  expect((await replayScript(failed, { pool }, script.replace("one", "two"))).divergence).toMatchObject({
    place: "the end",
    expected: "UNCAUGHT_EXCEPTION: TypeError: one",
    received: "UNCAUGHT_EXCEPTION: TypeError: two",
  });
});

describe("an update", () => {
  test("takes over inputs, logs and the result, and the updated recording replays without a difference", async () => {
    const changed = SCRIPT.replace("deep: true", "deep: false")
      .replace("second", "2nd")
      .replace("{ sum,", "{ total: sum,");
    const { updated, changes, divergence } = await replayScript(recording, { pool, update: true }, changed);
    expect(divergence).toBeUndefined();
    expect(changes.map(({ place }) => place)).toEqual(["call 1 (server/list)", "log line 2"]);
    expect(updated?.answer.result).toEqual({ total: 42, list: [{ rows: 3 }] });
    const again = await replayScript(updated as Recording, { pool });
    expect(again).toMatchObject({ changes: [], answer: { result: { total: 42 } } });
    expect(again.divergence).toBeUndefined();
    expect((await replayScript(updated as Recording, { pool }, SCRIPT)).divergence).toMatchObject({
      pointer: "/options/deep",
    });
  });

  test("takes over calls that are made no more, and other pauses", async () => {
    const changed = SCRIPT.replace(`await call("sum", { rows })`, "7").replace("sleep(3)", "sleep(50)");
    const { updated } = await replayScript(recording, { pool, update: true }, changed);
    expect(updated?.calls).toHaveLength(1);
    expect((await replayScript(updated as Recording, { pool })).divergence).toBeUndefined();
  });

  test.each([
    ["of another tool", `call("sum"`, `call("product"`],
    ["more than there are", `__codemode_result__`, `await call("more"); __codemode_result__`],
  ])("is refused for calls %s: their replies are unknown", async (_name, whole, changed) => {
    const replay = await replayScript(recording, { pool, update: true }, SCRIPT.replace(whole, changed));
    expect(replay.updated).toBeUndefined();
    expect(replay.divergence).toMatchObject({ place: expect.stringContaining("call") });
  });

  test("of an unchanged script changes nothing but what recorded it", async () => {
    const { updated, changes } = await replayScript(recording, { pool, update: true });
    expect(changes).toEqual([]);
    expect(updated).toEqual(JSON.parse(JSON.stringify(recording)));
  });
});

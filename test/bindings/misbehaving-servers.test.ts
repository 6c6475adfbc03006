import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { startMisbehavingHttp } from "../servers/misbehaving-http.mjs";
import { type Call, failed, type ServerEntry, SIDES, type WhenDone } from "./both-sides.ts";

/** A call, and what it comes to. */
type Step = [toolName: string, input: JsonObject, outcome: unknown];

/** The server lives on, and answers the next call. */
const LIVES: Step = ["echo", { a: 1 }, '{"a":1}'];

/** Above the longest message that a server may send. */
const TOO_LONG = { bytes: 65 * 1024 * 1024 };
const LONG_TEXT = { text: "x".repeat(1_000_000) };

const returned = (result: JsonObject, outcome: unknown = result): Step => ["return", result, outcome];
const text = (fields: JsonObject = {}): JsonObject => ({ type: "text", text: "t", ...fields });

/** Results that the SDK's own reading drops or changes for one odd part. */
const ODD_RESULTS: [what: string, step: Step][] = [
  [
    "an unknown type of content",
    returned({ content: [{ type: "video", x: 1 }], y: 1 }, expect.objectContaining({ y: 1 })),
  ],
  ["structured content that is a list", returned({ content: [], structuredContent: [1] }, [1])],
  ["structured content that is null", returned({ content: [text()], structuredContent: null }, "t")],
  ["no content", returned({ structuredContent: { a: 1 } }, { a: 1 })],
  ["content that is null", returned({ content: null, structuredContent: 1 }, 1)],
  ["a _meta that is null", returned({ content: [text()], _meta: null }, "t")],
  ["annotations that are a number", returned({ content: [text({ annotations: 5 })] }, "t")],
];

interface Row {
  what: string;
  /** Of the server of test/servers. */
  habits?: string[];
  steps: Step[];
  timeoutMs?: number;
  /** Seconds without work: such rows run at the same time. */
  waits?: true;
}

const ON_BOTH_TRANSPORTS: Row[] = [
  ...ODD_RESULTS.map(([what, step]) => ({ what: `returns ${what}`, steps: [step, LIVES] })),
  { what: "answers with an error", steps: [["rpc-error", {}, failed("rpc-error")], LIVES] },
  { what: "answers without a result", steps: [["no-result", {}, failed("protocol")], LIVES] },
  { what: "answers twice", steps: [["twice", {}, "answer 1"], LIVES] },
  { what: "never answers", steps: [["hang", {}, failed("timeout")], LIVES], timeoutMs: 2_000, waits: true },
  { what: "sends too long a message", steps: [["big", TOO_LONG, failed("too-large")], LIVES] },
];

const PROGRAMS: Row[] = [
  ...ON_BOTH_TRANSPORTS,
  { what: "leaves out jsonrpc", steps: [["bare-answer", {}, "hi"]] },
  { what: "answers in a batch", steps: [["batch", {}, "hi"]] },
  { what: "answers with a number", steps: [["no-object", {}, failed("protocol")], LIVES] },
  { what: "answers with an error that is text", steps: [["odd-error", {}, failed("rpc-error")], LIVES] },
  { what: "answers under the id as text", steps: [["other-type-of-id", {}, failed("protocol")], LIVES] },
  {
    what: "reports progress for longer than the limit",
    steps: [["steps", { steps: 16, stepMs: 200 }, "done"]],
    timeoutMs: 2_000,
    waits: true,
  },
  { what: "exits in the middle of a call", steps: [["crash", {}, failed("closed")]] },
  { what: "is killed in the middle of a call", steps: [["kill-itself", {}, failed("closed")]] },
  { what: "closes its output", steps: [["close-stdout", {}, failed("closed")]] },
  { what: "answers and exits", steps: [["answer-and-exit", {}, "last words"]] },
  {
    what: "closes its input",
    steps: [
      ["close-stdin", {}, "not listening any more"],
      ["echo", LONG_TEXT, failed("closed")],
    ],
    waits: true,
  },
  {
    what: "does not read its input",
    steps: [
      ["deaf", {}, "not listening any more"],
      ["echo", LONG_TEXT, failed("timeout")],
    ],
    timeoutMs: 3_000,
    waits: true,
  },
  { what: "asks its client", steps: [["ask-client", {}, expect.stringContaining('"array-params"')]] },
  { what: "exits at its start", habits: ["exit-at-start"], steps: [["echo", {}, failed("start-failed")]] },
  { what: "exits at the question for its era", habits: ["exit-at-discover"], steps: [LIVES] },
  { what: "is silent at the question for its era", habits: ["silent-at-discover"], steps: [LIVES], waits: true },
  {
    what: "hangs in the handshake",
    habits: ["hang-at-initialize"],
    steps: [["echo", {}, failed("timeout")]],
    timeoutMs: 2_000,
    waits: true,
  },
  { what: "refuses the handshake", habits: ["refuse-initialize"], steps: [["echo", {}, failed("rpc-error")]] },
  {
    what: "answers the handshake with nonsense",
    habits: ["nonsense-at-initialize"],
    steps: [["echo", {}, failed("protocol")]],
  },
  { what: "speaks the oldest revision", habits: ["old-version"], steps: [LIVES] },
  { what: "speaks an unknown revision", habits: ["future-version"], steps: [["echo", {}, failed("protocol")]] },
  { what: "prints a banner", habits: ["garbage"], steps: [LIVES] },
  { what: "floods its stderr", habits: ["flood-stderr"], steps: [LIVES] },
  { what: "does not know tools/list", habits: ["no-tools"], steps: [LIVES] },
];

const BROKEN_OFF = ["reset", "reset-in-stream", "reset-in-json", "end-without-answer"];
const NO_ANSWER = failed(expect.stringMatching(/^(?:protocol|interrupted)$/));

const ADDRESSES: Row[] = [
  ...ON_BOTH_TRANSPORTS,
  ...BROKEN_OFF.map((tool) => ({
    what: `breaks off (${tool})`,
    steps: [[tool, {}, failed("interrupted")] as Step, LIVES],
  })),
  { what: "answers another request", steps: [["other-id", {}, NO_ANSWER], LIVES] },
  { what: "sends half of an answer", steps: [["half-json", {}, NO_ANSWER], LIVES] },
  { what: "hangs in the body", steps: [["hang-in-body", {}, failed("timeout")], LIVES], timeoutMs: 2_000, waits: true },
  { what: "answers 401", steps: [["status", { status: 401 }, failed("unauthorized")], LIVES] },
  { what: "answers 403", steps: [["status", { status: 403 }, failed("forbidden")], LIVES] },
  { what: "answers 500", steps: [["status", { status: 500 }, failed("http-error")], LIVES] },
  { what: "redirects", steps: [["redirect", {}, failed("http-error")], LIVES] },
  { what: "answers with a web page", steps: [["html", {}, failed("protocol")], LIVES] },
];

const FORMS: [form: string, habits: string[]][] = [
  ["an old server, in a stream", []],
  ["an old server, as JSON", ["json"]],
  ["a modern server, in a stream", ["modern"]],
  ["a modern server, as JSON", ["modern", "json"]],
];

/** One row on one side: `open` starts the server, and gives the call. */
interface Trial extends Row {
  open: (whenDone: WhenDone) => Promise<Call>;
}

const TRIALS: [name: string, Trial][] = SIDES.flatMap(([side, open]) => [
  ...trialsOf(`${side} takes a program`, PROGRAMS, async (row, whenDone) => open(makeProgram(row, whenDone), whenDone)),
  ...FORMS.flatMap(([form, habits]) =>
    trialsOf(`${side} takes ${form},`, addressesOf(habits), async (row, whenDone) =>
      open(await startAddress(row, habits, whenDone), whenDone),
    ),
  ),
]);

const closes: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closes.toReversed()) await close();
});

/** Rows after which the server lives on share one, with its connection. */
function trialsOf(
  what: string,
  rows: readonly Row[],
  open: (row: Row, whenDone: WhenDone) => Promise<Call>,
): [string, Trial][] {
  let shared: Promise<Call> | undefined;
  const openShared = (): Promise<Call> => (shared ??= open({ what, steps: [] }, (close) => closes.push(close)));
  return rows.map((row) => {
    const isShared = row.habits === undefined && row.timeoutMs === undefined && row.steps.at(-1) === LIVES;
    const openOne = isShared ? openShared : (whenDone: WhenDone) => open(row, whenDone);
    return [`${what} that ${row.what} as the other side does`, { ...row, open: openOne }];
  });
}

/** A message is measured as it is read, in each form in `http-calls.test.ts`: here only whether both sides set the limit. */
function addressesOf(habits: readonly string[]): Row[] {
  const isMeasured = habits.length === 0;
  return ADDRESSES.filter(({ steps }) => isMeasured || steps.every(([, input]) => input !== TOO_LONG));
}

function makeProgram({ habits = [], timeoutMs = 20_000 }: Row, whenDone: WhenDone): ServerEntry {
  const folder = mkdtempSync(join(tmpdir(), "codemode-misbehaving-"));
  whenDone(async () => rmSync(folder, { recursive: true }));
  return {
    command: process.execPath,
    args: [resolve("test/servers/misbehaving-server.mjs"), "all-calls", ...habits],
    env: { PID_FILE: join(folder, "pids") },
    timeoutMs,
  };
}

async function startAddress(
  { timeoutMs = 20_000 }: Row,
  habits: readonly string[],
  whenDone: WhenDone,
): Promise<ServerEntry> {
  const server = await startMisbehavingHttp(...habits);
  whenDone(() => server.close());
  // A tool that fails must be in the list, which has odd tools as well, or plain Node says that it is gone.
  server.tools = [...server.tools, { name: "rpc-error", inputSchema: { type: "object" } }];
  return { url: server.url, timeoutMs };
}

describe.each([
  ["with work", test, TRIALS.filter(([, { waits }]) => waits === undefined)],
  ["with waits", test.concurrent, TRIALS.filter(([, { waits }]) => waits)],
] as const)("%s", (_, testOf, trials) => {
  testOf.for(trials)("%s", async ([, { steps, open }], { onTestFinished }) => {
    const call = await open(onTestFinished);
    for (const [toolName, input, outcome] of steps) expect(await call(toolName, input)).toEqual(outcome);
  });
});

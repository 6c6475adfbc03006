import { expect, test } from "vitest";
import type { ModelRequest } from "./model/model-api.ts";
import type { SeenRequest } from "./model/start-model.ts";
import { type ClientResult, PAGE_PARTS } from "./print-page.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";
import { MARK, REASON } from "./scenarios.ts";

const WHOLE = `Runs a script. ${"More about it. ".repeat(20)}`;
const RESULT = JSON.stringify({ result: [`- [ ] ${MARK}`] });

/** Two requests of a client: before and after the answer of codemode's tool. */
function requests(name: string, description: string, text: string, images = 0): SeenRequest[] {
  const first: ModelRequest = { prompt: "Follow the script: call", tools: [{ name, description }], answers: [] };
  return [
    { ...first, api: "Gemini", turn: { call: name, input: {} } },
    { ...first, api: "Gemini", answers: [{ tool: name, text, images }], turn: { text: "The script has ended." } },
  ];
}

const outcomeOf = (seen: SeenRequest[]): Outcome => ({ ...readOutcome(seen, WHOLE), seconds: 2 });

const print = (part: string, outcomes: ClientResult["outcomes"]): string | undefined =>
  PAGE_PARTS[part]?.([{ id: "codex", version: "1.0.0", date: "2026-11-22", outcomes }]).split("\n")[2];

test("an outcome says how much of the description reached the model, and how often the result", () => {
  const outcome = readOutcome(requests("mcp__codemode__codemode_run", WHOLE, RESULT), WHOLE);
  expect(outcome).toMatchObject({
    name: "mcp__codemode__codemode_run",
    isFromStart: true,
    isFinished: true,
    description: { characters: WHOLE.length, state: "whole" },
    answers: [{ characters: RESULT.length, marks: 1, images: 0 }],
  });
  const cut = readOutcome(requests("codemode_run", `${WHOLE.slice(0, 100)}… [truncated]`, RESULT), WHOLE);
  expect(cut.description?.state).toBe("cut");
  expect(readOutcome(requests("codemode_run", "Something else.", RESULT), WHOLE).description?.state).toBe("changed");
});

test("requests for a title, without tools, count for nothing", () => {
  const title: SeenRequest = { prompt: "Follow the script: call", tools: [], answers: [], api: "Gemini" };
  expect(readOutcome([title, ...requests("codemode_run", WHOLE, RESULT)], WHOLE).isFromStart).toBe(true);
});

test("the page shows names, descriptions, and answers that are doubled", () => {
  const call = outcomeOf(requests("codemode_run", WHOLE, `${RESULT}${RESULT}`));
  expect(print("seen", { call })).toBe(
    "| Codex | 1.0.0 | 2026-11-22 | `codemode install codex` | `codemode_run` | 315, whole, at once |",
  );
  expect(print("answers", { call })).toBe("| Codex | 94, **twice** | – | – | – | – | – |");
});

test("the page shows what an API refuses, and what fails", () => {
  const [first] = requests("codemode.run", WHOLE, "");
  const refused = outcomeOf([{ ...first, refusedName: "codemode.run", turn: undefined } as unknown as SeenRequest]);
  expect(print("seen", { call: refused })).toContain("`codemode.run`, which its API refuses");
  expect(print("answers", { call: refused })).toContain("| **fails** |");
});

test("the page shows errors, pictures, and the reason why a call needs approval, also in JSON within JSON", () => {
  const message = "This script needs a person's approval to call a/b, and no person could be asked, so it did not run.";
  const refusal = JSON.stringify({ diagnostics: [{ code: "APPROVAL_REQUIRED", message }] });
  const approval = outcomeOf(requests("codemode_run", WHOLE, JSON.stringify({ text: refusal })));
  expect(print("situations", { approval })).toContain("| `APPROVAL_REQUIRED`: no person could be asked |");
  const image = outcomeOf(requests("codemode_run", WHOLE, "{}", 1));
  expect(print("answers", { image })).toContain("| as a picture, with 2 |");
});

const waiting = (why: string): string =>
  JSON.stringify({ diagnostics: [{ code: "APPROVAL_REQUIRED", message: `${why}. The run waits for it.` }] });
const question = (path: string): string[] => ['- "files/create_directory": says nothing', `  "path": "${path}"`];

/** The outcome of a trial in which these were the answers that the model read. */
const approval = (answers: string[], operator?: Outcome["operator"]): Outcome => ({
  isFromStart: true,
  isFinished: true,
  seconds: 2,
  answers: answers.map((text) => ({ text, characters: text.length, images: 0, marks: 0 })),
  operator,
});

const VERDICTS = JSON.stringify({
  answers: ["Successfully created directory notes/allowed", `ApprovalRefusedError, ${REASON}`],
  changed: ["{sent:{path:notes/wrong},changed:{kind:input,input:{path:notes/right}}}"],
  folders: ["[DIR] allowed", "[DIR] right"],
});
const THREE = {
  questions: ["notes/allowed", "notes/refused", "notes/wrong"].map(question),
  left: [2, 1, 0],
};

test("the page shows what became of calls that a person was asked about", () => {
  const meanwhile = waiting("no person could be asked");
  const made = JSON.stringify(["Successfully created directory notes/later", "before: false", "after: true"]);
  const outcomes = {
    "own-form": approval([waiting("and the question was closed without an answer")]),
    "approve-call": approval([meanwhile, VERDICTS], THREE),
    "durable-call": approval([meanwhile, made], { questions: [question("notes/later")], left: [0] }),
  };
  expect(print("approvals", outcomes)).toBe(
    "| Codex | 2026-11-22 | closed at once | `APPROVAL_REQUIRED`, `runId` | as answered; 2 calls | allowed; 2 calls |",
  );
});

test.each<[string, string, Outcome["operator"]]>([
  ["a call was made that was refused", VERDICTS.replace("[DIR] right", "[DIR] right [DIR] refused"), THREE],
  ["the script did not get the reason", VERDICTS.replace(REASON, "no reason"), THREE],
  ["a question did not show the argument", VERDICTS, { ...THREE, questions: [[], [], []] }],
  ["an answer held the others", VERDICTS, { ...THREE, left: [0, 0, 0] }],
  ["the person could not answer", VERDICTS, { ...THREE, problem: "no passphrase" }],
])("a trial fails in which %s", (_, text, operator) => {
  const outcome = approval([waiting("no person could be asked"), text], operator);
  expect(print("approvals", { "approve-call": outcome })).toContain("| **fails** | – |");
});

test("a client that was not tried keeps its row", () => {
  const old = [
    "| Client | A call |",
    "| ------ | ------ |",
    "| Codex   | 289 characters, once |",
    "| Gemini CLI | – |",
  ];
  const result = { id: "codex", version: "1.0.0", date: "2026-11-22" };
  const printed = (outcomes: ClientResult["outcomes"]): string[] | undefined =>
    PAGE_PARTS["answers"]?.([{ ...result, outcomes }], old)
      .split("\n")
      .slice(2);
  expect(printed({ approval: approval(["{}"]) })).toEqual(old.slice(2));
  expect(printed({ call: approval([MARK]) })?.[0]).toContain("**fails**");
  expect(printed({ call: approval([MARK]) })?.[1]).toBe(old[3]);
});

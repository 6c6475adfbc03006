import { expect, test } from "vitest";
import type { ModelRequest } from "./model/model-api.ts";
import type { SeenRequest } from "./model/start-model.ts";
import { type ClientResult, PAGE_PARTS } from "./print-page.ts";
import { type Outcome, readOutcome } from "./read-outcome.ts";
import { MARK } from "./scenarios.ts";

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
    "| Codex | 1.0.0 | 2026-11-22 | `codemode install codex` | `codemode_run` | 315 characters, whole, from the first request on |",
  );
  expect(print("answers", { call })).toBe("| Codex | 94 characters, **twice** | – | – | – | – | – |");
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
  const consent = outcomeOf(requests("codemode_run", WHOLE, JSON.stringify({ text: refusal })));
  expect(print("situations", { consent })).toContain("| `APPROVAL_REQUIRED`: no person could be asked |");
  const image = outcomeOf(requests("codemode_run", WHOLE, "{}", 1));
  expect(print("answers", { image })).toContain("| as a picture, with 2 characters |");
});

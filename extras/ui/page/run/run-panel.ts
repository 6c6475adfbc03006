import type { Diagnostic, RunAnswer, LogEntry } from "../../../../schemas/run/answer.ts";
import type { JsonValue } from "../../../../schemas/json/json.ts";
import type { RunReport } from "../../report/run-report.ts";
import type { Draft, DraftEvent } from "../../messages/ui-messages.ts";
import { formatDuration } from "../../report/format/format-amounts.ts";
import { type Api, ApiError, explain } from "../api.ts";
import { part, partOf, element, shownText } from "../elements.ts";
import { askServerQuestion } from "../dialogs/ask-question.ts";
import { showApproval } from "../dialogs/ask-yes-or-no.ts";
import { showResult } from "./show-json.ts";
import { countOf } from "../../../../schemas/text/count-of.ts";
import type { Markup } from "../../report/html/markup.ts";
import { startTimeline } from "../../report/client/timeline.ts";
import { printCallsTable } from "../../report/sections/print-calls.ts";
import { printTimeline } from "../../report/timeline/print-timeline.ts";

/**
 * Runs the draft at each call, one run at a time, and shows what happens.
 * @param onFindings shows what a run of this text has found; an empty list where it begins
 */
export function makeRunPanel(
  api: Api,
  draft: () => Draft,
  onFindings: (code: string, diagnostics: readonly Diagnostic[]) => void,
): () => Promise<void> {
  const buttons = makeRunButtons();
  const logs = makeLogView(part("logs"));
  let running: AbortController | undefined;

  const clear = (code: string): void => {
    for (const id of ["result", "calls", "outcome-hint"]) part(id).hidden = true;
    logs.clear();
    onFindings(code, []);
  };
  const finish = (code: string, answer: RunAnswer, report: RunReport): void => {
    showResult(part("result"), answer.result);
    part("result").hidden = !report.isOk;
    showCalls(part("calls"), report);
    onFindings(code, answer.diagnostics);
    if (report.durationMs === 0 && !report.isOk) return tellState("The script did not run", "bad");
    tellState(describeEnd(report), report.isOk ? "ok" : "bad");
  };
  const onEvent = (code: string, gone: AbortSignal) => {
    let open = 0;
    let count = 0;
    return (event: DraftEvent): void => {
      if (event.kind === "log") logs.add(event.entry);
      if (event.kind === "call-skipped") logs.note(event.text);
      if (event.kind === "call-started") [open, count] = [open + 1, count + 1];
      if (event.kind === "call-ended") open -= 1;
      if (event.kind === "approval") {
        tellState("Waiting for your approval", "busy");
        void showApproval(event.message, gone).then((isAllowed) =>
          api.approval(event.id, isAllowed).catch(() => undefined),
        );
      } else if (event.kind === "question") {
        tellState("Waiting for your answer", "busy");
        void askServerQuestion(event.question, gone).then((reply) => api.reply(event.id, reply).catch(() => undefined));
      } else if (event.kind === "answer") {
        finish(code, event.answer, event.report);
      } else {
        tellState(`Running, ${countOf(count, "call")}, ${open} open`, "busy");
      }
    };
  };

  const run = async (): Promise<void> => {
    if (running !== undefined) return;
    const input = readInput();
    if (!input.ok) return tellState("The input is not valid JSON", "bad");
    running = new AbortController();
    const ended = new AbortController();
    const { signal } = running;
    const gone = AbortSignal.any([signal, ended.signal]);
    const asked = draft();
    clear(asked.code);
    buttons.showRunning(true);
    tellState("Running", "busy");
    const isDry = partOf(HTMLInputElement, "dry").checked;
    try {
      await api.run({ ...asked, input: input.value, isDry }, onEvent(asked.code, gone), signal);
    } catch (error) {
      if (signal.aborted) tellState("Stopped");
      else if (error instanceof ApiError) tellState(explain(error), "bad");
      else throw error;
    } finally {
      ended.abort();
      running = undefined;
      buttons.showRunning(false);
    }
  };

  buttons.run.addEventListener("click", () => void run());
  buttons.stop.addEventListener("click", () => running?.abort());
  return run;
}

function tellState(text: string, kind = ""): void {
  const state = part("state");
  state.className = kind;
  state.textContent = text;
}

/** Run keeps the focus while a script runs, so that the dialogs of the run can give it back. */
function makeRunButtons() {
  const run = partOf(HTMLButtonElement, "run");
  const stop = partOf(HTMLButtonElement, "stop");
  return {
    run,
    stop,
    showRunning(isRunning: boolean): void {
      if (isRunning) run.setAttribute("aria-disabled", "true");
      else run.removeAttribute("aria-disabled");
      if (document.activeElement === stop) run.focus();
      stop.hidden = !isRunning;
    },
  };
}

function describeEnd({ calls, durationMs, isOk }: RunReport): string {
  return `${isOk ? "Finished" : "Failed"} in ${formatDuration(durationMs)}, ${countOf(calls.length, "call")}`;
}

function readInput(): { ok: true; value: JsonValue } | { ok: false } {
  const text = partOf(HTMLTextAreaElement, "input").value.trim();
  try {
    return { ok: true, value: text === "" ? null : (JSON.parse(text) as JsonValue) };
  } catch {
    return { ok: false };
  }
}

/** Console lines as they come. */
function makeLogView(section: HTMLElement) {
  const list = section.querySelector("ol");
  const append = (item: HTMLElement): void => {
    section.hidden = false;
    list?.append(item);
  };
  return {
    clear(): void {
      section.hidden = true;
      list?.replaceChildren();
    },
    add: ({ level, message, timeMs }: LogEntry) =>
      append(
        element(
          "li",
          { class: level },
          element("span", { class: "time" }, `${timeMs} ms`),
          level === "log" ? undefined : element("span", { class: `badge ${level}` }, level),
          element("span", { class: "message" }, shownText(message)),
        ),
      ),
    /** A line of codemode's own. */
    note: (text: string) =>
      append(element("li", { class: "note" }, element("span", { class: "message" }, shownText(text)))),
  };
}

/** What the type of `innerHTML` is to a browser that asks for trusted types; TypeScript's declarations do not have them yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): { createHTML(html: string): string };
}

// The policy of the page lets text become HTML by this rule alone, which nothing else can reach.
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes | undefined }).trustedTypes;
const rule = trustedTypes?.createPolicy("timeline", { createHTML: (html) => html });

/** Nodes from HTML of our own: every value in it has been escaped by `markup`. */
function fromMarkup({ html }: Markup): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = rule?.createHTML(html) ?? html;
  return template.content;
}

/** The calls of a run over time, and a table of them. */
function showCalls(section: HTMLElement, report: RunReport): void {
  section.hidden = report.calls.length === 0;
  const frame = section.querySelector("div");
  if (frame === null || section.hidden) return;
  frame.replaceChildren(fromMarkup(printTimeline(report)), fromMarkup(printCallsTable(report.calls)));
  startTimeline(frame);
}

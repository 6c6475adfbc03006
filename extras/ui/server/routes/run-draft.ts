import { ownAccess } from "../../../../schemas/access/access.ts";
import type { CompletionList, WordView } from "../../../../schemas/editor.ts";
import type { Draft, DraftReview, DraftPlace, RunDraft, DraftEvent } from "../../messages/ui-messages.ts";
import { inspectScript } from "../../../../engine/inspect-script.ts";
import { toDraftSource } from "../draft-source.ts";
import type { UiProject } from "../ui-project.ts";
import { makeTurns } from "../../../../schemas/turns.ts";
import { askAboutCall } from "../../../../schemas/run/call-question.ts";
import type { Approve } from "../../../../schemas/run/approval.ts";
import type { AskPerson } from "../../../../engine/open-host.ts";
import { makeReportCollector } from "../../report/collect/collect-report.ts";
import { printSkippedCall } from "../../../../schemas/run/tool-call-event.ts";
import { makeApprovalQuestion } from "../../../../serve/agent/approval-form.ts";

/** What bundler, type checker and policy say of a draft, and what it may call. Runs nothing, and connects no server. */
export async function reviewDraft(project: UiProject, draft: Draft): Promise<DraftReview> {
  const { config, host, checker } = project;
  const access = ownAccess(config.policy);
  const script = toDraftSource(draft, project);
  return inspectScript(script, config, host.lockfile(), checker, (source) => host.bundle({ script: source, access }));
}

/** What may be written at a place of a draft. */
export function completeDraft(project: UiProject, { offset, ...draft }: DraftPlace): Promise<CompletionList> {
  return project.checker.complete(toDraftSource(draft, project), project.host.lockfile(), offset);
}

/** The type of the word at a place of a draft; null where there is nothing to say. */
export async function describeWord(project: UiProject, { offset, ...draft }: DraftPlace): Promise<WordView | null> {
  return (await project.checker.describe(toDraftSource(draft, project), project.host.lockfile(), offset)) ?? null;
}

/** Runs a draft as `serve` runs the scripts of agents, and tells what happens. The last event is the answer. */
export async function runDraft(
  project: UiProject,
  draft: RunDraft,
  tell: (event: DraftEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { config, host, approvals, questions } = project;
  const script = toDraftSource(draft, project);
  const collector = makeReportCollector(false);
  const inTurn = makeTurns();

  const ask: AskPerson = async (question, ended) => {
    const { id, answer } = questions.ask(AbortSignal.any([signal, ended]));
    tell({ kind: "question", id, question });
    return answer;
  };

  const approve: Approve = async (request) => {
    if (request.call !== undefined)
      return inTurn(() => askAboutCall(request, (question) => ask(question, signal), "plain"));
    // What cannot be shown whole cannot be approved.
    const { script: _inTheEditor, ...shown } = request;
    const question = makeApprovalQuestion(shown, "script");
    if (question === undefined) return "unavailable";
    const { id, answer } = approvals.ask(signal);
    tell({ kind: "approval", id, message: question.lines.join("\n") });
    return (await answer) ? "granted" : "refused";
  };

  const answer = await host.run({
    script,
    access: ownAccess(config.policy),
    input: draft.input,
    ...{ approve, ask },
    approvalBy: "page",
    emit(event) {
      collector.onEvent(event);
      const { type } = event;
      if (type === "log") tell({ kind: type, entry: event.entry });
      if (type === "call-skipped") tell({ kind: type, text: printSkippedCall(event.call) });
      if (type === "call-ended") tell({ kind: type, number: event.number, entry: event.entry });
      if (type === "call-started") {
        const { number, serverId, toolName } = event;
        tell({ kind: type, number, serverId, toolName });
      }
    },
    signal,
    isDryRun: draft.isDry,
  });
  tell({ kind: "answer", answer, report: collector.finish(answer, script) });
}

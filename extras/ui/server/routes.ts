import { isJsonObject, type JsonObject, type JsonValue } from "../../../schemas/json/json.ts";
import type { RunEvent } from "../../../schemas/ui-messages.ts";
import {
  readDraft,
  readDraftPlace,
  readFlag,
  readReply,
  readRunDraft,
  readText,
  readToolPlace,
} from "./read-fields.ts";
import { RouteProblem } from "./route-problem.ts";
import { completeDraft } from "./routes/complete-draft.ts";
import { describeWord } from "./routes/describe-word.ts";
import { findDrift } from "./routes/find-drift.ts";
import { answerApproval, listApprovals } from "./routes/list-approvals.ts";
import { openScript } from "./routes/open-script.ts";
import { reviewDraft } from "./routes/review-draft.ts";
import { runDraft } from "./routes/run-draft.ts";
import { saveScript } from "./routes/save-script.ts";
import { searchTools } from "./routes/search-tools.ts";
import { showProject } from "./routes/show-project.ts";
import { showTool } from "./routes/show-tool.ts";
import type { UiProject } from "./ui-project.ts";

/** Answers a request with one value. */
export type AnsweringRoute = (project: UiProject, request: JsonObject) => unknown;

/** Answers a request with events, the last of which is the end of it. */
export type TellingRoute = (
  project: UiProject,
  request: JsonObject,
  tell: (event: RunEvent) => void,
  signal: AbortSignal,
) => Promise<void>;

/** What the page can ask, by the last step of the path. */
export const ANSWERING_ROUTES: ReadonlyMap<string, AnsweringRoute> = new Map<string, AnsweringRoute>([
  ["project", (project) => showProject(project)],
  ["tool", (project, request) => showTool(project, readToolPlace(request))],
  ["search", (project, request) => searchTools(project, readText(request, "query"))],
  ["drift", (project, request) => findDrift(project, readText(request, "serverId"))],
  ["review", (project, request) => reviewDraft(project, readDraft(request))],
  ["complete", (project, request) => completeDraft(project, readDraftPlace(request))],
  ["describe", (project, request) => describeWord(project, readDraftPlace(request))],
  ["open-script", (project, request) => openScript(project, readText(request, "name"))],
  [
    "save-script",
    (project, request) =>
      saveScript(project, {
        name: readText(request, "name"),
        code: readText(request, "code"),
        before: readText(request, "before"),
      }),
  ],
  [
    "consent",
    ({ consents }, request) => {
      const isWaiting = consents.answer(readText(request, "id"), readFlag(request, "isAllowed"));
      if (!isWaiting) throw new RouteProblem(404, "No request waits for this answer any more.");
      return {};
    },
  ],
  ["approvals", (project) => listApprovals(project)],
  [
    "approve",
    (project, request) => {
      const passphrase = readFlag(request, "isAllowed") ? readText(request, "passphrase") : undefined;
      return answerApproval(project, readText(request, "id"), passphrase);
    },
  ],
  [
    "reply",
    ({ questions }, request) => {
      const isWaiting = questions.answer(readText(request, "id"), readReply(request));
      if (!isWaiting) throw new RouteProblem(404, "No request waits for this answer any more.");
      return {};
    },
  ],
]);

export const TELLING_ROUTES: ReadonlyMap<string, TellingRoute> = new Map<string, TellingRoute>([
  ["run", (project, request, tell, signal) => runDraft(project, readRunDraft(request), tell, signal)],
]);

/** The body of a request as the routes take it. */
export function toRouteRequest(body: JsonValue | undefined): JsonObject {
  if (!isJsonObject(body)) throw new RouteProblem(400, "The body of the request is not a JSON object.");
  return body;
}

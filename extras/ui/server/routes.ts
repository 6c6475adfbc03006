import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import type { Draft, DraftPlace, RunDraft, ListedPlace } from "../messages/ui-messages.ts";
import { RouteProblem } from "./route-problem.ts";
import { answerApproval, listApprovals } from "./routes/list-approvals.ts";
import { cancelRun, listRuns, removeRun, showRun } from "./routes/list-runs.ts";
import { reviewDraft, completeDraft, describeWord } from "./routes/run-draft.ts";
import { saveScript, openScript } from "./draft-source.ts";
import { showProject, viewTool, viewMatches, viewDrift } from "./routes/show-project.ts";
import type { UiProject } from "./ui-project.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";

/** What the page can ask, by the last step of the path. */
type Route = (project: UiProject, request: JsonObject) => unknown;

export const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["project", (project) => showProject(project)],
  ["tool", (project, request) => viewTool(project, readToolPlace(request))],
  ["search", (project, request) => viewMatches(project, readText(request, "query"))],
  ["drift", (project, request) => viewDrift(project, readText(request, "serverId"))],
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
    "approval",
    ({ approvals }, request) =>
      assertWaiting(approvals.answer(readText(request, "id"), readFlag(request, "isAllowed"))),
  ],
  ["approvals", (project) => listApprovals(project)],
  [
    "approve",
    (project, request) => {
      const content = { decision: readText(request, "decision"), text: readText(request, "text") };
      const shown = { id: readText(request, "id"), digest: readText(request, "digest") };
      return answerApproval(project, shown, content, readText(request, "passphrase"));
    },
  ],
  ["runs", (project) => listRuns(project)],
  ["show-run", (project, request) => showRun(project, readText(request, "id"))],
  ["cancel-run", (project, request) => cancelRun(project, readText(request, "id"))],
  ["remove-run", (project, request) => removeRun(project, readText(request, "id"))],
  ["reply", ({ questions }, request) => assertWaiting(questions.answer(readText(request, "id"), readReply(request)))],
]);

function assertWaiting(isWaiting: boolean): object {
  if (!isWaiting) throw new RouteProblem(404, "No request waits for this answer any more.");
  return {};
}

/** The body of a request as the routes take it. */
export function toRouteRequest(body: JsonValue | undefined): JsonObject {
  if (!isJsonObject(body)) throw new RouteProblem(400, "The body of the request is not a JSON object.");
  return body;
}

/** A text of a request. */
function readText(request: JsonObject, key: string): string {
  const value = ownValue(request, key);
  if (typeof value !== "string") throw new RouteProblem(400, `"${key}" of the request is not a string.`);
  return value;
}

function readFlag(request: JsonObject, key: string): boolean {
  return ownValue(request, key) === true;
}

function readValue(request: JsonObject, key: string): JsonValue {
  return ownValue(request, key) ?? null;
}

/** Whether it fits the question is the host's to say. */
function readReply(request: JsonObject): PersonsReply {
  const content = ownValue(request, "content");
  const action = readText(request, "action");
  if (action === "accept")
    return { action, ...withoutUndefined({ content: isJsonObject(content) ? content : undefined }) };
  return { action: action === "decline" ? "decline" : "cancel" };
}

function readToolPlace(request: JsonObject): ListedPlace {
  return { serverId: readText(request, "serverId"), toolName: readText(request, "toolName") };
}

function readDraft(request: JsonObject): Draft {
  const code = readText(request, "code");
  return Object.hasOwn(request, "script") ? { code, script: readText(request, "script") } : { code };
}

export function readDraftPlace(request: JsonObject): DraftPlace {
  const offset = readValue(request, "offset");
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0) {
    throw new RouteProblem(400, '"offset" of the request is not a position in a text.');
  }
  return { ...readDraft(request), offset };
}

/** The request of the one route that answers with events, `run`. */
export function readRunDraft(request: JsonObject): RunDraft {
  return { ...readDraft(request), input: readValue(request, "input"), isDry: readFlag(request, "isDry") };
}

import type { OnRefused } from "./refused-access.ts";
import type { IncomingMessage } from "node:http";
import { timingSafeEqual } from "node:crypto";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import { readDecision } from "../../schemas/run/call-question.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { linesOf, type makeOperatorQuestions } from "../approvals/questions.ts";
import type { CallDecision } from "../../schemas/run/approval.ts";
import type { OpenQuestion } from "../../schemas/run/durable-run.ts";
import { parseQuestionId } from "../../schemas/run/question-id.ts";
import { digestToken, readBearer } from "./http-plan.ts";
import { readJsonBody, type ReadBody } from "./json-rpc.ts";

// What a dashboard of the operator shows and answers. Its token is no client's: a client that could answer would approve its own calls.

const APPROVALS_PATH = "/approvals";

/** The approvals that runs wait for. */
export type OperatorList = ReturnType<typeof makeOperatorQuestions>;

/** Whether an address is one of these. */
export function isOfApprovals(path: string): boolean {
  return path === APPROVALS_PATH || path.startsWith(`${APPROVALS_PATH}/`);
}

/** Lists the approvals, shows one, or answers it: `GET /approvals`, `GET /approvals/ID`, `POST /approvals/ID`. */
export async function answerOperator(
  {
    approvals,
    tokenDigest,
    onRefused,
  }: { approvals: OperatorList; tokenDigest: Buffer; onRefused?: OnRefused | undefined },
  incoming: IncomingMessage,
  path: string,
): Promise<Response> {
  const token = readBearer(incoming.headers.authorization);
  if (token === undefined || !timingSafeEqual(digestToken(token), tokenDigest)) {
    onRefused?.("approvals", incoming);
    return say(401, { error: "The bearer token of the operator is required" }, { "www-authenticate": "Bearer" });
  }
  const id = path.slice(APPROVALS_PATH.length + 1);
  const { method = "" } = incoming;
  const allowed = id === "" ? ["GET"] : ["GET", "POST"];
  if (!allowed.includes(method)) return say(405, { error: "Method not allowed" }, { allow: allowed.join(", ") });
  if (method === "GET") {
    const { questions, notice } = await approvals.list(parseQuestionId(id)?.run);
    if (id === "")
      return say(200, { approvals: questions.map((each) => describe(each)), ...withoutUndefined({ notice }) });
    const question = questions.find((each) => each.id === id);
    if (question !== undefined) return say(200, describe(question, true));
    return notice === undefined ? say(404, GONE) : say(503, { error: notice });
  }
  const { body, refusal }: ReadBody = await readJsonBody(incoming);
  if (refusal !== undefined) return say(refusal.status, { error: "The body is not JSON in UTF-8, or too long" });
  const decision = readAnswer(body);
  if ("problem" in decision) return say(400, { error: decision.problem });
  // The one token that there is: the key of the configuration names it.
  const answer = { ...decision, by: { way: "operator", name: "operatorToken" } } as const;
  const digest = isJsonObject(body) ? ownValue(body, "digest") : undefined;
  if (digest !== undefined && typeof digest !== "string") return say(400, { error: "The digest is no string" });
  const outcome = await approvals.answer(id, answer, digest).catch(toRefusal);
  if (typeof outcome === "object") return say(400, { error: outcome.problem });
  if (outcome === "given") return say(200, { outcome });
  const { status, error } = REFUSALS[outcome];
  return say(status, { error });
}

function toRefusal(error: unknown): "held" | "unheard" {
  const code = error instanceof CodemodeError ? error.code : undefined;
  if (code === "RUN_HELD") return "held";
  if (code === "STORE_UNREACHABLE") return "unheard";
  throw error;
}

const GONE = { error: "No run waits for this approval" };

/** Why a decision has not become the answer. */
const REFUSALS = {
  gone: { status: 404, error: GONE.error },
  answered: { status: 409, error: "This approval has another answer already" },
  held: { status: 409, error: 'Another process has the run: answer through that one, or set "serve.storeKey" on all' },
  wrong: { status: 409, error: "The answer is not proven" },
  stale: { status: 409, error: "Another question has this id now than was shown: look at it again" },
  unheard: { status: 503, error: "The replica of the run or the store does not answer: send this again" },
};

function describe(question: OpenQuestion, isWhole = false) {
  const { id, digest, kind, client, project = "", tools, lines, until } = question;
  return {
    ...{ id, digest, project, ...withoutUndefined({ client }) },
    ...{ kind, tools },
    lines: isWhole ? linesOf(question) : lines,
    ...withoutUndefined({ until: until === undefined ? undefined : new Date(until).toISOString() }),
  };
}

/** What the fields of the form say in other ways to answer: `decision`, and `text`, which may be JSON here. */
function readAnswer(body: JsonValue | undefined): CallDecision | { problem: string } {
  if (!isJsonObject(body)) return { problem: 'Send an object, such as {"decision":"allow"}' };
  const text = ownValue(body, "text");
  const printed = typeof text === "string" || text === undefined ? text : JSON.stringify(text);
  const decision = readDecision({ ...body, ...withoutUndefined({ text: printed }) }, {});
  return decision === "whole" ? { problem: "GET shows the arguments whole" } : decision;
}

function say(status: number, body: object, headers: { [name: string]: string } = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

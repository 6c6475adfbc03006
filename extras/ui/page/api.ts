import type { CompletionList, WordView } from "../../../schemas/editor.ts";
import type {
  PageAnswer,
  ApprovalRow,
  Draft,
  DraftPlace,
  DraftReview,
  DriftView,
  DurableList,
  DurableView,
  FirstStartView,
  ProjectView,
  RunDraft,
  DraftEvent,
  ScriptView,
  ListedPlace,
  ToolView,
  UiProblem,
} from "../messages/ui-messages.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";

/** Why a request was not answered, in words for the person at the page. */
export class ApiError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = "ApiError";
    this.hint = hint;
  }
}

/** What can be asked of the program that serves the page; each rejects with an `ApiError`. The token is sent with each request, and nowhere else. */
export function makeApi(token: string) {
  const send = async (route: string, request: object, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`/api/${route}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(request),
      credentials: "omit",
      redirect: "error",
      signal: signal ?? null,
    }).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      throw new ApiError("codemode does not respond.", "Start `codemode ui` again, and open its new address.");
    });
    if (response.ok) return response;
    const { error } = (await response.json()) as UiProblem;
    throw new ApiError(error.message, error.hint);
  };
  const ask = async <Answer>(route: string, request: object): Promise<Answer> =>
    (await (await send(route, request)).json()) as Answer;

  return {
    project: () => ask<ProjectView | { firstStart: FirstStartView }>("project", {}),
    tool: (place: ListedPlace) => ask<ToolView>("tool", place),
    search: (query: string) => ask<ListedPlace[]>("search", { query }),
    drift: (serverId: string) => ask<DriftView>("drift", { serverId }),
    review: (draft: Draft) => ask<DraftReview>("review", draft),
    complete: (place: DraftPlace) => ask<CompletionList>("complete", place),
    describe: (place: DraftPlace) => ask<WordView | null>("describe", place),
    openScript: (name: string) => ask<ScriptView>("open-script", { name }),
    saveScript: (script: { name: string; code: string; before: string }) =>
      ask<{ digest: string }>("save-script", script),
    approval: (id: string, isAllowed: boolean) => ask("approval", { id, isAllowed }),
    /** The approvals that runs of `codemode serve` wait for. */
    approvals: () => ask<ApprovalRow[]>("approvals", {}),
    approve: ({ id, digest }: ApprovalRow, answer: PageAnswer) => ask("approve", { id, digest, ...answer }),
    /** The durable runs of the project. */
    runs: () => ask<DurableList>("runs", {}),
    showRun: (id: string) => ask<DurableView>("show-run", { id }),
    cancelRun: (id: string) => ask("cancel-run", { id }),
    removeRun: (id: string) => ask("remove-run", { id }),
    /** Answers a question of a server. */
    reply: (id: string, reply: PersonsReply) => ask("reply", { id, ...reply }),
    /** Resolves when the run has ended. An abort stops it. */
    async run(draft: RunDraft, onEvent: (event: DraftEvent) => void, signal: AbortSignal): Promise<void> {
      const { body } = await send("run", draft, signal);
      if (body === null) return;
      for await (const line of readLines(body)) onEvent(JSON.parse(line) as DraftEvent);
    },
  };
}

export type Api = ReturnType<typeof makeApi>;

/** What went wrong, with what to do, for the person at the page. */
export function explain({ message, hint }: ApiError): string {
  return [message, hint].filter(Boolean).join(" ");
}

async function* readLines(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

const KEY = "codemode-token";

/**
 * The token of the address, which goes out of the address bar and the history. It is kept for a reload in the storage of this tab,
 * which no other origin can read; a cookie would be sent to every port of this machine.
 */
export function takeToken(): string | undefined {
  const given = location.hash.slice(1);
  if (/^[\w-]{43}$/.test(given)) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

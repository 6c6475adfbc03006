import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, type DiagnosticCode, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { TypecheckMode } from "../../schemas/config/config-file.ts";
import { RESULT_PLACE } from "../check/check-request.ts";
import { type CheckerStart, type Checker, findingsBesides } from "../check/process/start-checker.ts";
import type { AroundScript, Host, RunRequest } from "./host.ts";
import { findNamedResults } from "../project/script.ts";
import { findLoss, isOfMember } from "./lost-values.ts";

/**
 * What a script may have to thank its types for. Of a refusal, a server that is away or a cancelled run they say nothing, and the
 * bundler says all about an import itself.
 */
const RELATED_TO_TYPES: readonly DiagnosticCode[] = [
  "RESULT_UNSERIALIZABLE",
  "SANDBOX_LIMIT",
  "UNCAUGHT_EXCEPTION",
  "UNHANDLED_REJECTION",
];

/**
 * Type-checks scripts: after a failure or the loss of a value, beside each run, or before it. Type errors stop a run in the mode `error` alone; otherwise they are
 * warnings in its answer.
 */
export function checkTypes(
  mode: TypecheckMode,
  checker: Pick<Checker, "check">,
  visibleLockfile: Host["visibleLockfile"],
): AroundScript {
  // Style issues concern the author of a saved script and would only cost the agent tokens.
  const check = async ({ script, access, results }: RunRequest, options?: CheckerStart): Promise<Diagnostic[]> => {
    const resultTypes = findNamedResults(script.code, results);
    const asked = { ...options, clientId: access.client, resultTypes };
    const findings = await checker.check(script, visibleLockfile(access), asked);
    return findings.filter(({ severity }) => severity !== "info");
  };
  // Of a run that has its answer, a fault of the checker's must not take it away.
  const checkLeniently = async (request: RunRequest, options?: CheckerStart): Promise<Diagnostic[]> =>
    (await check(request, options).catch(() => [])).map((finding) => ({ ...finding, severity: "warning" }));
  const explain = async (answer: RunAnswer, request: RunRequest): Promise<RunAnswer> => {
    const loss = hasFailed(answer) ? undefined : findLoss(answer, request.script.code, visibleLockfile(request.access));
    if (loss === undefined && relatedFailures(answer).length === 0) return answer;
    const failedAt = loss === undefined ? failedPlaces(answer) : undefined;
    const findings = await withinShort((signal) =>
      checkLeniently(request, { signal, ...withoutUndefined({ failedAt }) }),
    );
    return withFindings(
      answer,
      (findings ?? [])
        .filter(({ code }) => code !== "CHECK_INCOMPLETE")
        .filter((finding) => loss !== "member" || isOfMember(finding)),
    );
  };

  const runs: Record<TypecheckMode, AroundScript> = {
    off: (request, run) => run(request),
    async "on-error"(request, run) {
      return explain(await run(request), request);
    },
    async warn(request, run) {
      const findings = checkLeniently(request);
      const answer = await run(request);
      return hasFailed(answer) ? explain(answer, request) : withFindings(answer, await findings);
    },
    async error(request, run) {
      const findings = await check(request);
      if (findings.some(({ severity }) => severity === "error")) return failedAnswer(findings);
      return withFindings(await run(request), findings);
    },
  };
  return runs[mode];
}

function hasFailed({ diagnostics }: RunAnswer): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

function relatedFailures({ diagnostics }: RunAnswer): Diagnostic[] {
  return diagnostics.filter(({ severity, code }) => severity === "error" && RELATED_TO_TYPES.includes(code));
}

/** Where a run failed; undefined where that may be anywhere. */
function failedPlaces(answer: RunAnswer): string[] | undefined {
  const places = relatedFailures(answer).map(({ code, path }) =>
    code === "RESULT_UNSERIALIZABLE" ? RESULT_PLACE : path,
  );
  return places.every((place) => place !== undefined) ? places : undefined;
}

/** What a run that has failed may wait for what types say of it. */
const EXPLANATION_MS = 1_000;

/** Undefined where it takes longer. */
async function withinShort<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value | undefined> {
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      giveUp.abort();
      resolve(undefined);
    }, EXPLANATION_MS);
  });
  try {
    return await Promise.race([work(giveUp.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

function withFindings(answer: RunAnswer, findings: readonly Diagnostic[]): RunAnswer {
  return { ...answer, diagnostics: [...answer.diagnostics, ...findingsBesides(findings, answer.diagnostics)] };
}

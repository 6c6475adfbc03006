import { type Diagnostic, type DiagnosticCode, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { TypecheckMode } from "../../schemas/config/config.ts";
import type { Checker } from "../check/process/start-checker.ts";
import type { Host, RunRequest } from "./host.ts";
import { findNamedResults } from "./earlier-results.ts";
import { findingsBesides } from "../check/findings-besides.ts";

export interface TypecheckOptions {
  mode: TypecheckMode;
  checker: Pick<Checker, "check">;
}

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
 * A host that type-checks scripts: after a failure, beside each run, or before it. Type errors stop a run in the mode `error` alone;
 * otherwise they are warnings in its answer.
 */
export function withTypecheck(host: Host, { mode, checker }: TypecheckOptions): Host {
  // Style issues concern the author of a saved script and would only cost the agent tokens.
  const check = async ({ script, access, results }: RunRequest): Promise<Diagnostic[]> =>
    (
      await checker.check(script, host.visibleLockfile(access), access.client, findNamedResults(script.code, results))
    ).filter(({ severity }) => severity !== "info");
  // Of a run that has its answer, a fault of the checker's must not take it away.
  const checkLeniently = async (request: RunRequest): Promise<Diagnostic[]> =>
    (await check(request).catch(() => [])).map((finding) => ({ ...finding, severity: "warning" }));

  const runs: Record<TypecheckMode, Host["run"]> = {
    off: (request) => host.run(request),
    async "on-error"(request) {
      const answer = await host.run(request);
      return hasRelatedFailure(answer) ? withFindings(answer, await checkLeniently(request)) : answer;
    },
    async warn(request) {
      const findings = checkLeniently(request);
      return withFindings(await host.run(request), await findings);
    },
    async error(request) {
      const findings = await check(request);
      if (findings.some(({ severity }) => severity === "error")) return failedAnswer(findings);
      return withFindings(await host.run(request), findings);
    },
  };
  return { ...host, run: runs[mode] };
}

function hasRelatedFailure({ diagnostics }: RunAnswer): boolean {
  return diagnostics.some(({ severity, code }) => severity === "error" && RELATED_TO_TYPES.includes(code));
}

function withFindings(answer: RunAnswer, findings: readonly Diagnostic[]): RunAnswer {
  return { ...answer, diagnostics: [...answer.diagnostics, ...findingsBesides(findings, answer.diagnostics)] };
}

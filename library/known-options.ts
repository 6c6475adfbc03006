import { nearestName } from "@codemode/runtime/nearest-name";
import { optionInvalid } from "../schemas/errors.ts";
import type { RunLimits } from "../schemas/run/answer.ts";
import type { EngineOptions, RunOptions } from "./engine.ts";
import type { ProjectOptions } from "./project.ts";

/** The options of each function. The compiler holds each list to its interface. */
const KNOWN = {
  openProject: { cwd: 0, config: 0, env: 0, trust: 0, signal: 0 } satisfies Names<ProjectOptions>,
  openEngine: {
    ...{ drift: 0, frozen: 0, refuseBy: 0, approve: 0, ask: 0, client: 0, typecheck: 0, concurrency: 0, isolation: 0 },
    ...{ reuse: 0, observers: 0, script: 0, callsOnly: 0, limits: 0, onUnstartable: 0, origin: 0, consentBy: 0 },
    ...{ onNote: 0, showProgress: 0, signal: 0 },
  } satisfies Names<EngineOptions>,
  run: {
    ...{ input: 0, key: 0, limits: 0, signal: 0, onLog: 0, onCall: 0, dryRun: 0, record: 0, durable: 0 },
    observation: 0,
  } satisfies Names<RunOptions>,
  limits: {
    ...{ timeoutMs: 0, maxMemoryBytes: 0, maxLogBytes: 0, maxToolCalls: 0, maxResultBytes: 0 },
  } satisfies Names<RunLimits>,
};

type Names<Options> = Record<keyof Options, 0>;

/**
 * Checks what a program passes that no compiler has seen: a misspelt option would be left out without a word.
 * @throws CodemodeError (`INVALID_OPTION`) for an option that does not exist, and a limit that is no number
 */
export function assertKnownOptions(place: keyof typeof KNOWN, options: object): void {
  const known = Object.keys(KNOWN[place]);
  const foreign = Object.keys(options).find((name) => !known.includes(name));
  if (foreign !== undefined) {
    const nearest = nearestName(foreign, known);
    const hint = nearest === undefined ? `Known: ${known.join(", ")}.` : `Did you mean \`${nearest}\`?`;
    throw optionInvalid(place, `there is no option \`${foreign}\``, hint);
  }
  const { limits } = options as { limits?: unknown };
  if (limits === undefined) return;
  assertKnownOptions("limits", Object(limits) as object);
  for (const [name, value] of Object.entries(limits as object))
    if (value !== undefined && !(Number.isFinite(value) && value >= 0))
      throw optionInvalid(place, `the limit \`${name}\` must be a number`, `Write \`limits: { ${name}: 1000 }\`.`);
}

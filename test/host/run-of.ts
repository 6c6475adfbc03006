import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import { makeOutputCheck } from "../../runtime/host/checks/output-check.ts";
import type { CallHost, Requester, Run } from "../../runtime/host/run.ts";
import { ownAccess } from "../../schemas/access/access.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";

/** What a test says of a run, and of who asks for it. */
export interface GivenRun extends Partial<Omit<Run, "request">> {
  request?: Partial<Requester> | undefined;
}

/** A run of a script that the own user asks for, of no tool unless given. */
export function runOf({ request, ...given }: GivenRun = {}): Run {
  return {
    request: { access: ownAccess(DEFAULTS.policy), approve: async () => "unavailable", ...request },
    lockfile: { servers: new Map() },
    manifest: { tools: [] },
    ...{ seen: new Map(), granted: [], unrepeatable: new Set<string>() },
    hold: () => () => undefined,
    report: () => undefined,
    ...given,
  };
}

/** A host that checks inputs and outputs, and has no server unless given. */
export function hostOf(given: Partial<CallHost> = {}): CallHost {
  return {
    audience: "person",
    checkInput: makeInputCheck(),
    checkOutput: makeOutputCheck(),
    guard: () => () => Promise.reject(new Error("There is no server.")),
    ...given,
  };
}

import type { CallView } from "../../schemas/run/describe-call.ts";
import type { InputCheck } from "../../runtime/host/checks/input-check.ts";
import type { OwnInputCheck } from "../../runtime/host/checks/own-input.ts";
import type { OutputCheck } from "../../runtime/host/checks/output-check.ts";
import type { CallGate, GatedRun } from "../../runtime/host/lock/make-call-gate.ts";
import type { PendingReview } from "../../runtime/host/pending-review.ts";
import type { VisibleLockfiles } from "../../runtime/host/visible-lockfiles.ts";
import type { SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import type { ToolToApprove } from "../../schemas/run/approval.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { RunRequest } from "./host.ts";

/** A run that has been admitted: nothing of it changes any more. */
export interface RunContext {
  request: RunRequest & { key: string };
  limits: RunLimits;
  bundle: Bundle;
  /** The lockfile that the bundle is bound to. */
  lockfile: Lockfile;
  /** Its servers that were listed when it was bound, as they were. */
  seen: ReadonlyMap<string, LockedServer>;
  /** The tools that a person has approved for it. */
  granted: readonly ToolToApprove[];
  /** Receives what is found while it runs. */
  report: (diagnostic: Diagnostic) => void;
  /** Receives `SERVER/TOOL` of each call that is sent and may not be sent a second time. */
  unrepeatable: Set<string>;
}

/** What a host has for all of its runs. */
export interface RunParts {
  pool: SandboxPool;
  audience: Audience;
  checkInput: InputCheck;
  checkOutput: OutputCheck;
  checkOwnInput: OwnInputCheck | undefined;
  gate: (run: GatedRun) => CallGate;
  pending: PendingReview;
  visible: VisibleLockfiles;
  /** What the lines about a call of a tool need beside it. */
  viewOf: (tool: LockedTool) => CallView;
  /** What takes the credentials of the configuration out of a text that a person is shown. */
  makeMask: () => (text: string) => string;
}

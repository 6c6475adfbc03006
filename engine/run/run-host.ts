import type { AdmitStart } from "../../runtime/host/admit-start.ts";
import type { Refusal } from "../../runtime/host/lock/drift-verdict.ts";
import type { LiveLock } from "../../runtime/host/lock/live-lock.ts";
import type { PendingReview } from "../../runtime/host/pending-review.ts";
import type { CallHost } from "../../runtime/host/run.ts";
import type { VisibleLockfiles } from "../../runtime/host/visible-lockfiles.ts";
import type { SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import type { ScriptPreparation } from "./prepared-script.ts";

/** What the runs of a host share, until it is closed. */
export interface RunHost extends CallHost {
  readonly mostLimits: RunLimits;
  readonly pool: SandboxPool;
  readonly lock: LiveLock;
  readonly pending: PendingReview;
  readonly preparation: ScriptPreparation;
  /** Says why servers must not be started. */
  readonly admitStart: AdmitStart;
  /** What an access shows of a lockfile. */
  readonly visible: VisibleLockfiles;
  /** What may be imported or called now. */
  importable(access: Access): Lockfile;
  /** When drift stops a run with that manifest. */
  refusalOf(manifest: Manifest): Refusal;
  /** What has changed of the tools of a manifest while a person was asked. */
  findNewDrift(manifest: Manifest, access: Access): Promise<Diagnostic[]>;
  /** Makes what takes the credentials of the configuration out of a text that a person is shown. */
  makeMask(): (text: string) => string;
}

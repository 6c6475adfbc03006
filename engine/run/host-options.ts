import type { OnUnstartable } from "../../runtime/host/admit-start.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import type { SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { DriftPolicy } from "../../schemas/config/config-file.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { OnServerEvent, HostEvents, RunOrigin } from "../../schemas/run/events.ts";
import type { Bundler } from "../bundle/process/bundler.ts";
import type { AuditGate } from "./audit-gate.ts";
import type { AroundScript } from "./host.ts";

/** What a host is made from. Pool and bundler are the caller's, who starts them early and ends them. */
export interface HostOptions {
  config: Config;
  lockfile: Lockfile;
  /** Where servers start before the host is there; otherwise it makes its own. It ends them either way. */
  connections?: ConnectionSet | undefined;
  /** Receives events of servers; with `connections` of the caller only drift. */
  onServerEvent?: OnServerEvent | undefined;
  pool: SandboxPool;
  bundler: Pick<Bundler, "bundle">;
  drift: DriftPolicy;
  /** For whom the hints of answers are; a person unless given. */
  audience?: Audience | undefined;
  /** With `refuse`: a drifted tool stops the scripts that use it, or a drifted server all scripts that use that. */
  refuseBy: "server" | "tool";
  /** What is in the lockfile on disk where that has changed; without it the host takes no notice of changes. */
  readChanged?: (() => Promise<Lockfile | undefined>) | undefined;
  /** Servers that had no lock entry before: the first answer that has to do with one says so. */
  lockedFirst?: readonly string[] | undefined;
  isFrozenSession?: boolean | undefined;
  /** `report` unless given. */
  onUnstartable?: OnUnstartable | undefined;
  /** Undefined where no one listens. */
  events?: HostEvents | undefined;
  /** Names the caller in events. */
  origin?: RunOrigin | undefined;
  /** Present where every run must be written down. */
  gate?: AuditGate | undefined;
  /** What is done around the run of each script, the outermost first: types are checked, results are looked at. */
  around?: readonly AroundScript[] | undefined;
}

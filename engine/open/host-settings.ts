import type { OnUnstartable } from "../../runtime/host/admit-start.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { DriftPolicy } from "../../schemas/config/config-file.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { ShowWork } from "../../schemas/progress.ts";
import type { HostEvent, RunOrigin } from "../../schemas/run/events.ts";
import type { Log } from "../load-log.ts";
import type { ReadScript } from "../project/script.ts";
import type { OwnLock } from "./lock-own-servers.ts";

/**
 * What a host is opened for, which decides how much is prepared and when:
 * - `session`: any script, one after the other. All servers are locked and all packages generated first; sandboxes wait.
 * - `script`: one script that is known. Only what it needs is prepared, and its servers and its bundle start at once.
 * - `call`: single calls. Neither a bundler nor a sandbox starts.
 */
export type HostPurpose = { kind: "session" } | { kind: "script"; script: ReadScript } | { kind: "call" };

/** Hears what happens in a host. */
export type HostListener = (event: HostEvent) => unknown;

/** How a project's host is opened. Everything but the first three has a default. */
export interface HostSettings {
  config: Config;
  /** Names the caller in logs, traces and metrics. */
  origin: RunOrigin;
  purpose: HostPurpose;
  /** Lock, generate and follow nothing: a missing lockfile, an outdated package and drift are refused. */
  isFrozen?: boolean | undefined;
  /** What is done about drift; unless given what the configuration says, else `warn`. `isFrozen` means `refuse`. */
  drift?: DriftPolicy | undefined;
  /**
   * What drift stops where it is refused. With `server` no script runs that uses a server with any drift, as a user of `--frozen`
   * expects; with `tool`, which is the default, only a script that uses a drifted tool: one renamed tool must not stop all agents.
   */
  refuseBy?: "server" | "tool" | undefined;
  /** For whom the hints of answers are: a person unless given. */
  audience?: Audience | undefined;
  /** What happens with a server that a user has to act on before it can start: `report` unless given. */
  onUnstartable?: OnUnstartable | undefined;
  /** How many runs there are at a time, where that is known: so many sandboxes are kept. One for a script, else it follows the load. */
  concurrency?: number | undefined;
  /** Start the type checker at once, for an editor as well. */
  hasEditor?: boolean | undefined;
  /** Receive what happens, beside the log, audit log, traces and metrics that the configuration names. */
  observers?: readonly HostListener[] | undefined;
  /** Where the values of placeholders come from; `process.env` unless given. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Receives what is noteworthy. With a `log` runs are logged too. */
  note: (line: string) => void;
  log?: Log | undefined;
  showProgress?: ShowWork | undefined;
  /** Ends the preparation. */
  signal?: AbortSignal | undefined;
  /** Where the entries of the program's own servers are kept; in memory alone without it. */
  ownLock?: OwnLock | undefined;
  /** Called when a server that was configured and not locked has got its lock entry. */
  onLocked?: (() => void) | undefined;
}

import { type Host, openHost } from "../engine/open-host.ts";
import type { HostPurpose } from "../engine/open/host-settings.ts";
import type { OwnLock } from "../engine/open/lock-own-servers.ts";
import { findLostPatterns, printLost } from "../engine/project/config/lost-patterns.ts";
import { joinSignals } from "../engine/process/join-signals.ts";
import type { Config } from "../schemas/config/config.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { optionInvalid } from "../schemas/errors.ts";
import { findScript } from "../engine/project/script.ts";
import { type Access, ownAccess, accessOf } from "../schemas/access/access.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { servedClientUnknown } from "./errors.ts";

/** A project that an engine is opened for. */
export interface OpenedProject {
  config: Config;
  cwd: string;
  env?: NodeJS.ProcessEnv | undefined;
  ownLock?: OwnLock | undefined;
  /** Its policy is the program's own: each of its patterns has to match something. */
  holdsPolicy?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Opens the host that the engine needs, and resolves when it can run scripts. */
export async function openHostFor(
  project: OpenedProject,
  options: EngineOptions,
  config: Config,
  purpose: HostPurpose,
): Promise<{ host: Host; close(): Promise<void> }> {
  const { refuseBy, onUnstartable, frozen, concurrency, showProgress, observers } = options;
  const { onNote: note = silent, origin = "library", drift = driftOf(config, purpose) } = options;
  const { ready, close } = await openHost({
    ...{ config, purpose, note, isFrozen: frozen, concurrency, refuseBy, onUnstartable, showProgress, observers },
    ...{ origin, drift, env: project.env, ownLock: project.ownLock },
    signal: joinSignals(project.signal, options.signal),
  });
  try {
    const { host } = await ready;
    if (project.holdsPolicy === true) assertPolicyMeets(config, host.lockfile());
    return { host, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const silent = (): void => undefined;

/** A pattern in `deny` that matches nothing denies nothing. */
function assertPolicyMeets(config: Config, lockfile: Lockfile): void {
  const ofPolicy = { ...config, serve: { ...config.serve, clients: [], direct: [] }, outputs: new Map() };
  const [lost] = findLostPatterns(ofPolicy, lockfile);
  if (lost === undefined) return;
  const known = [...lockfile.servers.keys()];
  throw optionInvalid("policy", `nothing matches ${printLost(lost)}`, `Servers: ${known.join(", ")}.`);
}

/** The configuration with what the options put in its place. */
export function configFor(config: Config, { limits, typecheck, isolation, reuse }: EngineOptions): Config {
  return {
    ...config,
    limits: { ...config.limits, ...limits },
    ...withoutUndefined({ typecheck }),
    sandbox: {
      ...config.sandbox,
      ...withoutUndefined({ isolation, reuse }),
    },
  };
}

/** A program that decides itself is the person; a client has what `serve.clients` gives it. */
export function accessFor(config: Config, { client, approve, ask }: EngineOptions): Access {
  if (client === undefined) return { ...ownAccess(config.policy), mayApprove: true };
  const { clients } = config.serve;
  const known = clients.find(({ name }) => name === client);
  if (known === undefined) {
    throw servedClientUnknown(
      client,
      clients.map(({ name }) => name),
    );
  }
  return { ...accessOf({ kind: "http", client: known }, config), mayApprove: (approve ?? ask) !== undefined };
}

/** Scripts of an agent come one after the other, and servers change meanwhile; a script that is known was written for what is locked. */
function driftOf({ drift }: Config, { kind }: HostPurpose): Config["drift"] {
  return drift ?? (kind === "session" ? "review" : undefined);
}

/** A script that is known is prepared alone. */
export async function purposeOf(
  { script, callsOnly }: EngineOptions,
  config: Config,
  cwd: string,
): Promise<HostPurpose> {
  if (script !== undefined) return { kind: "script", script: await findScript(script, cwd, config) };
  return { kind: callsOnly === true ? "call" : "session" };
}

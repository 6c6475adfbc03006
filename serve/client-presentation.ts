import type { HostEvents } from "../schemas/run/events.ts";
import { type Access, visibleLockfile } from "../schemas/access/access.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Config } from "../schemas/config/config.ts";
import type { DurableRuns } from "../engine/extras.ts";
import type { Host } from "../engine/open-host.ts";
import type { SharedState } from "./store/shared-state.ts";
import { type Admission, admitView } from "./admission/admission.ts";
import { makeView, type ViewOptions } from "./make-view.ts";
import { present, type Presentation } from "./present.ts";
import type { SavedScripts } from "../engine/saved-scripts.ts";
import type { ServedView } from "./surface.ts";

/** What is served to all clients. */
export interface ServedProject {
  config: Config;
  /** What runs scripts. May take its time: the handshake does not wait for it. */
  engine: Promise<{ host: Host; scripts: SavedScripts; durable?: DurableRuns | undefined }>;
  /** The lockfile as it was read, if there is one: shown until the engine is ready. The handshake waits for it. Unless given, the engine's. */
  locked?: Promise<Lockfile | undefined> | undefined;
  /** With a store: what is shared with other replicas. */
  shared?: SharedState | undefined;
  events?: HostEvents | undefined;
  /** As for a view. */
  callerOf?: ViewOptions["callerOf"];
  /** Receives the details of failures, which clients do not get. */
  onFailure(error: unknown): void;
}

/** Presents a project to one client: as much of it as it may see, and in its turn. */
export async function presentTo(access: Access, admission: Admission, served: ServedProject): Promise<Presentation> {
  const { engine, config, shared, events, callerOf } = served;
  // The operator has no name; names of clients are never empty, so the queues stay separate.
  const client = access.client ?? "";
  const locked = await served.locked;
  const cache = shared?.cacheOf(client);
  const ready = engine.then((parts) => makeView({ ...parts, config, access, callerOf, cache }));
  const shown = locked === undefined ? await ready : makeEarlyView(locked, ready, config, access);
  return present(admitView(shown, admission, client, events), config.serve, config.scripts.values());
}

/**
 * A view that shows the lockfile as it was read until the host is ready: clients drop a server whose tools they do not see soon. What runs
 * something waits for the host.
 */
export function makeEarlyView(
  locked: Lockfile,
  ready: Promise<ServedView>,
  config: Pick<Config, "limits" | "scripts">,
  access: Access,
): ServedView {
  const early = visibleLockfile(locked, access);
  let view: ServedView | undefined;
  void ready.then(
    (later) => (view = later),
    () => undefined, // thrown to each call
  );
  return {
    limits: config.limits,
    lockfile: () => view?.lockfile() ?? early,
    refresh: async () => view?.refresh(),
    savedScripts: async () => (config.scripts.size === 0 ? [] : (await ready).savedScripts()),
    hasScript: async (name) => (await ready).hasScript(name),
    run: async (request, call) => (await ready).run(request, call),
    callTool: async (...call) => (await ready).callTool(...call),
  };
}

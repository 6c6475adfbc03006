import type { Observer } from "../schemas/run/observer.ts";
import { type Access, visibleLockfile } from "../schemas/access/access.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Config } from "../schemas/config/config.ts";
import type { Host } from "../engine/open-host.ts";
import type { ResultShelf } from "./answers/result-shelf.ts";
import { type Admission, admitView } from "./admission/admission.ts";
import { makeView } from "./make-view.ts";
import { present, type Presentation } from "./present.ts";
import type { SavedScripts } from "../engine/saved-scripts.ts";
import type { ServedView } from "./surface.ts";

/** What one client meets, and who it is. */
export interface ClientPresentationOptions {
  /** What runs scripts. */
  engine: Promise<{ host: Host; scripts: SavedScripts }>;
  /** What is shown until the engine is ready; absent where there is no lockfile yet. */
  locked?: Lockfile | undefined;
  config: Config;
  access: Access;
  admission: Admission;
  /** See `makeView`. */
  shelf?: ResultShelf | undefined;
  observer?: Observer | undefined;
}

/** Presents a host to one client: as much of it as it may see, and in its turn. */
export async function makeClientPresentation({
  engine,
  locked,
  config,
  access,
  admission,
  shelf,
  observer,
}: ClientPresentationOptions): Promise<Presentation> {
  const ready = engine.then((parts) => makeView({ ...parts, config, access, shelf }));
  const shown = locked === undefined ? await ready : makeEarlyView({ locked, ready, config, access });
  // The operator has no name; names of clients are never empty, so the queues stay separate.
  const view = admitView(shown, admission, access.client ?? "", observer);
  return present(view, config.serve, config.scripts.values());
}

interface EarlyViewOptions {
  locked: Lockfile;
  ready: Promise<ServedView>;
  config: Pick<Config, "limits" | "scripts">;
  access: Access;
}

/**
 * A view that shows the lockfile as it was read until the host is ready: clients drop a server whose tools they do not see soon. What runs
 * something waits for the host.
 */
export function makeEarlyView({ locked, ready, config, access }: EarlyViewOptions): ServedView {
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
    knowsScript: async (name) => (await ready).knowsScript(name),
    run: async (request, call) => (await ready).run(request, call),
    callTool: async (...call) => (await ready).callTool(...call),
  };
}

import type { Observer } from "../schemas/run/observer.ts";
import type { Access } from "../schemas/access/access.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Config } from "../schemas/config/config.ts";
import type { Host } from "../engine/open-host.ts";
import type { ResultShelf } from "./answers/result-shelf.ts";
import { admitView } from "./admission/admit-view.ts";
import type { Admission } from "./admission/admission.ts";
import { makeEarlyView } from "./make-early-view.ts";
import { makeView } from "./make-view.ts";
import { present } from "./present.ts";
import type { Presentation } from "./presentation.ts";
import type { SavedScripts } from "../engine/saved-scripts.ts";

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

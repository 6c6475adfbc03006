import { type Access, visibleLockfile } from "../schemas/access/access.ts";
import type { Config } from "../schemas/config/config.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { ServedView } from "./surface.ts";

export interface EarlyViewOptions {
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

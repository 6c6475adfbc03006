import type { Config } from "../../schemas/config/config.ts";
import type { Log } from "../../engine/observe/log/log.ts";
import { openObservers } from "../../engine/observe/open-observers.ts";
import { bundlePlaces } from "../../engine/project/bundle-places.ts";
import { startChecker } from "../../engine/check/process/start-checker.ts";
import { openHost } from "../../engine/open-host.ts";
import { makeConsents } from "./consents.ts";
import type { UiProject } from "./ui-project.ts";

/** The project of a page, with all that has to end with it. */
export interface OpenUiProject {
  /** Rejects with a `UserError` where the project cannot be prepared. */
  ready: Promise<UiProject>;
  close(): Promise<void>;
}

/** Makes the host as `serve` does. One checker serves runs and the editor; drift is told, and the lockfile stays as it is. */
export async function openUiProject(config: Config, log: Log): Promise<OpenUiProject> {
  const observers = await openObservers({ config, origin: "ui", log, note: log.error });
  const checker = startChecker(bundlePlaces(config).packages);
  checker.warm();
  const asks = { drift: "warn", reader: "person", onUnstartable: "ask" } as const;
  const opened = openHost({ config, frozen: false, ...asks, checker, observers, log });
  const consents = makeConsents();
  const ready = opened.ready.then(({ host }) => ({ config, host, checker, consents }));
  ready.catch(() => undefined); // thrown to whoever waits for it
  return {
    ready,
    async close() {
      consents.refuseAll();
      await Promise.all([opened.close(), checker.close()]);
      await observers.close();
    },
  };
}

import type { Config } from "../../schemas/config/config.ts";
import type { Checker, Host } from "../../engine/open-host.ts";
import type { Consents } from "./consents.ts";

/** What the page is about: each route takes it, and knows nothing of HTTP. */
export interface UiProject {
  config: Config;
  host: Host;
  checker: Checker;
  /** What the person at the page is asked before a run. */
  consents: Consents;
}

import type { Config } from "../../../schemas/config/config.ts";
import type { Checker, Host } from "../../../engine/open-host.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";
import type { Questions } from "./questions.ts";

/** What the page is about: each route takes it, and knows nothing of HTTP. */
export interface UiProject {
  config: Config;
  host: Host;
  checker: Checker;
  /** What the person at the page is asked before a run. */
  consents: Questions<boolean>;
  /** What servers ask the person in the middle of a run. */
  questions: Questions<PersonsReply>;
}

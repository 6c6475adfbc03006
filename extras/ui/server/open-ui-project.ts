import type { Config } from "../../../schemas/config/config.ts";
import type { Log } from "../../../engine/load-log.ts";
import { openHost } from "../../../engine/open-host.ts";
import type { PersonsReply } from "../../../schemas/run/question.ts";
import { makeQuestions } from "./questions.ts";
import type { UiProject } from "./ui-project.ts";

/** The project of a page, with all that has to end with it. */
export interface OpenUiProject {
  /** Rejects with a `CodemodeError` where the project cannot be prepared. */
  ready: Promise<UiProject>;
  close(): Promise<void>;
}

/** Opens the host as `serve` does. One checker serves runs and the editor; drift is reported, and the lockfile stays as it is. */
export async function openUiProject(config: Config, log: Log): Promise<OpenUiProject> {
  const opened = await openHost({
    ...{ config, log, note: log.info, origin: "ui", purpose: { kind: "session" } },
    ...{ onUnstartable: "ask", hasEditor: true },
  });
  const consents = makeQuestions(false);
  const questions = makeQuestions<PersonsReply>({ action: "cancel" });
  const ready = opened.ready.then(({ host, checker }) => {
    if (checker === undefined) throw new TypeError("A host with an editor has a checker.");
    return { config, host, checker, consents, questions };
  });
  ready.catch(() => undefined); // thrown to the request that needs it
  return {
    ready,
    async close() {
      consents.refuseAll();
      questions.refuseAll();
      await opened.close();
    },
  };
}

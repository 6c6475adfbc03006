import { optionInvalid } from "../../../schemas/errors.ts";
import type { Command } from "../../../cli/command.ts";
import { loadLog, logFailure } from "../../../engine/load-log.ts";
import { loadConfig } from "../../../engine/load-config.ts";
import { readWholeNumber } from "../../../cli/read-run-options.ts";
import { serveUi } from "./http/serve-ui.ts";
import { openPage } from "./open-page.ts";
import { openUiProject } from "./open-ui-project.ts";

/** `codemode ui`: a page on this machine to look at servers and tools, and to write and run scripts. */
export const ui: Command = async ({ args, options, context }) => {
  const { output, signal, verbose } = context;
  const [stranger] = args;
  if (stranger !== undefined) throw optionInvalid("ui", `unexpected argument "${stranger}"`);
  const port = readWholeNumber(options, "port", 0, 65_535) ?? 0;
  const config = await loadConfig(context);
  const log = await loadLog({ config, option: undefined, isForClient: false });
  const project = await openUiProject(config, log);
  const onFailure = (error: unknown): void => logFailure(error, log, verbose);
  try {
    const served = await serveUi(() => project.ready, { port, onFailure });
    let forgetPage: (() => Promise<void>) | undefined;
    try {
      output.note(`codemode ui is at ${served.url.href}`);
      output.note("Anyone with this address can run scripts. Press Ctrl+C to stop.");
      if (options.has("open")) forgetPage = await openPage(served.url, config.folder);
      await Promise.race([aborted(signal), failed(project.ready)]);
      return 0;
    } finally {
      await forgetPage?.();
      await served.close();
    }
  } finally {
    await project.close();
  }
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Never resolves: a project that could be opened is there until it is closed. */
async function failed(ready: Promise<unknown>): Promise<never> {
  await ready;
  return new Promise<never>(() => undefined);
}

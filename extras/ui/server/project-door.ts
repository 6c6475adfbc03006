import { basename } from "node:path";
import { assertTrusted } from "../../../engine/trust-project.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import type { Config } from "../../../schemas/config/config.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { FirstStartView } from "../messages/ui-messages.ts";
import type { PreparedProject, UiProject } from "./ui-project.ts";

/** What requests get: the project, or why there is none yet. */
export type Doorway = { project: UiProject } | { firstStart: FirstStartView };

/** Where requests enter the project, which opens when there is a server in it. */
export interface ProjectDoor {
  get(): Promise<Doorway>;
  /** Rejects where a project that was there at the start cannot be prepared. */
  failed(): Promise<never>;
  close(): Promise<void>;
}

/** An attempt to open a project starts processes: so long after one that failed, none is made. */
const RETRY_MS = 15_000;

/**
 * Opens a project that has a server at once. Without one, each request reads the configuration, and opens the project when a server is in
 * it. `--trust` is about what was there at the start: what a server starts that came later, this account has to have trusted.
 * @param config as it is at the start; with `isNew` it stands in no file
 * @param reload reads the configuration again; undefined where there is still none
 */
export async function makeProjectDoor(
  { config, isNew }: { config: Config; isNew: boolean },
  reload: () => Promise<Config | undefined>,
  open: (config: Config) => Promise<PreparedProject>,
): Promise<ProjectDoor> {
  const atStart = config.servers.length === 0 ? undefined : await open(config);
  let opened = atStart;
  let opening: Promise<Doorway> | undefined;
  let failure: { error: CodemodeError; until: number } | undefined;
  const view = (problem?: CodemodeError, hasConfiguration = !isNew): Doorway => ({
    firstStart: {
      name: basename(config.folder),
      folder: config.folder,
      hasConfiguration,
      ...withoutUndefined({ problem: problem && `${problem.message} ${problem.hint}` }),
    },
  });
  const look = async (): Promise<Doorway> => {
    try {
      const now = await reload();
      if (now === undefined || now.servers.length === 0) return view(undefined, now !== undefined);
      assertTrusted(now);
      if (failure !== undefined && performance.now() < failure.until) throw failure.error;
      const next = await open(now);
      const project = await next.ready.catch(async (error: unknown) => {
        await next.close();
        if (error instanceof CodemodeError) failure = { error, until: performance.now() + RETRY_MS };
        throw error;
      });
      opened = next;
      return { project };
    } catch (error) {
      if (error instanceof CodemodeError) return view(error, true);
      throw error;
    }
  };
  return {
    async get() {
      if (opened !== undefined) return { project: await opened.ready };
      opening ??= look().finally(() => (opening = undefined));
      return opening;
    },
    async failed() {
      await atStart?.ready;
      return new Promise<never>(() => undefined);
    },
    async close() {
      await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

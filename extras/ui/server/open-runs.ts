import { existsSync } from "node:fs";
import { type DurableExtra, type DurableRuns, loadExtra } from "../../../engine/extras.ts";
import { durableFolder, planStore } from "../../../engine/store-plan.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import type { Config } from "../../../schemas/config/config.ts";

/** The durable runs of a project, opened when the page asks for them and there can be any. */
export interface RunsOpener {
  /**
   * Undefined where there can be none.
   * @throws CodemodeError where they cannot be read
   */
  get(): Promise<DurableRuns | undefined>;
  isOpen(): boolean;
  close(): Promise<void>;
}

/** @param load gives what keeps durable runs */
export function makeRunsOpener(
  config: Config,
  load = (): Promise<DurableExtra> => loadExtra<DurableExtra>("durable"),
): RunsOpener {
  let opening: Promise<DurableRuns | undefined> | undefined;
  let isOpen = false;
  const open = async (): Promise<DurableRuns | undefined> => {
    const extra = await load().catch(unlessMissing);
    const opened = await extra?.openDurableRuns(config, async () => {
      throw new Error("No durable run goes on in the page.");
    });
    isOpen = opened !== undefined;
    return opened;
  };
  return {
    async get() {
      if (opening === undefined && !canHaveRuns(config)) return undefined;
      return (opening ??= open().catch((error: unknown) => {
        // The store may be there later.
        opening = undefined;
        throw error;
      }));
    },
    isOpen: () => isOpen,
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/** Whether the project has a place where durable runs can be: files that some run has made, or a store that keeps them. */
function canHaveRuns(config: Config): boolean {
  const store = planStore(config);
  if (store === undefined) return existsSync(durableFolder(config));
  return store.kind === "postgres" && store.sealer !== undefined;
}

/** Where the extra was deleted there are no durable runs. */
function unlessMissing(error: unknown): undefined {
  if (!(error instanceof CodemodeError) || error.code !== "EXTRA_MISSING") throw error;
}

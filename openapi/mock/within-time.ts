import { createContext, Script } from "node:vm";

/** Far more than a text of a few characters needs. */
const MAX_MS = 250;

const RUN = new Script("run()");
const BOX: { run?: () => unknown } = {};
const CONTEXT = createContext(BOX);

/**
 * Runs a function that tries patterns of a document, and ends it when it takes too long: backtracking can take years. This is a watch on
 * time, and no boundary.
 */
export function withinTime<Value>(run: () => Value): { value: Value } | undefined {
  BOX.run = run;
  try {
    return { value: RUN.runInContext(CONTEXT, { timeout: MAX_MS }) as Value };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  } finally {
    delete BOX.run;
  }
}

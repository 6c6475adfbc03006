import { AsyncLocalStorage } from "node:async_hooks";
import { beforeAll, onTestFinished } from "vitest";

type Close = () => unknown;
const shared = new AsyncLocalStorage<Close[]>();

/** Closes what a test has opened after the test, and what the tests of a file share after the last of them. */
export function whenDone(close: Close): void {
  const closes = shared.getStore();
  if (closes === undefined) onTestFinished(async () => void (await close()));
  else closes.unshift(close);
}

/** Opens something, such as a project with a process that serves it, once for all tests beside this line. */
export function shareInFile<Opened>(open: () => Promise<Opened>): () => Opened {
  let opened: Opened;
  beforeAll(async () => {
    const closes: Close[] = [];
    opened = await shared.run(closes, open);
    return async () => {
      for (const close of closes) await close();
    };
  });
  return () => opened;
}

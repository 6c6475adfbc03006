import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What running a program came to: what it exported, the error that ended it, or nothing, because its text is no module. */
export interface Outcome {
  kind: "value" | "error" | "refused";
  text: string;
}

/** Runs modules in one process of plain Node, one after the other. Each is the text of a module, or the URL of its file. */
export async function runInNode(codes: readonly (string | URL)[]): Promise<Outcome[]> {
  const child = fork(fileURLToPath(new URL("./node-process.mjs", import.meta.url)), { execArgv: [] });
  const waiting = new Map<number, (outcome: Outcome) => void>();
  child.on("message", ({ id, outcome }: { id: number; outcome: Outcome }) => waiting.get(id)?.(outcome));
  const outcomes: Outcome[] = [];
  try {
    for (const [id, code] of codes.entries()) {
      outcomes.push(
        await new Promise((resolve, reject) => {
          waiting.set(id, resolve);
          child.once("exit", () => reject(new Error(`Node ended at ${String(code)}`)));
          child.send(code instanceof URL ? { id, url: code.href } : { id, code });
        }),
      );
      child.removeAllListeners("exit");
    }
  } finally {
    child.kill();
  }
  return outcomes;
}

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Terminal } from "./ask-on-terminal.ts";

/** Waits for a line that is not shown as it is typed; undefined where the input ends or the signal is aborted. */
export async function readHidden(prompt: string, { input, output, signal }: Terminal): Promise<string | undefined> {
  output.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silent, terminal: true, signal });
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once("line", resolve).once("close", () => resolve(undefined));
  });
  terminal.close();
  output.write("\n");
  return answer;
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** Starts a program that prints `port NUMBER` when it listens. */
export async function startWebServer(
  cwd: string,
  words: readonly string[],
): Promise<{ server: ChildProcess; port: string }> {
  const env = { ...process.env, PORT: "0" };
  const server = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  return { server, port: line.replace("port ", "") };
}

/** Asks three times at once: twice for the open tasks of a file, once for a file that is missing. @returns status and body of each answer */
export async function askForTasks(port: string): Promise<unknown[]> {
  const get = (file: string): Promise<Response> => fetch(`http://127.0.0.1:${port}/tasks?file=${file}`);
  const answers = await Promise.all([get("todo.txt"), get("todo.txt"), get("missing.txt")]);
  return Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]));
}

/** What they have to be. */
export const TASKS = [
  [200, ["- [ ] first"]],
  [200, ["- [ ] first"]],
  [502, { code: "UNCAUGHT_EXCEPTION" }],
];

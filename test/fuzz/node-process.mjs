import { fork } from "node:child_process";

const PATIENCE_MS = 5_000;

/**
 * Asks a program that answers messages, in a process of plain Node that is started again where it has ended over a question, or took too
 * long: some texts end an engine that parses them.
 *
 * @param {string} program the path of a module
 * @returns {{ ask(question: object): Promise<object | undefined>, stop(): void }}
 */
export function startNodeProcess(program) {
  let child;
  return {
    async ask(question) {
      child ??= fork(program, {
        execArgv: ["--experimental-vm-modules", "--no-warnings"],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      });
      const current = child;
      const answer = await askProcess(current, question);
      if (answer !== undefined) return answer;
      current.kill("SIGKILL");
      child = undefined;
      return undefined;
    },
    stop() {
      child?.kill();
    },
  };
}

function askProcess(child, question) {
  return new Promise((resolve) => {
    const settle = (answer) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      resolve(answer);
    };
    const onMessage = (message) => settle(message);
    const onExit = () => settle(undefined);
    const timer = setTimeout(onExit, PATIENCE_MS);
    child.on("message", onMessage).on("exit", onExit);
    child.send(question, () => undefined);
  });
}

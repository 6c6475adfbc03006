// Runs the commands that it gets as messages, one after the other, as the program of `codemode` runs the one that is typed.
import { isLinkedCurrent } from "../../dist/cli/start-command.js";

const { runCli } = await import(`../../dist/${isLinkedCurrent() ? "program" : "cli"}/run-cli.js`);
process.on("message", async (args) => {
  const finished = { code: null, stdout: "", stderr: "" };
  const keepIn = (stream) => (text) => void (finished[stream] += `${text}\n`);
  finished.code = await runCli(args, { result: keepIn("stdout"), note: keepIn("stderr") });
  process.send(finished);
});

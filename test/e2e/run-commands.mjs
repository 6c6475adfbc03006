// Runs the commands that it gets as messages, one after the other, as the program of `codemode` runs the one that is typed.
import { isLinkedCurrent } from "../../dist/cli/start-command.js";

const { runCli } = await import(`../../dist/${isLinkedCurrent() ? "program" : "cli"}/run-cli.js`);

/** What keeps this process alive while no command runs: its streams and the channel to the test, which is there with the first message. */
let atRest;
/** A process that a command has ended is gone a little later. */
const REST_MS = 10_000;

process.on("message", async ({ args, cwd, env }) => {
  if (atRest === undefined) openStreams();
  process.send(args === undefined ? await findLeft() : await runIn(args, cwd, env));
});
process.on("disconnect", () => process.exit());

/** Node opens a stream at its first use. */
function openStreams() {
  for (const stream of [process.stdout, process.stderr]) stream.write("");
  atRest = process.getActiveResourcesInfo();
}

async function runIn(args, cwd, env) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const finished = { code: null, stdout: "", stderr: "" };
  const keepIn = (stream) => (text) => void (finished[stream] += `${text}\n`);
  finished.code = await runCli(args, { result: keepIn("stdout"), note: keepIn("stderr") });
  return finished;
}

/** What commands have left open: a process of its own would not end. */
async function findLeft() {
  for (const begun = performance.now(); ;) {
    const left = process.getActiveResourcesInfo();
    for (const name of atRest) if (left.includes(name)) left.splice(left.indexOf(name), 1);
    if (left.length === 0 || performance.now() - begun > REST_MS) return left;
    await new Promise((resolve) => setTimeout(resolve, 10).unref());
  }
}

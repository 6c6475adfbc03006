// Starts the server of the arguments, and puts the sentence of the first argument into a description of a tool: a server after an update.
// usage: node changed-server.js SENTENCE WORDS COMMAND [ARGS...], where WORDS are what the sentence is put in front of
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [sentence, words, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
createInterface({ input: server.stdout }).on("line", (line) => {
  process.stdout.write(`${line.replace(words, `${sentence} ${words}`)}\n`);
});
server.once("close", (code) => (process.exitCode = code ?? 1));

#!/usr/bin/env node
import { findProgram } from "./find-program.ts";
import { explainOldNode, explainOtherEngine } from "../schemas/oldest-node.ts";

// A reader such as `| head` may close the pipe early. That is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const other = explainOtherEngine(process.versions);
const refusal = other === undefined ? explainOldNode(process.version) : `error: ${other.cause}\nhint: ${other.hint}\n`;
if (refusal === undefined) {
  const { runCli } = (await import(findProgram().href)) as typeof import("./run-cli.ts");
  // Setting the code, instead of exiting, lets a slow reader of stdout get everything.
  process.exitCode = await runCli(process.argv.slice(2));
} else {
  process.stderr.write(refusal);
  process.exitCode = 2;
}

#!/usr/bin/env node
import { runCli } from "./run-cli.ts";

// Setting the code, instead of exiting, lets a slow reader of stdout get everything.
process.exitCode = await runCli(process.argv.slice(2));

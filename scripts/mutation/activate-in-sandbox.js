// Switches the mutant of this test run on in the program of the sandbox process, which knows no variable of the host.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { inject } from "vitest";

const PROGRAM = "dist/sandbox/main.js";
const WITHOUT = "dist/main-without-mutant.js";

if (!existsSync(WITHOUT)) renameSync(PROGRAM, WITHOUT);
const activeMutant = inject("mode") === "mutant" ? inject("activeMutant") : "none";
const draft = `${PROGRAM}.draft`;
writeFileSync(
  draft,
  `"use strict";globalThis.__stryker__=${JSON.stringify({ activeMutant })};${readFileSync(WITHOUT, "latin1")}`,
);
renameSync(draft, PROGRAM);

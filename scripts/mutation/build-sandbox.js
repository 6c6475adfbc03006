// Builds the program of the sandbox process with all mutants of a bundled area in it. Stryker starts this in its copy of the project, without a shell.
import { execFileSync } from "node:child_process";

execFileSync("tsc", ["-p", "runtime/sandbox/realm/boot", "--noCheck"], { stdio: "inherit" });
await import("../build-sandbox.js");

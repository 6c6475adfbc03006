import { execFile } from "node:child_process";
import { join, sep } from "node:path";
import type { Renewal } from "../../../schemas/run/protocol.ts";
import { findCompileCache, type CompileCache } from "./compile-cache.ts";
import { type Confinement, confineCommand, probeConfinement } from "./confinement.ts";
import { listNodeFlags, listV8Flags, parseNodeVersion } from "./node-flags.ts";
import { SandboxStartError } from "./sandbox-process.ts";
import { emptyEnvironment } from "./empty-environment.ts";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** How the sandboxes of a pool are started. */
export interface LaunchPlan {
  confinement: Confinement;
  /** What starts Node, as `sandbox.command` has it; empty where codemode does. */
  command: readonly string[];
  /** Node, its flags and the program. */
  program: string[];
  /** The line of the runtime that the program has (`Sandbox`). */
  runtimeLine: string | undefined;
  cache: CompileCache | undefined;
}

export interface LaunchOptions {
  node: string;
  maxMemoryBytes: number;
  /** What its processes make for each further run; they serve one unless given. */
  renewal?: Renewal | undefined;
  /** Words of a program that starts the words after it: `sandbox.command` of the configuration. */
  command?: readonly string[] | undefined;
}

/** Finds out what the machine and the Node binary offer. Rejects with a `SandboxStartError` where the binary is no Node. */
export async function planLaunch({ node, maxMemoryBytes, renewal, command = [] }: LaunchOptions): Promise<LaunchPlan> {
  const programFolder = findProgramFolder();
  const nodeVersion = node === process.execPath ? process.version : await askVersion(node);
  const v8Flags = listV8Flags(maxMemoryBytes, parseNodeVersion(nodeVersion), renewal);
  const confining = command.length > 0 ? confineCommand() : probeConfinement(node);
  const cache = findCompileCache({ nodeVersion, v8Flags, programFolder });
  const runtimeLine = readRuntimeLine(programFolder);
  const confinement = await confining;
  const readable = [withSeparator(programFolder), ...(cache === undefined ? [] : [withSeparator(cache.folder)])];
  const nodeFlags = listNodeFlags(parseNodeVersion(nodeVersion), readable);
  const program = [node, ...v8Flags, ...nodeFlags, join(programFolder, "boot.cjs")];
  return { confinement, command, program, runtimeLine, cache };
}

function askVersion(node: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(node, ["--version"], { env: emptyEnvironment() }, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(new SandboxStartError(error.message));
    });
  });
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

/** The second line of `runtime.js`, where `scripts/build-sandbox.js` puts it. Without a build the start says what is missing. */
function readRuntimeLine(programFolder: string): string | undefined {
  try {
    return readFileSync(join(programFolder, "runtime.js"), "latin1").split("\n")[1];
  } catch {
    return undefined;
  }
}

/** The folder with the program of the sandbox process, as `scripts/build-sandbox.js` makes it. */
export function findProgramFolder(): string {
  const built = new URL("../../../sandbox/", import.meta.url);
  // When this file runs from its source, as in tests, the built program is in `dist`.
  const besideSources = new URL("../../../dist/sandbox/", import.meta.url);
  return fileURLToPath(existsSync(new URL("boot.cjs", built)) ? built : besideSources);
}

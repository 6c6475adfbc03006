import type { Renewal } from "../../../schemas/run/protocol.ts";

/** The parts of a Node version that decide about flags. */
export interface NodeVersion {
  major: number;
  minor: number;
}

/** Reads `v22.13.1` or `22.13.1`. */
export function parseNodeVersion(version: string): NodeVersion {
  const [, major = "0", minor = "0"] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return { major: Number(major), minor: Number(minor) };
}

/**
 * The flags that V8 sees. They are part of the key of the compile cache: V8 refuses a cache made under others.
 * The heap gets three quarters of the memory limit; buffers and strings outside of it are watched by the host.
 * Node 20 would optimize functions of the lockdown, which run once for each realm: a larger budget saves a seventh of the start, and a
 * script's loop is optimized a millisecond later. The code that compartments share is worth it. The flag goes when Node 20 is no longer supported.
 * @param renewal present for a process that serves several runs
 */
export function listV8Flags(maxMemoryBytes: number, { major }: NodeVersion, renewal?: Renewal): string[] {
  const heapMegabytes = Math.max(Math.floor((maxMemoryBytes / 1024 / 1024) * 0.75), 32);
  return [
    `--max-old-space-size=${heapMegabytes}`,
    "--max-semi-space-size=16",
    "--disallow-code-generation-from-strings",
    ...(renewal === undefined ? [] : RENEWAL_FLAGS[renewal]),
    ...(renewal !== "compartment" && major < 22 ? ["--interrupt-budget=1000000"] : []),
  ];
}

/**
 * For a process that serves several runs. The young space of compartments stays within what a process may grow by: at its full size it would
 * end the process after some 380 small runs. Where each run gets a realm, the process collects ended ones itself, and the space
 * has from the start on the size that holds several of them.
 */
const RENEWAL_FLAGS: Readonly<Record<Renewal, readonly string[]>> = {
  compartment: ["--max-semi-space-size=8"],
  realm: ["--expose-gc", "--min-semi-space-size=16", "--max-semi-space-size=16"],
};

/**
 * The flags of Node itself: no addons, and only the named files may be read. The program is named by its own path, which
 * need not be looked up part by part.
 */
export function listNodeFlags({ major, minor }: NodeVersion, readable: readonly string[]): string[] {
  // The older name of the flag goes when Node 20 is no longer supported, and 22 before 22.13.
  const isStable = major > 22 || (major === 22 && minor >= 13);
  const permission = isStable ? "--permission" : "--experimental-permission";
  return [
    "--no-warnings",
    "--no-addons",
    "--preserve-symlinks-main",
    permission,
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}

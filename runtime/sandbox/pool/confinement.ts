import { execFile } from "node:child_process";
import { join } from "node:path";
import { isExecutable } from "../../files/is-executable.ts";
import { probeProfile } from "./seatbelt.ts";

/** What this machine offers to confine a process. Each part may be missing; `SECURITY.md` says what is lost then. */
export interface Confinement {
  /** Words before the command: namespaces without a network and death with the host, or a profile of macOS. Empty where refused. */
  launcher: readonly string[];
  /** The path of `prlimit`, or undefined. */
  prlimit: string | undefined;
}

const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
export const NO_NETWORK = ["--user", "--map-current-user", "--net", "--ipc", "--uts"];
export const DIE_WITH_HOST = ["--pdeathsig", "KILL", "--no-new-privs"];
const PROBE_TIMEOUT_MS = 5_000;

const probed = new Map<string, Promise<Confinement>>();

/** Tries once per process what the machine allows: containers and hardened kernels refuse some of it. */
export function probeConfinement(node = process.execPath): Promise<Confinement> {
  const confinement = probed.get(node) ?? findConfinement(node);
  probed.set(node, confinement);
  return confinement;
}

/**
 * What is put around a command of the configuration that starts the sandboxes: death with the host, and nothing else. Namespaces and limits of
 * memory would be the command's own, and some commands need to gain privileges.
 */
export async function confineCommand(): Promise<Confinement> {
  const launcher = process.platform === "linux" ? toCommand("setpriv", ["--pdeathsig", "KILL"]) : [];
  return { launcher: launcher.length > 0 && (await isAllowed(launcher)) ? launcher : [], prlimit: undefined };
}

/** What a platform offers for this binary of Node. */
export async function findConfinement(node: string, platform = process.platform): Promise<Confinement> {
  if (platform === "darwin") return { launcher: await probeProfile(node), prlimit: undefined };
  if (platform !== "linux") return { launcher: [], prlimit: undefined };
  const unshare = toCommand("unshare", NO_NETWORK);
  const setpriv = toCommand("setpriv", DIE_WITH_HOST);
  const candidates = [[...unshare, ...setpriv], unshare, setpriv].filter((words) => words.length > 0);
  for (const launcher of candidates) {
    if (await isAllowed(launcher)) return { launcher, prlimit: findCommand("prlimit") };
  }
  return { launcher: [], prlimit: findCommand("prlimit") };
}

function isAllowed([command = "", ...args]: readonly string[]): Promise<boolean> {
  const nothing = findCommand("true") ?? "true";
  return new Promise((resolve) => {
    execFile(command, [...args, nothing], { env: {}, cwd: "/", timeout: PROBE_TIMEOUT_MS }, (error) =>
      resolve(error === null),
    );
  });
}

function toCommand(name: string, args: readonly string[]): string[] {
  const path = findCommand(name);
  return path === undefined ? [] : [path, ...args];
}

/** The system's own folders are looked at, not `PATH`: a project must not be able to slip in another program. */
export function findCommand(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}

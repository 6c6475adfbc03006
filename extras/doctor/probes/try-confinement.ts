import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { DIE_WITH_HOST, findCommand, NO_NETWORK } from "../../../runtime/sandbox/pool/confinement.ts";

/** One command that confines a process, tried by itself. */
export interface ConfinementTrial {
  command: "prlimit" | "setpriv" | "unshare";
  /** Why it does not work here; absent where it does. */
  refusal?: { reason: "missing" | "refused" | "no-linux"; said: string } | undefined;
}

const TRIAL_TIMEOUT_MS = 5_000;
const MOST_SAID = 200;

/** Tries each of them alone, so that what is missing has a reason. */
export function tryConfinement(): Promise<ConfinementTrial[]> {
  return Promise.all([
    tryCommand("unshare", NO_NETWORK),
    tryCommand("setpriv", DIE_WITH_HOST),
    tryCommand("prlimit", ["--core=0"]),
  ]);
}

function tryCommand(command: ConfinementTrial["command"], args: readonly string[]): Promise<ConfinementTrial> {
  if (process.platform !== "linux") return Promise.resolve({ command, refusal: { reason: "no-linux", said: "" } });
  const path = findCommand(command);
  if (path === undefined) return Promise.resolve({ command, refusal: { reason: "missing", said: "" } });
  const nothing = findCommand("true") ?? "true";
  const options = { env: {}, cwd: "/", timeout: TRIAL_TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile(path, [...args, nothing], options, (error, _, stderr) => {
      const said = stderr.trim().split("\n").at(-1)?.slice(0, MOST_SAID) ?? "";
      resolve(error === null ? { command } : { command, refusal: { reason: "refused", said } });
    });
  });
}

/** Switches of kernels that keep ordinary users from namespaces, and the value that does so. */
const FORBIDDING_SWITCHES = {
  "kernel.apparmor_restrict_unprivileged_userns": "1",
  "kernel.unprivileged_userns_clone": "0",
  "user.max_user_namespaces": "0",
};

/** The switches of this kernel that forbid namespaces, as `sysctl` writes them. */
export function listForbiddingSwitches(): string[] {
  return Object.entries(FORBIDDING_SWITCHES).flatMap(([name, value]) =>
    readSwitch(name) === value ? [`${name}=${value}`] : [],
  );
}

function readSwitch(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}

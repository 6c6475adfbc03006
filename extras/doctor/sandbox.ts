import { makeLauncher } from "../../runtime/sandbox/pool/launcher.ts";
import { SANDBOX_EXEC } from "../../runtime/sandbox/pool/seatbelt.ts";
import { type LaunchOptions, planLaunch, type LaunchPlan } from "../../runtime/sandbox/pool/launch-plan.ts";
import { showsMemory } from "../../runtime/sandbox/pool/prefixed-process.ts";
import { SandboxStartError } from "../../runtime/sandbox/pool/sandbox-process.ts";
import { readFileSync, readlinkSync } from "node:fs";
import { readResidentBytes } from "../../runtime/sandbox/pool/process-memory.ts";
import { execFile } from "node:child_process";
import { DIE_WITH_HOST, findCommand, NO_NETWORK } from "../../runtime/sandbox/pool/confinement.ts";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { emptyEnvironment, listForeignVariables } from "../../runtime/sandbox/pool/empty-environment.ts";

/** What is in force around a sandbox on this machine. */
export type SandboxFacts =
  | { hasStarted: false; failure: string; hint: string }
  | {
      hasStarted: true;
      trials: ConfinementTrial[];
      /** Switches of the kernel that forbid namespaces. */
      switches: string[];
      /** Whether `sandbox-exec` starts Node under codemode's profile; on macOS only. */
      hasProfile?: boolean | undefined;
      /** What the kernel says of a running one; only where there is a /proc. */
      process?: ProcessFacts | undefined;
      /** Undefined where the process that was asked did not answer. */
      inside: InsideFacts | undefined;
      diesWithHost: boolean;
      /** What starts the sandboxes in place of codemode; absent where nothing does. */
      command?: CommandFacts | undefined;
      cache: { isUsable: boolean; isFilled: boolean };
    };

export interface CommandFacts {
  /** Without its arguments. */
  program: string;
  /** Whether the processes that hold the sandbox's memory are on this machine and below the command. */
  showsMemory: boolean;
}

/** Starts a sandbox and asks what holds it: the kernel, and a process that was started just as it is. */
export async function probeSandbox(
  launch: Omit<LaunchOptions, "renewal">,
  maxCpuSeconds: number,
): Promise<SandboxFacts> {
  const launcher = makeLauncher(launch, maxCpuSeconds);
  try {
    const plan = await planLaunch(launch);
    // Before the launcher, which fills the cache at its first start.
    const cache = { isUsable: plan.cache !== undefined, isFilled: plan.cache?.isFilled === true };
    const [trials, sandbox, inside, diesWithHost] = await Promise.all([
      tryConfinement(),
      launcher.launch(),
      askInside(plan),
      asksToDieWithHost(plan),
    ]);
    const switches = listForbiddingSwitches();
    const facts = { hasStarted: true as const, trials, switches, inside, diesWithHost, cache };
    const [program] = plan.command;
    if (program !== undefined) return { ...facts, command: { program, showsMemory: showsMemory(sandbox.pid) } };
    return {
      ...facts,
      process: process.platform === "linux" ? readProcess(sandbox.pid) : undefined,
      hasProfile: process.platform === "darwin" ? plan.confinement.launcher[0] === SANDBOX_EXEC : undefined,
    };
  } catch (error) {
    if (!(error instanceof SandboxStartError)) throw error;
    const failure = typeof error.cause === "string" && error.cause !== "" ? error.cause : error.message;
    return { hasStarted: false, failure, hint: error.hint };
  } finally {
    await launcher.close();
  }
}

/** What the kernel says of a running sandbox. Each is absent where it cannot be read. */
interface ProcessFacts {
  /** The namespaces that it does not share with this process. */
  ownNamespaces?: string[] | undefined;
  /** The network interfaces that it can see. */
  interfaces?: string[] | undefined;
  hasNoNewPrivileges?: boolean | undefined;
  /** Limits as the kernel names them; undefined is none. */
  limits?: ReadonlyMap<string, number | undefined> | undefined;
  residentBytes: number;
}

const NAMESPACES = ["net", "user", "ipc", "uts"];

/** Reads it from /proc; Linux only. */
function readProcess(pid: number): ProcessFacts {
  const file = (name: string): string => readFileSync(`/proc/${pid}/${name}`, "utf8");
  const link = (process: number | "self", name: string): string => readlinkSync(`/proc/${process}/ns/${name}`);
  return {
    residentBytes: readResidentBytes(pid),
    ownNamespaces: ifReadable(() => NAMESPACES.filter((name) => link(pid, name) !== link("self", name))),
    interfaces: ifReadable(() =>
      [...file("net/dev").matchAll(/^[ \t]*([^\s:]+):/gm)].map(([, name]) => name as string),
    ),
    hasNoNewPrivileges: ifReadable(() => /^NoNewPrivs:\s*1$/m.test(file("status"))),
    limits: ifReadable(() => parseLimits(file("limits"))),
  };
}

function ifReadable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Reads the columns of `/proc/PID/limits`: name, soft limit, hard limit, unit. */
export function parseLimits(text: string): Map<string, number | undefined> {
  const rows = text.matchAll(/^(Max(?: [a-z]+)+) {2,}(\d+|unlimited)\s/gm);
  return new Map([...rows].map(([, name, soft]) => [name as string, soft === "unlimited" ? undefined : Number(soft)]));
}

/** One command that confines a process, tried by itself. */
export interface ConfinementTrial {
  command: "prlimit" | "setpriv" | "unshare";
  /** Why it does not work here; absent where it does. */
  refusal?: { reason: "missing" | "refused" | "no-linux"; said: string } | undefined;
}

const TRIAL_TIMEOUT_MS = 5_000;
const MOST_SAID = 200;

/** Tries each of them alone, so that what is missing has a reason. */
function tryConfinement(): Promise<ConfinementTrial[]> {
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
function listForbiddingSwitches(): string[] {
  return Object.entries(FORBIDDING_SWITCHES).flatMap(([name, value]) =>
    ifReadable(() => readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim()) === value
      ? [`${name}=${value}`]
      : [],
  );
}

/** What a process that is started just as a sandbox is can do: true is refused. */
export interface InsideFacts {
  refusesFiles: boolean;
  refusesProcesses: boolean;
  refusesWorkers: boolean;
  refusesAddons: boolean;
  refusesInspector: boolean;
  refusesCodeFromText: boolean;
  /** A connection to this very process, over the loopback. */
  refusesNetwork: boolean;
  /** Names of the variables that it has and should not have. */
  variables: string[];
}

type Answer = Omit<InsideFacts, "variables"> & { environment: Record<string, string> };

/** Harmless where nothing refuses them. The sandbox's own program has no way to say any of this, so it is asked of another one that is started by the same words. */
const QUESTIONS = `
const refuses = (action) => { try { action(); return false; } catch { return true; } };
const denies = (action) => {
  try { action(); return false; } catch (error) { return /^ERR_(ACCESS_DENIED|DLOPEN_DISABLED)$/.test(error.code); }
};
const answer = {
  refusesFiles: denies(() => require("fs").readFileSync(process.execPath, { flag: "r" })) &&
    denies(() => require("fs").writeFileSync("/dev/null", "")),
  refusesProcesses: denies(() => require("child_process").spawnSync(process.execPath, ["--version"])),
  refusesWorkers: denies(() => new (require("worker_threads").Worker)("", { eval: true })),
  refusesAddons: denies(() => process.dlopen({ exports: {} }, "/codemode-doctor.node")),
  refusesInspector: denies(() => require("inspector").open(0)),
  refusesCodeFromText: refuses(() => new Function("return 1")) && refuses(() => (0, eval)("1")),
  environment: process.env,
};
const tell = (refusesNetwork) => {
  process.stdout.write(JSON.stringify({ ...answer, refusesNetwork }), () => process.exit(0));
};
const timer = setTimeout(tell, 1000, true);
try {
  const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1");
  socket.once("connect", () => tell(false));
  socket.once("error", () => tell(true));
} catch {
  tell(true);
}
`;
const ANSWER_TIMEOUT_MS = 10_000;

/** Starts such a process and asks it. Undefined where it does not answer. */
export async function askInside({ confinement, command, program }: LaunchPlan): Promise<InsideFacts | undefined> {
  const listener = createServer((socket) => socket.destroy());
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  try {
    const { port } = listener.address() as AddressInfo;
    const [node = "", ...flags] = program.slice(0, -1);
    const text = await printed([...confinement.launcher, ...command, node, ...flags, "-e", QUESTIONS, String(port)]);
    if (text === undefined) return undefined;
    const { environment, ...facts } = JSON.parse(text) as Answer;
    return { ...facts, variables: listForeignVariables(environment) };
  } finally {
    listener.close();
  }
}

/** Whether a process that is started with these words dies when this one is killed: `setpriv` can tell. */
async function asksToDieWithHost({ confinement }: Pick<LaunchPlan, "confinement">): Promise<boolean> {
  const setpriv = findCommand("setpriv");
  if (setpriv === undefined || confinement.launcher.length === 0) return false;
  return /^Parent death signal: KILL$/m.test((await printed([...confinement.launcher, setpriv, "--dump"])) ?? "");
}

function printed([command = "", ...args]: readonly string[]): Promise<string | undefined> {
  const options = { env: emptyEnvironment(), cwd: "/", timeout: ANSWER_TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
}

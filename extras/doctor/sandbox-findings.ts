import { basename } from "node:path";
import { assertSettingTrusted, ProjectUntrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { type Finding, info, ok, printBytes, problem, toFinding, type FoundState, warning } from "./doctor-report.ts";
import {
  type CommandFacts,
  type ConfinementTrial,
  type InsideFacts,
  probeSandbox,
  type SandboxFacts,
} from "./sandbox.ts";

/** Starts a sandbox with the limits of the configuration; a command that has no approval yet is not started. */
export async function lookAtSandbox(config: Config | undefined): Promise<Finding[]> {
  const { timeoutMs, maxMemoryBytes } = config?.limits ?? DEFAULTS.limits;
  const launch = { node: process.execPath, maxMemoryBytes };
  const maxCpuSeconds = Math.ceil(timeoutMs / 1000) + 5;
  if (config?.sandbox.command === undefined) return evaluateSandbox(await probeSandbox(launch, maxCpuSeconds));
  try {
    assertSettingTrusted(config, "sandbox.command");
  } catch (error) {
    if (!(error instanceof ProjectUntrusted)) throw error;
    return evaluateSandbox({ hasStarted: false, failure: error.message, hint: error.hint });
  }
  return evaluateSandbox(await probeSandbox({ ...launch, command: config.sandbox.command }, maxCpuSeconds));
}

/** The layers of SECURITY.md, each as it is in force on this machine. */
export function evaluateSandbox(facts: SandboxFacts): Finding[] {
  if (!facts.hasStarted) return [toFinding("sandbox.start", "start", problem(facts.failure, facts.hint))];
  const residentBytes = facts.process?.residentBytes;
  const held = residentBytes === undefined ? "" : ` and holds ${printBytes(residentBytes)}`;
  const known = residentBytes === undefined ? undefined : { residentBytes };
  return [
    toFinding("sandbox.start", "start", ok(`a sandbox process starts${held}`), known),
    ...evaluateInside(facts.inside, facts.command),
    evaluateNetwork(facts),
    ...(facts.command === undefined ? evaluateKernel(facts) : evaluateCommand(facts.command, facts.diesWithHost)),
    evaluateCache(facts),
  ];
}

type Started = SandboxFacts & { hasStarted: true };

/** One layer: how it is where it holds, and what is to be said where it does not. */
function layer(
  id: string,
  subject: string,
  isActive: boolean,
  { active, lack, facts }: { active: string; lack: FoundState; facts?: JsonObject },
): Finding {
  return toFinding(id, subject, isActive ? ok(active) : lack, { isActive, ...facts });
}

/** Layers 2 and 3: what Node itself refuses. Without one of these a sandbox is none. */
function evaluateInside(inside: InsideFacts | undefined, command: CommandFacts | undefined): Finding[] {
  if (inside === undefined) {
    const found = "the process that probes its permissions did not answer";
    const lack = problem(found, "Try another Node version (20.20 or later), and report this.");
    return [toFinding("sandbox.permissions", "permission model", lack)];
  }
  const open = [
    ...(inside.refusesFiles ? [] : ["files"]),
    ...(inside.refusesProcesses ? [] : ["processes"]),
    ...(inside.refusesWorkers ? [] : ["threads"]),
    ...(inside.refusesAddons ? [] : ["native code"]),
    ...(inside.refusesInspector ? [] : ["the inspector"]),
  ];
  const { variables } = inside;
  const hint = "Do not run untrusted scripts with this Node; install another version, and report this.";
  return [
    layer("sandbox.permissions", "permission model", open.length === 0, {
      active: "refuses files, processes, threads, native code and the inspector",
      lack: problem(`does not refuse ${open.join(", ")}`, hint),
    }),
    layer("sandbox.codeFromText", "code from text", inside.refusesCodeFromText, {
      active: "eval and Function create no code from text",
      lack: problem("eval creates code from text", hint),
    }),
    // The command gets none either: what there is, it has made itself.
    layer("sandbox.environment", "environment", variables.length === 0 || command !== undefined, {
      active: variables.length === 0 ? "empty" : `has ${variables.join(", ")}, as the command sets it`,
      lack: problem(`has ${variables.toSorted().join(", ")}`, "Start codemode without this wrapper of Node."),
    }),
  ];
}

function evaluateNetwork({ inside, process: seen, ...facts }: Started): Finding {
  const isRefused = inside?.refusesNetwork === true;
  if (facts.command !== undefined) {
    const lack = warning(
      "a script that leaves all inner layers can connect to this machine",
      "Give the command an option for it: `--network=none` of runsc, `--unshare-net` of bwrap.",
    );
    return layer("sandbox.network", "no network", isRefused, { active: "refuses to connect to this machine", lack });
  }
  const hasOwnNamespace = seen?.ownNamespaces?.includes("net") === true;
  return layer("sandbox.network", "no network", isRefused, {
    active: hasOwnNamespace
      ? `a network of its own (${seen?.interfaces?.join(", ") || "empty"}), without a route to others`
      : `${facts.hasProfile === true ? "sandbox-exec" : "Node"} refuses it`,
    lack: facts.hasProfile === undefined ? explainRefusal("unshare", facts) : NO_PROFILE,
    facts: { hasOwnNamespace },
  });
}

/** Layer 4, as codemode has the kernel hold it. On macOS the profile stands for namespaces and privileges. */
function evaluateKernel(facts: Started): Finding[] {
  const { hasProfile, process: seen, diesWithHost } = facts;
  const own = (seen?.ownNamespaces ?? []).filter((name) => name !== "net");
  const profile = layer("sandbox.profile", "profile of macOS", hasProfile === true, {
    active: "sandbox-exec refuses connections, written files, other programs and services of the system",
    lack: NO_PROFILE,
  });
  const namespaces = layer("sandbox.namespaces", "namespaces", own.length > 0, {
    active: `of its own: ${own.join(", ")}`,
    lack: explainRefusal("unshare", facts),
    facts: { own },
  });
  const privileges = layer("sandbox.privileges", "no new privileges", seen?.hasNoNewPrivileges === true, {
    active: "programs that it starts gain no privileges",
    lack: explainRefusal("setpriv", facts),
  });
  const hostDeath = layer("sandbox.hostDeath", "death with codemode", diesWithHost, {
    active: "the kernel kills it when codemode is killed",
    lack: explainRefusal("setpriv", facts),
  });
  return [...(hasProfile === undefined ? [namespaces, privileges] : [profile]), hostDeath, evaluateLimits(facts)];
}

const NO_PROFILE = warning(
  "not active: Node does not start under sandbox-exec here",
  "Start codemode outside of other sandboxes; for untrusted scripts, run it in a container (docs/containers.md).",
);

/** Under `sandbox.command` layer 4 is the command's: what codemode cannot know of it is said. */
function evaluateCommand({ program, showsMemory }: CommandFacts, diesWithHost: boolean): Finding[] {
  const name = basename(program);
  const found = `${name} starts the sandboxes; namespaces, privileges and limits of the kernel are what it makes of them`;
  return [
    toFinding("sandbox.command", "sandbox.command", info(found)),
    layer("sandbox.memory", "memory", showsMemory, {
      active: `watched in the processes below ${name}`,
      lack: warning(
        `${name} does not show its sandbox's memory: only V8 limits it, and buffers are beyond that`,
        "Give the command, its pod or its container a memory limit of its own.",
      ),
    }),
    layer("sandbox.hostDeath", "death with codemode", diesWithHost, {
      active: `the kernel kills ${name} when codemode is killed`,
      lack: warning("nothing ends a busy sandbox when codemode is killed", "Install util-linux, for setpriv."),
    }),
  ];
}

/** The limits that `prlimit` sets, by the name of the kernel. */
const LIMITS = {
  "Max data size": "memory",
  "Max cpu time": "processor time",
  "Max open files": "open files",
  "Max file size": "written files",
  "Max core file size": "core dumps",
} as const;
/** Everybody has some limit of these: only one as low as ours counts. */
const MOST_OPEN_FILES = 64;

function evaluateLimits({ process: seen, ...facts }: Started): Finding {
  const isHeld = (name: string): boolean => {
    const limit = seen?.limits?.get(name);
    return limit !== undefined && (name !== "Max open files" || limit <= MOST_OPEN_FILES);
  };
  const held = Object.entries(LIMITS).flatMap(([name, word]) => (isHeld(name) ? [word] : []));
  return layer("sandbox.limits", "limits of the kernel", held.length === Object.keys(LIMITS).length, {
    active: held.join(", "),
    lack: explainRefusal("prlimit", facts),
    facts: { held },
  });
}

function evaluateCache({ cache: { isUsable, isFilled } }: Started): Finding {
  return layer("sandbox.compileCache", "compile cache", isUsable, {
    active: isFilled ? "used" : "was empty and is now filled",
    lack: warning(
      "not used: its folder cannot be created, or is open to other accounts",
      "Restrict the cache folder to your account, or set another one in XDG_CACHE_HOME.",
    ),
    facts: { isUsable, wasFilled: isFilled },
  });
}

/** Says why a layer of the operating system is not there, and what it would need. */
function explainRefusal(
  command: ConfinementTrial["command"],
  { trials, switches }: Pick<Started, "trials" | "switches">,
): FoundState {
  const refusal = trials.find((trial) => trial.command === command)?.refusal;
  switch (refusal?.reason) {
    case "no-linux":
      return warning(
        "not active: available on Linux only",
        "For untrusted scripts, run codemode on Linux (docs/containers.md).",
      );
    case "missing":
      return warning(`not active: there is no ${command} in /usr/bin`, "Install the package util-linux.");
    case "refused":
      return warning(
        `not active: the system refuses ${command}${refusal.said === "" ? "" : ` (${refusal.said})`}`,
        command === "unshare" ? mendNamespaces(switches) : `Allow ${command} here (docs/containers.md).`,
      );
    case undefined:
      return warning(
        `not active, although ${command} works on its own`,
        "Try again; if the problem remains, report it with the output of `codemode doctor --json`.",
      );
  }
}

function mendNamespaces(switches: readonly string[]): string {
  if (switches.length === 0) return "Let the container or the kernel allow user namespaces (docs/containers.md).";
  return `The kernel forbids it to ordinary users: ${switches.join(", ")}; change that with sysctl, or use a container that allows it.`;
}

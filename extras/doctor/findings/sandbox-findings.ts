import { basename } from "node:path";
import type { Finding } from "../doctor-report.ts";
import type { InsideFacts } from "../probes/ask-inside.ts";
import type { CommandFacts, SandboxFacts } from "../probes/probe-sandbox.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { printBytes } from "./print-amounts.ts";

/** The layers of SECURITY.md, each as it is in force on this machine. */
export function evaluateSandbox(facts: SandboxFacts): Finding[] {
  if (!facts.hasStarted) {
    return [{ id: "sandbox.start", status: "problem", subject: "start", found: facts.failure, hint: facts.hint }];
  }
  const start = facts.process === undefined ? {} : { facts: { residentBytes: facts.process.residentBytes } };
  const held = facts.process === undefined ? "" : ` and holds ${printBytes(facts.process.residentBytes)}`;
  return [
    { id: "sandbox.start", status: "ok", subject: "start", found: `a sandbox process starts${held}`, ...start },
    ...evaluateInside(facts.inside, facts.command),
    evaluateNetwork(facts),
    ...(facts.command === undefined ? evaluateKernel(facts) : evaluateCommand(facts.command, facts.diesWithHost)),
    evaluateCache(facts),
  ];
}

/** Layer 4, as codemode has the kernel hold it. */
function evaluateKernel(facts: Started): Finding[] {
  const around =
    facts.hasProfile === undefined ? [evaluateNamespaces(facts), evaluatePrivileges(facts)] : [evaluateProfile(facts)];
  return [...around, evaluateHostDeath(facts), evaluateLimits(facts)];
}

/** What stands for namespaces and privileges on macOS. */
function evaluateProfile({ hasProfile }: Started): Finding {
  return layer("sandbox.profile", "profile of macOS", {
    active: "sandbox-exec refuses connections, written files, other programs and services of the system",
    warning: hasProfile === true ? undefined : NO_PROFILE,
  });
}

const NO_PROFILE = {
  found: "not active: Node does not start under sandbox-exec here",
  hint: "Start codemode outside of other sandboxes; for untrusted scripts, run it in a container (docs/containers.md).",
};

/** Under `sandbox.command` layer 4 is the command's: what codemode cannot know of it is said. */
function evaluateCommand({ program, showsMemory }: CommandFacts, diesWithHost: boolean): Finding[] {
  const name = basename(program);
  return [
    {
      id: "sandbox.command",
      status: "info",
      subject: "sandbox.command",
      found: `${name} starts the sandboxes; namespaces, privileges and limits of the kernel are what it makes of them`,
    },
    layer("sandbox.memory", "memory", {
      active: `watched in the processes below ${name}`,
      warning: showsMemory
        ? undefined
        : {
            found: `${name} does not show its sandbox's memory: only V8 limits it, and buffers are beyond that`,
            hint: "Give the command, its pod or its container a memory limit of its own.",
          },
    }),
    layer("sandbox.hostDeath", "death with codemode", {
      active: `the kernel kills ${name} when codemode is killed`,
      warning: diesWithHost
        ? undefined
        : { found: "nothing ends a busy sandbox when codemode is killed", hint: "Install util-linux, for setpriv." },
    }),
  ];
}

type Started = SandboxFacts & { hasStarted: true };

/** Layers 2 and 3: what Node itself refuses. Without one of these a sandbox is none. */
function evaluateInside(inside: InsideFacts | undefined, command: CommandFacts | undefined): Finding[] {
  if (inside === undefined) {
    return [
      {
        id: "sandbox.permissions",
        status: "problem",
        subject: "permission model",
        found: "the process that probes its permissions did not answer",
        hint: "Try another Node version (20.20 or later), and report this.",
      },
    ];
  }
  const open = [
    ...(inside.refusesFiles ? [] : ["files"]),
    ...(inside.refusesProcesses ? [] : ["processes"]),
    ...(inside.refusesWorkers ? [] : ["threads"]),
    ...(inside.refusesAddons ? [] : ["native code"]),
    ...(inside.refusesInspector ? [] : ["the inspector"]),
  ];
  const hint = "Do not run untrusted scripts with this Node; install another version, and report this.";
  return [
    layer("sandbox.permissions", "permission model", {
      active: "refuses files, processes, threads, native code and the inspector",
      problem: open.length === 0 ? undefined : { found: `does not refuse ${open.join(", ")}`, hint },
    }),
    layer("sandbox.codeFromText", "code from text", {
      active: "eval and Function create no code from text",
      problem: inside.refusesCodeFromText ? undefined : { found: "eval creates code from text", hint },
    }),
    layer("sandbox.environment", "environment", {
      // The command gets none either: what there is, it has made itself.
      active: inside.variables.length === 0 ? "empty" : `has ${inside.variables.join(", ")}, as the command sets it`,
      problem:
        inside.variables.length === 0 || command !== undefined
          ? undefined
          : {
              found: `has ${inside.variables.toSorted().join(", ")}`,
              hint: "Start codemode without this wrapper of Node.",
            },
    }),
  ];
}

function evaluateNetwork({ inside, process: seen, ...facts }: Started): Finding {
  if (facts.command !== undefined) {
    const found = "a script that leaves all inner layers can connect to this machine";
    const hint = "Give the command an option for it: `--network=none` of runsc, `--unshare-net` of bwrap.";
    return layer("sandbox.network", "no network", {
      active: "refuses to connect to this machine",
      warning: inside?.refusesNetwork === true ? undefined : { found, hint },
    });
  }
  const isOwn = seen?.ownNamespaces?.includes("net") === true;
  const interfaces = seen?.interfaces ?? [];
  const by = isOwn
    ? `a network of its own (${interfaces.join(", ") || "empty"}), without a route to others`
    : `${facts.hasProfile === true ? "sandbox-exec" : "Node"} refuses it`;
  const lack = facts.hasProfile === undefined ? explainRefusal("unshare", facts) : NO_PROFILE;
  return layer("sandbox.network", "no network", {
    active: by,
    warning: inside?.refusesNetwork === true ? undefined : lack,
    facts: { hasOwnNamespace: isOwn },
  });
}

function evaluateNamespaces({ process: seen, ...facts }: Started): Finding {
  const own = (seen?.ownNamespaces ?? []).filter((name) => name !== "net");
  return layer("sandbox.namespaces", "namespaces", {
    active: `of its own: ${own.join(", ")}`,
    warning: own.length > 0 ? undefined : explainRefusal("unshare", facts),
    facts: { own },
  });
}

function evaluatePrivileges({ process: seen, ...facts }: Started): Finding {
  return layer("sandbox.privileges", "no new privileges", {
    active: "programs that it starts gain no privileges",
    warning: seen?.hasNoNewPrivileges === true ? undefined : explainRefusal("setpriv", facts),
  });
}

function evaluateHostDeath({ diesWithHost, ...facts }: Started): Finding {
  return layer("sandbox.hostDeath", "death with codemode", {
    active: "the kernel kills it when codemode is killed",
    warning: diesWithHost ? undefined : explainRefusal("setpriv", facts),
  });
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
  const limits = seen?.limits ?? new Map<string, number | undefined>();
  const isHeld = (name: string): boolean => {
    const limit = limits.get(name);
    return limit !== undefined && (name !== "Max open files" || limit <= MOST_OPEN_FILES);
  };
  const held = Object.entries(LIMITS).flatMap(([name, word]) => (isHeld(name) ? [word] : []));
  return layer("sandbox.limits", "limits of the kernel", {
    active: held.join(", "),
    warning: held.length === Object.keys(LIMITS).length ? undefined : explainRefusal("prlimit", facts),
    facts: { held },
  });
}

function evaluateCache({ cache }: Started): Finding {
  const { isUsable, isFilled } = cache;
  const hint = "Restrict the cache folder to your account, or set another one in XDG_CACHE_HOME.";
  return layer("sandbox.compileCache", "compile cache", {
    active: isFilled ? "used" : "was empty and is now filled",
    warning: isUsable
      ? undefined
      : { found: "not used: its folder cannot be created, or is open to other accounts", hint },
    facts: { isUsable, wasFilled: isFilled },
  });
}

interface Lack {
  found: string;
  hint: string;
}

interface Layer {
  active: string;
  warning?: Lack | undefined;
  problem?: Lack | undefined;
  facts?: Finding["facts"] | undefined;
}

function layer(id: string, subject: string, { active, warning, problem, facts }: Layer): Finding {
  const lack = problem ?? warning;
  const known = { isActive: lack === undefined, ...facts };
  if (lack === undefined) return { id, status: "ok", subject, found: active, facts: known };
  return { id, status: problem === undefined ? "warning" : "problem", subject, ...lack, facts: known };
}

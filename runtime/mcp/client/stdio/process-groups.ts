import { spawnSync, spawn, type ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { windowsProgram } from "../windows-program.ts";

/**
 * Every server leads a process group of its own, so that what it started can be ended with it. This file knows the living
 * groups and ends them at every end of this process that it can notice; the guardian handles the others.
 */
const livingGroups = new Set<number>();

/** The signals that end a process by default and can be listened to. */
const DEADLY_SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;

/** Whether a child must be spawned `detached` to lead a group; Windows has process trees instead. */
export const LEADS_GROUP = process.platform !== "win32";

/** From now on the group of this leader does not outlive this process. */
export function guardGroup(leader: number): void {
  if (livingGroups.size === 0) listen();
  livingGroups.add(leader);
  entrustGroup(leader);
}

/** Ends what is left of a group whose leader is gone, and forgets it. */
export function endGroup(leader: number): void {
  signalGroup(leader, "SIGKILL");
  if (!livingGroups.delete(leader)) return;
  releaseGroup(leader);
  if (livingGroups.size === 0) stopListening();
}

/** Sends a signal to all processes of a group; it does not matter when there is none any more. */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (!LEADS_GROUP) {
    // Without /F Windows asks windows to close, which console programs do not have.
    spawnSync(windowsProgram(["System32", "taskkill.exe"]), ["/PID", String(leader), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    return;
  }
  try {
    process.kill(-leader, signal);
  } catch {
    // ESRCH: all gone already
  }
}

/** Settles when no process of the group is left, or the time limit is reached: SIGKILL is fast, but not at once. */
export async function waitForGroupEnd(leader: number, timeLimitMs: number): Promise<void> {
  const deadline = performance.now() + timeLimitMs;
  while (LEADS_GROUP && performance.now() < deadline) {
    try {
      process.kill(-leader, 0);
    } catch {
      return;
    }
    await delay(5);
  }
}

function endAllGroups(): void {
  for (const leader of livingGroups) endGroup(leader);
}

/**
 * A signal ends this process without an `exit` event unless there is a listener. Where the program has its own
 * listener, that one decides, and `exit` follows; where we are the only one, the signal must still be deadly.
 */
function onDeadlySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endAllGroups();
  process.removeListener(signal, onDeadlySignal);
  process.kill(process.pid, signal);
}

function listen(): void {
  process.on("exit", endAllGroups);
  // First, so that a listener which the program added with `once` still counts.
  for (const signal of DEADLY_SIGNALS) process.prependListener(signal, onDeadlySignal);
}

function stopListening(): void {
  dismissGuardian();
  process.removeListener("exit", endAllGroups);
  for (const signal of DEADLY_SIGNALS) process.removeListener(signal, onDeadlySignal);
}

/**
 * A tiny shell that outlives this process just long enough to end the groups that it left, where this process had no
 * chance to do so itself: SIGKILL, a crash of Node, a machine short of memory. It learns of the end by the end of its stdin.
 * The second of grace is for servers that are about to leave because their own stdin has ended.
 */
const GUARDIAN_PROGRAM = `
groups=" "
while read -r verb group; do
  case $verb in
    +) groups="$groups$group " ;;
    -) kept=" "
       for one in $groups; do [ "$one" = "$group" ] || kept="$kept$one "; done
       groups=$kept ;;
  esac
done
[ "$groups" = " " ] && exit 0
sleep 1
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done
`;

let guardian: ChildProcess | undefined;

/** Tells the guardian of a new group, and starts it for the first. Without a POSIX shell there is no guardian. */
function entrustGroup(leader: number): void {
  guardian ??= startGuardian();
  guardian?.stdin?.write(`+ ${leader}\n`);
}

/** The group is gone: its number may soon be another one's. */
function releaseGroup(leader: number): void {
  guardian?.stdin?.write(`- ${leader}\n`);
}

/** No group is left to guard. */
function dismissGuardian(): void {
  guardian?.stdin?.end();
  guardian = undefined;
}

function startGuardian(): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  const shell = spawn("/bin/sh", ["-c", GUARDIAN_PROGRAM], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    // A group of its own: a Ctrl-C in the terminal is not for it.
    detached: true,
  });
  shell.on("error", () => undefined);
  // Without a free file descriptor it has no streams, which the types do not say.
  if ((shell.stdin as unknown) === undefined) return undefined;
  shell.stdin.on("error", () => undefined);
  // It must not keep this process from ending; its stdin is a socket, which the types do not say.
  shell.unref();
  const stdin: object = shell.stdin;
  (stdin as { unref?: () => void }).unref?.();
  return shell;
}

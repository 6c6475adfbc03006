import { spawn, type ChildProcess } from "node:child_process";

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
export function entrustGroup(leader: number): void {
  guardian ??= startGuardian();
  guardian?.stdin?.write(`+ ${leader}\n`);
}

/** The group is gone: its number may soon be another one's. */
export function releaseGroup(leader: number): void {
  guardian?.stdin?.write(`- ${leader}\n`);
}

/** No group is left to guard. */
export function dismissGuardian(): void {
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
  shell.stdin.on("error", () => undefined);
  // It must not keep this process from ending; its stdin is a socket, which the types do not say.
  shell.unref();
  const stdin: object = shell.stdin;
  (stdin as { unref?: () => void }).unref?.();
  return shell;
}

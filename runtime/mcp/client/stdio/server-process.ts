import { planServerEnvironment } from "../server-environment.ts";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import type { StdioTarget } from "../server-target.ts";
import { endGroup, guardGroup, LEADS_GROUP, signalGroup, waitForGroupEnd } from "./process-groups.ts";
import { settlesWithin } from "../settles-within.ts";
import { statSync } from "node:fs";
import { win32 } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { ChunkMask } from "../../../../schemas/secrets/mask-values.ts";

/** How a process ended: one of the two is not null. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long a server may take to leave, in milliseconds. */
interface ShutdownTimeouts {
  /** After its stdin has ended, before SIGTERM. */
  stdinEnd: number;
  /** After SIGTERM, before SIGKILL. */
  sigterm: number;
}

export const GRACEFUL_SHUTDOWN: ShutdownTimeouts = { stdinEnd: 1_500, sigterm: 1_000 };

/** For a server that never became ready: there is nothing that it could have to save. */
export const FAST_SHUTDOWN: ShutdownTimeouts = { stdinEnd: 0, sigterm: 500 };

/** A running server, its pipes, and its end. */
export interface ServerProcess {
  stdin: Writable;
  stdout: Readable;
  /** Resolves when the process has ended; then the rest of its group is gone too. */
  exited: Promise<ProcessExit>;
  /** Resolves a little later, when all that it wrote has been read. */
  silent: Promise<void>;
  /** The last of stderr, as `stderr` keeps it. */
  readStderr(): string;
  /** From now on this process waits for the server. */
  ref(): void;
  /** From now on this process may end without it. */
  unref(): void;
  /** Ends it: stdin, then SIGTERM, then SIGKILL to the whole group. Settles when it is gone. */
  shutdown(timeouts: ShutdownTimeouts): Promise<void>;
}

/** Thrown by `startServerProcess`, without any text of the system's error, which may quote arguments. */
export class StartFailure extends Error {
  readonly reason: "command-not-found" | "no-free-file" | "no-such-folder" | "not-executable" | "refused";

  constructor(reason: StartFailure["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** In UTF-16 units: more than is shown, because signs of a terminal are taken out of it. */
const OUTPUT_KEPT = 16 * 1024;

/** After its exit only a process outside of its group can still hold a server's pipes: they are given this long. */
const PIPE_TIMEOUT_MS = 500;

/** A killed process that does not end hangs in the kernel, so waiting is pointless. */
const KILL_TIMEOUT_MS = 2_000;

/** Killed orphans die at once, but stay listed until the first process of the system notices: no reason to wait long. */
const GROUP_TIMEOUT_MS = 100;

/** What is needed of a target to start its program. */
type Program = Pick<StdioTarget, "command" | "args" | "env" | "inheritEnv" | "cwd">;

/**
 * Spawns the command in a process group of its own, with a short environment. Throws `StartFailure`.
 * @param stderr keeps the last of what it writes there
 */
export async function startServerProcess(target: Program, stderr = new TextTail()): Promise<ServerProcess> {
  const child = await spawnChild(target);
  const leader = child.pid as number;
  child.stderr.on("data", (chunk: Buffer) => stderr.append(chunk));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);

  const exited = new Promise<ProcessExit>((resolve) => {
    child.once("exit", (code, signal) => {
      endGroup(leader);
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, PIPE_TIMEOUT_MS).unref();
      resolve({ code, signal });
    });
  });

  const silent = new Promise<void>((resolve) => child.once("close", () => resolve()));

  async function shutdown(timeouts: ShutdownTimeouts): Promise<void> {
    child.stdin.end();
    if (!(await settlesWithin(exited, timeouts.stdinEnd))) signalGroup(leader, "SIGTERM");
    if (!(await settlesWithin(exited, timeouts.sigterm))) signalGroup(leader, "SIGKILL");
    await settlesWithin(exited, KILL_TIMEOUT_MS);
    await waitForGroupEnd(leader, GROUP_TIMEOUT_MS);
  }

  // The pipes are sockets, which the types do not say.
  const handles = [child, child.stdin, child.stdout, child.stderr] as { ref?: () => void; unref?: () => void }[];
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    silent,
    readStderr: () => stderr.text(),
    ref: () => handles.forEach((handle) => handle.ref?.()),
    unref: () => handles.forEach((handle) => handle.unref?.()),
    shutdown,
  };
}

async function spawnChild(target: Program): Promise<ChildProcessByStdio<Writable, Readable, Readable>> {
  let child: ChildProcessByStdio<Writable, Readable, Readable>;
  const env = planServerEnvironment(target.env, target.inheritEnv);
  const place = { platform: process.platform, env, cwd: target.cwd, isFile: isFileAt };
  const planned = planCommand(target.command, target.args, place);
  if (planned === undefined) throw new StartFailure("refused");
  try {
    child = spawn(planned.file, planned.args, {
      cwd: target.cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: LEADS_GROUP,
      windowsHide: true,
      windowsVerbatimArguments: planned.isVerbatim,
    });
  } catch {
    throw new StartFailure("refused"); // for instance a NUL in an argument
  }
  if (child.pid !== undefined) guardGroup(child.pid);
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.on("error", (error: NodeJS.ErrnoException) => {
      void explainSpawnError(error.code, target.cwd).then((reason) => reject(new StartFailure(reason)));
    });
  });
}

/** A missing folder and a missing command are the same error for the system. */
async function explainSpawnError(code: string | undefined, cwd: string): Promise<StartFailure["reason"]> {
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) return "no-such-folder";
  if (code === "ENOENT") return "command-not-found";
  if (code === "EMFILE" || code === "ENFILE") return "no-free-file";
  return code === "EACCES" ? "not-executable" : "refused";
}

/** Keeps the last of an endless stream of UTF-8 in constant memory. Values are masked before it is cut: the half of one would not be found. */
export class TextTail {
  readonly #mask: ChunkMask | undefined;
  readonly #limit: number;
  readonly #decoder = new StringDecoder("utf8");
  #kept = "";

  /** @param limit in UTF-16 units */
  constructor(mask?: ChunkMask, limit = OUTPUT_KEPT) {
    this.#mask = mask;
    this.#limit = limit;
  }

  append(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    this.#keep(this.#mask?.push(text) ?? text);
  }

  /** What there is by now, with what waits for its rest. */
  text(): string {
    this.#keep(this.#mask?.end() ?? "");
    return this.#kept;
  }

  #keep(text: string): void {
    this.#kept = `${this.#kept}${text}`.slice(-this.#limit);
  }
}

/** What `spawn` is called with. */
interface PlannedCommand {
  file: string;
  args: string[];
  /** The arguments are one command line already; Windows only. */
  isVerbatim: boolean;
}

/** The machine that a command is planned for. */
export interface CommandPlace {
  platform: NodeJS.Platform;
  /** What the server gets. */
  env: Readonly<Record<string, string>>;
  /** Relative commands belong to it. */
  cwd: string;
  isFile: (path: string) => boolean;
}

/** The extensions that `PATHEXT` has on every Windows; others need a program of their own. */
const EXTENSIONS = [".com", ".exe", ".bat", ".cmd"];

/**
 * How a command is started without a shell between it and its arguments. Windows starts `.exe` files only: `npx` is `npx.cmd`
 * there, which Node refuses to spawn (CVE-2024-27980), so that `cmd.exe` runs it, with arguments that it cannot misread.
 * @returns undefined for arguments that cannot be passed to a batch file
 */
export function planCommand(command: string, args: readonly string[], place: CommandPlace): PlannedCommand | undefined {
  const plain = { file: command, args: [...args], isVerbatim: false };
  if (place.platform !== "win32") return plain;
  const file = findFile(command, place);
  if (file === undefined || !/\.(?:bat|cmd)$/i.test(file)) return file === undefined ? plain : { ...plain, file };
  const words = [file, ...args];
  // A file name can hold no quote; `cmd.exe` ends a command at a line break.
  if (words.some((word) => /[\0\r\n]/.test(word)) || file.includes('"')) return undefined;
  const line = words.map(quoteForBatch).join(" ");
  const shell = win32.join(valueOf(place.env, "SystemRoot") ?? "C:\\Windows", "System32", "cmd.exe");
  return { file: shell, args: ["/e:on", "/v:off", "/d", "/c", `"${line}"`], isVerbatim: true };
}

/** Looked up as `cmd.exe` does, except for the working folder: a project must not be able to slip in another program. */
function findFile(command: string, { env, cwd, isFile }: CommandPlace): string | undefined {
  const hasExtension = EXTENSIONS.includes(win32.extname(command).toLowerCase());
  const names = hasExtension ? [command] : EXTENSIONS.map((extension) => command + extension);
  if (/[\\/:]/.test(command)) return names.map((name) => win32.resolve(cwd, name)).find(isFile);
  const folders = (valueOf(env, "PATH") ?? "").split(";").map((folder) => folder.replaceAll('"', ""));
  const paths = folders.filter(isRooted).flatMap((folder) => names.map((name) => win32.join(folder, name)));
  return paths.find(isFile);
}

function isRooted(folder: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(folder);
}

/** Names of variables have no case on Windows. */
function valueOf(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * An argument as `cmd.exe` and then the program read it: quoted, so that no sign in it is an operator; with quotes doubled, and the backslashes
 * in front of them; and with `%` followed by a variable part that is empty, so that no variable is filled in.
 */
function quoteForBatch(argument: string): string {
  const quoted = argument.replace(/(?<!\\)(\\*)"/g, '$1$1""').replace(/(?<!\\)(\\+)$/, "$1$1");
  return `"${quoted.replaceAll("%", "%%cd:~,%")}"`;
}

/** Whether there is a file at a path. */
function isFileAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

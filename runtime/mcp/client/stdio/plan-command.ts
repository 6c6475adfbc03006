import { statSync } from "node:fs";
import { win32 } from "node:path";

/** What `spawn` is called with. */
export interface PlannedCommand {
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
  const quoted = argument.replace(/(\\*)"/g, '$1$1""').replace(/(\\+)$/, "$1$1");
  return `"${quoted.replaceAll("%", "%%cd:~,%")}"`;
}

/** Whether there is a file at a path. */
export function isFileAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

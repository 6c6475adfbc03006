import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

const POLL_MS = 10;
/** Where there is no /proc a process must be started to ask, which takes 8 ms. */
const SLOW_POLL_MS = 200;

/**
 * Calls `onExceeded` once when the process holds more than so many bytes of memory. The function returned ends the watch. Windows has no program
 * to ask: there V8's own limits hold alone.
 */
export function watchMemory(
  pid: number,
  maxBytes: number,
  onExceeded: () => void,
  platform: NodeJS.Platform = process.platform,
): () => void {
  if (platform === "win32") return () => undefined;
  const isLinux = platform === "linux";
  const check = (bytes: number): void => {
    if (bytes <= maxBytes) return;
    clearInterval(interval);
    onExceeded();
  };
  const poll = isLinux ? () => check(readResidentBytes(pid)) : () => void askResidentBytes(pid).then(check);
  const interval = setInterval(poll, isLinux ? POLL_MS : SLOW_POLL_MS);
  return () => clearInterval(interval);
}

/** The memory that a process holds now, in bytes; 0 when it is gone, and where there is no /proc. To print `statm` takes the kernel a third of the time of `status`. */
export function readResidentBytes(pid: number): number {
  const pages = readResidentPages(pid);
  return pages === 0 ? 0 : pages * (pageBytes ??= findPageBytes());
}

/** Of 4, 16 or 64 KiB. */
let pageBytes: number | undefined;

function findPageBytes(): number {
  return 2 ** Math.round(Math.log2(process.memoryUsage.rss() / readResidentPages(process.pid)));
}

function readResidentPages(pid: number): number {
  const [, pages = 0] = readProcess(pid, "statm").split(" ");
  return Number(pages);
}

/** The size of a process's data segment, in bytes, which RLIMIT_DATA counts; undefined where it is not known. */
export function readDataBytes(pid: number): number | undefined {
  const kibibytes = /^VmData:\s+(\d+) kB$/m.exec(readProcess(pid, "status"))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** Empty where the process is gone. */
function readProcess(pid: number, file: "statm" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function askResidentBytes(pid: number): Promise<number> {
  return new Promise((resolve) => {
    execFile("/bin/ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) =>
      resolve(error === null ? Number(stdout) * 1024 : 0),
    );
  });
}

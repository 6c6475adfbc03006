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

/** The memory that a process holds now, in bytes; 0 when it is gone. Linux only. */
export function readResidentBytes(pid: number): number {
  return readStatus(pid, "VmRSS") ?? 0;
}

/** The size of a process's data segment, in bytes, which RLIMIT_DATA counts; undefined where it is not known. */
export function readDataBytes(pid: number): number | undefined {
  return readStatus(pid, "VmData");
}

/** In bytes, which `statm` counts in pages of 4, 16 or 64 KiB. */
function readStatus(pid: number, field: "VmRSS" | "VmData"): number | undefined {
  try {
    const kibibytes = STATUS[field].exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

const STATUS = { VmRSS: /^VmRSS:\s+(\d+) kB$/m, VmData: /^VmData:\s+(\d+) kB$/m };

function askResidentBytes(pid: number): Promise<number> {
  return new Promise((resolve) => {
    execFile("/bin/ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) =>
      resolve(error === null ? Number(stdout) * 1024 : 0),
    );
  });
}

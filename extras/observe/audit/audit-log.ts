import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { assertOutputKind } from "../../../engine/project/output-file.ts";
import type { AuditEvent, AuditLine } from "./audit-line.ts";
import { escapeInvisible } from "../../../schemas/json/escape-invisible.ts";

/** A file to which lines are added. */
export interface AuditLog {
  /** Opens the file, and says whether it can be written. */
  prepare(): boolean;
  /** Writes one line, and says whether it was written. Any number of processes may share the file. */
  write(event: AuditEvent): boolean;
  /** Counts as a line that could not be written: it could not be made. */
  fail(error: unknown): void;
  /** Whether the last line could not be written. */
  isBroken(): boolean;
  /** Calls back when a line could not be written; returns what takes the listener away again. */
  onBroken(listener: () => void): () => void;
  close(): void;
}

const OWNER_ONLY = 0o600;

/**
 * Makes a log that opens its file when there is a line to write.
 * @param mask masks the secrets of the project
 * @param onProblem reports why nothing can be written, once until it works again
 */
export function makeAuditLog(
  file: string,
  mask: <Value>(value: Value) => Value,
  onProblem: (reason: string) => void,
): AuditLog {
  const listeners = new Set<() => void>();
  let open: { fd: number; inode: number } | undefined;
  let isBroken = false;
  /** How the file ends: part of a line stands there where the disk was full, or a process was killed. Any process may have written it. */
  let end: "whole" | "torn" | "unknown" = "unknown";

  const close = (): void => {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  };
  /** The file of that name: another one after it was rotated. */
  const descriptor = (): number => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (open !== undefined && found?.ino === open.inode) return open.fd;
    close();
    // Opening an unread pipe would block forever.
    if (found?.isFile() === false) throw new Error("it is not a file");
    if (found !== undefined) assertOutputKind(file, "audit log");
    const fd = openSync(file, "a", OWNER_ONLY);
    open = { fd, inode: fstatSync(fd).ino };
    end = "unknown";
    return fd;
  };
  const append = (text: string): void => {
    const fd = descriptor();
    const isTorn = end !== "whole" && (hasTornEnd(file) ?? end === "torn");
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    end = isTorn ? "torn" : "unknown";
    const written = writeSync(fd, bytes);
    end = written < bytes.length ? "torn" : "whole";
    if (written < bytes.length) throw new Error("only a part of a line was written");
  };
  const fail = (error: unknown): void => {
    const isNews = !isBroken;
    isBroken = true;
    for (const listener of listeners) listener();
    if (isNews) onProblem(error instanceof Error ? error.message : String(error));
  };

  const attempt = (write: () => void): boolean => {
    try {
      write();
      isBroken = false;
    } catch (error) {
      fail(error);
    }
    return !isBroken;
  };

  return {
    prepare: () => attempt(() => void descriptor()),
    write: (event) =>
      attempt(() => {
        const line: AuditLine = { v: 1, time: new Date().toISOString(), ...mask(event) };
        append(`${escapeInvisible(JSON.stringify(line))}\n`);
      }),
    fail,
    isBroken: () => isBroken,
    onBroken(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
  };
}

const LINE_FEED = 0x0a;

/** Whether a file ends in the middle of a line; undefined where it may be written, but not read. */
function hasTornEnd(file: string): boolean | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const last = Buffer.alloc(1);
    const count = readSync(fd, last, 0, 1, Math.max(fstatSync(fd).size - 1, 0));
    return count > 0 && last[0] !== LINE_FEED;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

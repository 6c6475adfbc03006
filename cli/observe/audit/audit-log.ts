import { closeSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import type { AuditEvent, AuditLine } from "../../../schemas/audit-line.ts";
import { escapeInvisible } from "../../../templates/text/visible-text.ts";

/** A file to which lines are added. */
export interface AuditLog {
  /** Opens the file, and says whether it can be written. */
  prepare(): boolean;
  /** Writes one line, and says whether it was written. Any number of processes may share the file. */
  write(event: AuditEvent): boolean;
  /** Whether the last line could not be written. */
  isBroken(): boolean;
  /** Calls back when a line could not be written; returns what takes the listener away again. */
  onBroken(listener: () => void): () => void;
  close(): void;
}

export interface AuditLogOptions {
  file: string;
  /** Masks the secrets of the project. */
  mask: <Value>(value: Value) => Value;
  /** Told why nothing can be written, once until it works again. */
  onProblem: (reason: string) => void;
}

const OWNER_ONLY = 0o600;

/** Makes a log that opens its file when there is a line to write. */
export function makeAuditLog({ file, mask, onProblem }: AuditLogOptions): AuditLog {
  const listeners = new Set<() => void>();
  let open: { fd: number; inode: number } | undefined;
  let isBroken = false;
  /** Part of a line stands at the end of the file: the disk was full. */
  let isTorn = false;

  const close = (): void => {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  };
  /** The file of that name: another one after it was rotated. */
  const descriptor = (): number => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (open !== undefined && found?.ino === open.inode) return open.fd;
    close();
    // To open a pipe that nobody reads would take for ever.
    if (found?.isFile() === false) throw new Error("it is not a file");
    const fd = openSync(file, "a", OWNER_ONLY);
    open = { fd, inode: fstatSync(fd).ino };
    return fd;
  };
  const append = (text: string): void => {
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    const written = writeSync(descriptor(), bytes);
    isTorn = written > 0 && written < bytes.length;
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
    isBroken: () => isBroken,
    onBroken(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
  };
}

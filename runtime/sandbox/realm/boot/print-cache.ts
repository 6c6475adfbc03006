import type { Programs } from "./programs.ts";
import { sendBytes } from "./wire.ts";

const { Buffer } = globalThis;

/** Sends what V8 has compiled so far, for the next start: each program's length (four bytes) and code. */
export function printCompileCache({ main, ses, realm, runtime }: Programs): void {
  for (const program of [main, ses, realm, runtime]) {
    const compiled = program.createCachedData();
    const length = Buffer.alloc(4);
    length.writeUInt32LE(compiled.length);
    sendBytes(length);
    sendBytes(compiled);
  }
}

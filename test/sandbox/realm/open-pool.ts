import { afterAll } from "vitest";
import { makeSandboxPool, type SandboxPool, type SandboxPoolOptions } from "../../../runtime/sandbox/pool/pool.ts";

/** A pool for the tests of a file or of a group, which is closed after them. */
export function openPool(options?: SandboxPoolOptions): SandboxPool {
  const pool = makeSandboxPool(options);
  afterAll(() => pool.close());
  return pool;
}

import { onTestFinished } from "vitest";
import { type CodeMode, codeMode, type CodeModeOptions, type OwnServers } from "codemode";

/** For tests of what happens outside of sandboxes: runs share a process, which takes a fraction of the time of one for each. */
export const SHARED_PROCESS = { isolation: "compartment" } as const;

/** An engine for the test at hand, which is closed after it. A program in JavaScript may give it anything. */
export async function openCodeMode<Context = unknown>(
  servers: object,
  options: CodeModeOptions<Context> = {},
): Promise<CodeMode<Context>> {
  const code = await codeMode<Context>(servers as OwnServers<Context>, { ...SHARED_PROCESS, ...options });
  onTestFinished(() => code.close());
  return code;
}

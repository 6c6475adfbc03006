import type { LockedTool } from "../../../schemas/lock/lockfile.ts";
import { emitSignature } from "../../../templates/emit-signature.ts";

/** Tools are values: the same tool has the same signature in every lockfile. */
const known = new WeakMap<LockedTool, string>();

/** The short TypeScript signature of a tool, made once. */
export function signatureOf(tool: LockedTool): string {
  const signature = known.get(tool) ?? emitSignature(tool);
  known.set(tool, signature);
  return signature;
}

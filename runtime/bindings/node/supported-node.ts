import { CodemodeError } from "../errors.ts";

/** The oldest Node that this package runs on, as in "engines" of its `package.json`. */
const OLDEST = { major: 20, minor: 20 };

/**
 * Throws on a Node that is too old, before a method that it lacks is called. Other engines name a Node that they are like, which says
 * nothing of what they have.
 */
export function assertSupportedNode(versions: Readonly<Record<string, string | undefined>> = process.versions): void {
  const { node = "", bun, deno } = versions;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (bun !== undefined || deno !== undefined) return;
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  const oldest = `${OLDEST.major}.${OLDEST.minor}`;
  throw new CodemodeError(`@codemode/runtime needs Node ${oldest} or later; this is Node ${node}.`, {
    hint: "Start the program with a later Node.",
  });
}

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where codemode keeps what belongs to the user and to no project (XDG base directory specification). */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env["XDG_STATE_HOME"];
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), ".local", "state");
  return join(base, "codemode");
}

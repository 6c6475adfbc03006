import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Where codemode keeps what belongs to the user and to no project (XDG base directory specification). Never below the working folder, which
 * may be a stranger's: a relative `XDG_STATE_HOME` or `HOME` does not count.
 */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env["XDG_STATE_HOME"];
  if (configured !== undefined && isAbsolute(configured)) return join(configured, "codemode");
  const home = homedir();
  return join(isAbsolute(home) ? home : userInfo().homedir, ".local", "state", "codemode");
}

/** Under which name the state folder has what belongs to a project folder, which is identified by its real path. */
export function stateName(folder: string): string {
  return createHash("sha256").update(realPath(folder)).digest("hex").slice(0, 32);
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

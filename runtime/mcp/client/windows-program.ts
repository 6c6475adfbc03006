import { win32 } from "node:path";

/**
 * A program of Windows by its full path. A bare name is looked for in the working folder first, which may be a stranger's project.
 * @param path below the system's folder: `System32`, `taskkill.exe`
 */
export function windowsProgram(path: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const [, folder] = Object.entries(env).find(([name]) => name.toUpperCase() === "SYSTEMROOT") ?? [];
  return win32.join(folder !== undefined && win32.isAbsolute(folder) ? folder : "C:\\Windows", ...path);
}

/**
 * What libuv adds to an environment that lacks it, on Windows. Node and the network of Windows need the folders of the system; the others tell
 * who uses this machine.
 */
const OF_THE_SYSTEM = ["SYSTEMDRIVE", "SYSTEMROOT", "WINDIR"];
const OF_THE_USER = ["HOMEDRIVE", "HOMEPATH", "LOGONSERVER", "PATH", "TEMP", "USERDOMAIN", "USERNAME", "USERPROFILE"];

/** The environment of a process that gets none of the host's: empty, and on Windows what would be added to it is empty. */
export function emptyEnvironment(platform: NodeJS.Platform = process.platform): Record<string, string> {
  return platform === "win32" ? Object.fromEntries(OF_THE_USER.map((name) => [name, ""])) : {};
}

/** The names of variables that such a process has, but should not have. */
export function listForeignVariables(
  environment: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const isExpected = (name: string, value: string): boolean =>
    platform === "win32" && (value === "" || OF_THE_SYSTEM.includes(name.toUpperCase()));
  return Object.entries(environment).flatMap(([name, value]) => (isExpected(name, value) ? [] : [name]));
}

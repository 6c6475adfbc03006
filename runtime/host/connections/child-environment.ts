/** What a server needs of the host to find programs and its user's folders; nothing in it is a credential. */
const INHERITED_POSIX = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
const INHERITED_WINDOWS = (
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMFILES " +
  "SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR"
).split(" ");

/** The whole environment of a server: the short list above, then what the configuration gives; nothing else of the host's. */
export function planChildEnvironment(
  configured: Readonly<Record<string, string>>,
  hostEnvironment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of platform === "win32" ? INHERITED_WINDOWS : INHERITED_POSIX) {
    const value = hostEnvironment[name];
    // Old shells exported functions as variables that start so: code, not data.
    if (value !== undefined && !value.startsWith("()")) environment[name] = value;
  }
  return { ...environment, ...configured };
}

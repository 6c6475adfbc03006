/** What a server needs to find programs and its user's folders; nothing in it is a credential. As codemode's host does it. */
const INHERITED =
  process.platform === "win32"
    ? (
        "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMFILES " +
        "SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR"
      ).split(" ")
    : ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/** The whole environment of a server: the short list above, then what the configuration gives. */
export function planChildEnvironment(configured: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    // Old shells exported functions as variables that start so: code, not data.
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...configured };
}

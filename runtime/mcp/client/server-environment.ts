// What a server finds in its environment. codemode's host uses the same table through `@codemode/runtime/server-environment`.

import { holdsCredentials } from "../../../schemas/secrets/written-credentials.ts";

/** Variables that every server gets where they are set, and why it needs them. */
export interface InheritedGroup {
  purpose: string;
  names: readonly string[];
  /** On other systems the group means nothing. */
  platform?: "posix" | "win32";
  /** Addresses that often hold a password: only those without one are handed over. */
  withoutCredentials?: true;
}

/** The whole list; docs/configuration.md shows it. No variable in it is a credential. */
export const INHERITED: readonly InheritedGroup[] = [
  {
    purpose: "the user's folders and programs",
    names: words("HOME LOGNAME PATH SHELL TERM USER"),
    platform: "posix",
  },
  {
    purpose: "the user's folders and programs, on Windows",
    names: words(
      "ALLUSERSPROFILE APPDATA COMMONPROGRAMFILES COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT " +
        "PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PUBLIC SYSTEMDRIVE SYSTEMROOT TEMP TMP USERDOMAIN " +
        "USERNAME USERPROFILE WINDIR",
    ),
    platform: "win32",
  },
  {
    purpose: "folders for settings, caches and temporary files",
    names: words(
      "TMPDIR XDG_CACHE_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME",
    ),
  },
  {
    purpose: "language and time zone",
    names: words("LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME TZ"),
  },
  {
    purpose: "proxies",
    names: words(
      "ALL_PROXY HTTPS_PROXY HTTP_PROXY NO_PROXY all_proxy https_proxy http_proxy no_proxy NODE_USE_ENV_PROXY",
    ),
  },
  {
    purpose: "certificates of a company",
    names: words("CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS NODE_USE_SYSTEM_CA REQUESTS_CA_BUNDLE SSL_CERT_DIR SSL_CERT_FILE"),
  },
  {
    purpose: "package registries, where the address holds no password",
    names: words("NPM_CONFIG_REGISTRY PIP_INDEX_URL UV_DEFAULT_INDEX UV_INDEX_URL npm_config_registry"),
    withoutCredentials: true,
  },
];

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Where the values of variables come from. */
export interface EnvironmentSource {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
}

/**
 * The whole environment of a server: the list above, then the variables that the configuration names (`inheritEnv`), then what it
 * sets; nothing else of the host's.
 */
export function planServerEnvironment(
  configured: Readonly<Record<string, string>>,
  inheritEnv: readonly string[] = [],
  { env = process.env, platform = process.platform }: EnvironmentSource = {},
): Record<string, string> {
  const named = inheritEnv.map((name) => [name, env[name]] as const);
  const listed = INHERITED.filter((group) => isFor(group, platform)).flatMap(({ names, withoutCredentials }) =>
    names
      .map((name) => [name, env[name]] as const)
      .filter(([, value]) => value !== undefined && !(withoutCredentials === true && holdsCredentials(value))),
  );
  return { ...Object.fromEntries([...listed, ...named].filter(isData)), ...configured };
}

function isFor(group: InheritedGroup, platform: NodeJS.Platform): boolean {
  return group.platform === undefined || (group.platform === "win32") === (platform === "win32");
}

/** Old shells exported functions as variables that start so: code, not data. */
function isData(entry: readonly [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined && !entry[1].startsWith("()");
}

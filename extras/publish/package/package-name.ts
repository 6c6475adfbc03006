import type { LockedPackage, LockedServer } from "../../../schemas/lock/lockfile.ts";

/** The longest name that npm takes. */
const MAX_LENGTH = 214;

const SCOPE = /^@[a-z0-9~-][a-z0-9._~-]*$/;
const NAME = /^[a-z0-9~-][a-z0-9._~-]*$/;

/** Names that npm keeps from packages, and names that Node would take for its own modules. */
const TAKEN = new Set(
  (
    "node_modules favicon.ico assert async_hooks buffer child_process cluster console constants crypto dgram " +
    "diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode " +
    "querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
  ).split(" "),
);

/** Whether npm takes it as the name of a new package, scoped or not. */
export function isPackageName(name: string): boolean {
  const [, scope, base = name] = /^(@[^/]*)\/(.*)$/s.exec(name) ?? [];
  if (name.length > MAX_LENGTH || !NAME.test(base)) return false;
  return scope === undefined ? !TAKEN.has(base) : SCOPE.test(scope);
}

/** Whether it is a scope, with its at sign. */
export function isScope(text: string): boolean {
  return SCOPE.test(text);
}

/** The name of a server's package where none is given: `codemode-github`, in a scope `@acme/github-tools`. */
export function defaultPackageName(serverId: string, scope?: string): string {
  return scope === undefined ? `codemode-${serverId}` : `${scope}/${serverId}-tools`;
}

/** The name of the tarball without its version, as `npm pack` has it. */
export function toTarballName(packageName: string): string {
  return packageName.replace(/^@/, "").replace("/", "-");
}

const NPM_RUNNER = /(?:^|[\\/])(?:npx|pnpx|bunx|npm|pnpm|yarn)(?:\.cmd|\.exe)?$/i;

/** The package that a server's command fetches from npm; undefined for servers that come from elsewhere. */
export function npmPackageOf({ source }: LockedServer): LockedPackage | undefined {
  if (source.transport !== "stdio" || source.package === undefined) return undefined;
  return NPM_RUNNER.test(source.command) && isPackageName(source.package.name) ? source.package : undefined;
}

/** A package of npm as a package URL (ECMA-427): `pkg:npm/%40acme/x@1.2.0`. */
export function npmPackageUrl(name: string, version?: string): string {
  const path = name.split("/").map(encodeURIComponent).join("/");
  return `pkg:npm/${path}${version === undefined ? "" : `@${encodeURIComponent(version)}`}`;
}

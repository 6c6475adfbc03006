/** The longest name that npm takes. */
const MAX_LENGTH = 214;

const SCOPE = /^@[a-z0-9~-][a-z0-9._~-]*$/;
const NAME = /^[a-z0-9~-][a-z0-9._~-]*$/;

/** Names that npm keeps from packages, and those that Node would take for its own modules. */
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

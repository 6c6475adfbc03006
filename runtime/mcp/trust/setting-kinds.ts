import type { Config } from "../../../schemas/config/config.ts";
import type { ConfigFile } from "../../../schemas/config/config-file.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import {
  auditFileOf,
  clientServersOf,
  envFilesOf,
  outputFolderOf,
  type ProjectStart,
  sandboxCommandOf,
  serversOf,
  storeOf,
} from "./project-starts.ts";

/**
 * What a setting can do that needs the approval of the account: start a program, reach an address with what it is given there, or read or write
 * a file outside of the project folder. `plain` settings do none of these.
 */
export type SettingKind = "plain" | GatedKind;

/** `list` gives what a configuration does by this setting; settings that make one start together share it. */
interface GatedKind {
  kind: "starts" | "reaches" | "reads" | "writes";
  list: (config: Config) => ProjectStart[];
}

/** The kind of each key of `T`. Maps have one entry, `each`, for all of their values. */
type KindsOf<T> = { readonly [K in keyof T]-?: KindOf<NonNullable<T[K]>> };
type KindOf<T> =
  NonNullable<JsonValue> extends T
    ? SettingKind
    : [ObjectIn<T>] extends [never]
      ? SettingKind
      : string extends keyof ObjectIn<T>
        ? { readonly each: KindOf<NonNullable<ObjectIn<T>[keyof ObjectIn<T>]>> }
        : KindsOf<ObjectIn<T>>;
type ObjectIn<T> = Exclude<Extract<T, object>, readonly unknown[]>;

const PROGRAM: GatedKind = { kind: "starts", list: serversOf };
const ADDRESS: GatedKind = { kind: "reaches", list: serversOf };
const CLIENT_PROGRAM: GatedKind = { kind: "starts", list: clientServersOf };
const CLIENT_ADDRESS: GatedKind = { kind: "reaches", list: clientServersOf };

/** Settings that have a gate of their own, beside the servers. */
export const GATED_SETTINGS = {
  "serve.store": { kind: "reaches", list: storeOf },
  "sandbox.command": { kind: "starts", list: sandboxCommandOf },
  "audit.file": { kind: "writes", list: auditFileOf },
  out: { kind: "writes", list: outputFolderOf },
  envFile: { kind: "reads", list: envFilesOf },
} as const satisfies Record<string, GatedKind>;

export type GatedSetting = keyof typeof GATED_SETTINGS;

/**
 * The kind of every key of the configuration. A new key does not compile without its entry, and the gate
 * (`listStarts`) is made from the entries.
 */
export const SETTING_KINDS: KindsOf<ConfigFile> = {
  $schema: "plain",
  mcpServers: {
    each: {
      type: ADDRESS,
      command: PROGRAM,
      args: PROGRAM,
      env: { each: PROGRAM },
      inheritEnv: PROGRAM,
      envFile: GATED_SETTINGS.envFile,
      cwd: PROGRAM,
      url: ADDRESS,
      headers: { each: ADDRESS },
      oauth: {
        grant: ADDRESS,
        issuer: ADDRESS,
        clientId: ADDRESS,
        clientSecret: ADDRESS,
        privateKey: ADDRESS,
        privateKeyFile: ADDRESS,
        assertion: ADDRESS,
        assertionFile: ADDRESS,
        idpIssuer: ADDRESS,
        idpTokenEndpoint: ADDRESS,
        idpClientId: ADDRESS,
        idpClientSecret: ADDRESS,
        idToken: ADDRESS,
        idTokenFile: ADDRESS,
        clientMetadataUrl: ADDRESS,
        scope: ADDRESS,
        dpop: ADDRESS,
      },
      roots: PROGRAM,
      tools: { include: "plain", exclude: "plain" },
      notSecret: "plain",
      disabled: "plain",
      timeoutMs: "plain",
      idleMs: "plain",
    },
  },
  inheritEnv: PROGRAM,
  envFile: GATED_SETTINGS.envFile,
  serve: {
    surface: "plain",
    toolName: "plain",
    typesBudget: "plain",
    bindingLevel: "plain",
    description: "plain",
    trace: "plain",
    maxResultBytes: "plain",
    direct: "plain",
    detachAfterMs: "plain",
    durable: "plain",
    drainMs: "plain",
    queue: { maxRunning: "plain", maxWaiting: "plain" },
    rateLimit: { runsPerMinute: "plain" },
    token: "plain",
    operatorToken: "plain",
    approvalKey: "plain",
    store: GATED_SETTINGS["serve.store"],
    project: GATED_SETTINGS["serve.store"],
    storeKey: "plain",
    mayApprove: "plain",
    metrics: { address: "plain", token: "plain" },
    allowedHosts: "plain",
    allowedOrigins: "plain",
    maxServerProcesses: "plain",
    clients: {
      each: {
        token: "plain",
        servers: { each: { env: { each: CLIENT_PROGRAM }, headers: { each: CLIENT_ADDRESS } } },
        policy: { allow: "plain", ask: "plain", askEach: "plain", deny: "plain" },
        mayApprove: "plain",
      },
    },
  },
  sandbox: { isolation: "plain", reuse: "plain", command: GATED_SETTINGS["sandbox.command"] },
  audit: {
    file: GATED_SETTINGS["audit.file"],
    required: "plain",
    payloads: "plain",
    maxPayloadBytes: "plain",
    redact: "plain",
  },
  out: GATED_SETTINGS.out,
  limits: {
    timeoutMs: "plain",
    maxMemoryBytes: "plain",
    maxLogBytes: "plain",
    maxToolCalls: "plain",
    maxResultBytes: "plain",
  },
  policy: { allow: "plain", ask: "plain", askEach: "plain", deny: "plain" },
  drift: "plain",
  typecheck: "plain",
  relistAfterMs: "plain",
  outputs: { each: { each: "plain" } },
  // Files of scripts lie in the project folder: `findNamedScript` refuses others.
  scripts: { each: { file: "plain", source: "plain", description: "plain", tool: "plain" } },
  bundle: { allow: "plain" },
  learn: { observe: "plain" },
  types: { openObjects: "plain" },
  telemetry: { payloads: "plain" },
  log: { level: "plain" },
};

/** All that a configuration starts, reaches, reads or writes outside of its folder: servers first, then the settings in the table's order. */
export function listStarts(config: Config): ProjectStart[] {
  return [...new Set(gatedKinds(SETTING_KINDS).map(({ list }) => list))].flatMap((list) => list(config));
}

function gatedKinds(kinds: object): GatedKind[] {
  return Object.values(kinds).flatMap((entry: SettingKind | object) => {
    if (entry === "plain") return [];
    return isGated(entry) ? [entry] : gatedKinds(entry);
  });
}

function isGated(entry: object | string): entry is GatedKind {
  return typeof (entry as Partial<GatedKind>).list === "function";
}

import { withoutUndefined } from "../json/without-undefined.ts";
import { DEFAULTS, type ConfigFile, type ServerEntry } from "./config-file.ts";
import { byCodeUnits } from "../json/canonical-json.ts";
import type { Config, ServerSource } from "./config.ts";
import { toNamedScripts } from "./named-scripts.ts";
import { assignServerIds } from "../lock/server-ids.ts";
import { toServeSettings } from "./serve-settings.ts";

/** Fills in the defaults of a checked configuration and assigns server ids, disabled servers included so that ids stay when one is switched off. */
export function toConfig(written: ConfigFile, file: string, folder: string): Config {
  const entries = Object.entries(written.mcpServers);
  const ids = assignServerIds(entries.map(([name]) => name));
  const servers = entries.map(([name, entry], index) => {
    const { tools, timeoutMs, disabled } = { ...DEFAULTS.mcpServers.each, ...entry };
    return {
      id: ids[index] as string,
      name,
      source: toSource(entry, written.inheritEnv),
      tools: { ...DEFAULTS.mcpServers.each.tools, ...tools },
      timeoutMs,
      disabled,
      // As written: the default of `idleMs` depends on whose connection it is.
      ...withoutUndefined({ notSecret: entry.notSecret, idleMs: entry.idleMs }),
    };
  });
  const disabledIds = new Set(servers.filter(({ disabled }) => disabled).map(({ id }) => id));
  const outputs = Object.entries(written.outputs ?? {}).filter(
    ([name]) => !disabledIds.has(name.split("/")[0] as string),
  );
  return {
    file,
    folder,
    servers: servers.filter(({ disabled }) => !disabled).map(({ disabled: _, ...server }) => server),
    limits: { ...DEFAULTS.limits, ...written.limits },
    policy: { ...DEFAULTS.policy, ...written.policy },
    out: written.out ?? DEFAULTS.out,
    typecheck: written.typecheck ?? DEFAULTS.typecheck,
    relistAfterMs: written.relistAfterMs ?? DEFAULTS.relistAfterMs,
    outputs: new Map(outputs),
    scripts: toNamedScripts(written.scripts),
    serve: toServeSettings(written.serve),
    bundle: { ...DEFAULTS.bundle, ...written.bundle },
    types: { ...DEFAULTS.types, ...written.types },
    learn: { ...DEFAULTS.learn, ...written.learn },
    sandbox: written.sandbox ?? {},
    telemetry: { ...DEFAULTS.telemetry, ...written.telemetry },
    log: written.log ?? {},
    ...withoutUndefined({
      envFile: toList(written.envFile),
      audit: written.audit && { ...DEFAULTS.audit, ...written.audit },
      drift: written.drift,
    }),
  };
}

/**
 * The schema has made sure that an entry has a `command` or a `url`, and a `type` that fits.
 * @param inheritEnv names of variables that every program gets
 */
export function toSource(entry: ServerEntry, inheritEnv: readonly string[] = []): ServerSource {
  const roots = (entry.roots ?? []).length === 0 ? {} : { roots: entry.roots ?? [] };
  const files = withoutUndefined({ envFile: toList(entry.envFile) });
  if (entry.url !== undefined) {
    const transport = entry.type === "sse" ? "sse" : "http";
    const oauth = entry.oauth === undefined ? {} : { oauth: entry.oauth };
    return {
      transport,
      url: entry.url,
      headers: new Map(Object.entries(entry.headers ?? {})),
      ...oauth,
      ...roots,
      ...files,
    };
  }
  const inherited = [...new Set([...inheritEnv, ...(entry.inheritEnv ?? [])])].toSorted(byCodeUnits);
  return {
    transport: "stdio",
    command: entry.command ?? "",
    args: entry.args ?? [],
    env: new Map(Object.entries(entry.env ?? {})),
    ...withoutUndefined({ inheritEnv: inherited.length === 0 ? undefined : inherited, cwd: entry.cwd }),
    ...roots,
    ...files,
  };
}

function toList(written: string | readonly string[] | undefined): readonly string[] | undefined {
  const list = typeof written === "string" ? [written] : written;
  return list?.length === 0 ? undefined : list;
}

// Loaded with this module, and so before any request of the program that imports the package.
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { join, resolve } from "node:path";
import { checkConfig, loadConfig } from "../engine/load-config.ts";
import { CONFIG_FILES, type Config, type ConfigFile } from "../schemas/config/config.ts";
import type { Policy } from "../schemas/config/policy-settings.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { EngineOptions, Engine } from "./engine.ts";
import { assertCodeModeOptions } from "./known-options.ts";
import { type OwnServers, pickEntries, withOwnServers } from "./own-servers.ts";

/** How own tools become code mode. Everything has a default. */
export interface CodeModeOptions<Context = unknown> extends Omit<EngineOptions<Context>, "script" | "callsOnly" | "frozen"> {
  /** The folder of a project whose configured servers stand beside the own ones. Without it, and without `lock`, no file is read or written. */
  project?: string | undefined;
  /** Trusts the programs and addresses of the project's configuration, as in `openProject`. */
  trust?: boolean | undefined;
  /** The variables that placeholders such as `${TOKEN}` stand for; `process.env` unless given. */
  env?: NodeJS.ProcessEnv | undefined;
  /** What scripts may call, as in the configuration. */
  policy?: Partial<Policy> | undefined;
  /** A lockfile that keeps the own servers, so that a change of their tools is seen in review: `codemode.lock.json`. */
  lock?: string | undefined;
  /** Refuses own servers that are not as `lock` has them; with `project` all that `frozen` of an engine refuses. */
  frozen?: boolean | undefined;
  /** Keeps the words of errors of own tools from scripts. It is called with each error, and the id that the script gets in its place. */
  hideErrors?: ((error: unknown, errorId: string) => void) | undefined;
}

/** An engine of own tools. */
export type CodeMode<Context = unknown> = Engine<Context>;

/**
 * Opens an engine for the functions and MCP servers of this program. Without `project` and `lock` it needs no folder, and two of them share nothing.
 * @param servers by name: tools by their names, an MCP server or what makes one, or an entry as in `mcpServers`
 * @throws CodemodeError (`INVALID_OPTION`) where a tool says nothing of its input, with the line to type
 * @example
 * import { codeMode, defineTool } from "codemode";
 *
 * const double = defineTool({
 *   description: "Doubles a number",
 *   inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
 *   execute: ({ n }: { n: number }) => ({ twice: n * 2 }),
 * });
 * await using code = await codeMode({ math: { double } });
 * const { result } = await code.run({ code: `import { double } from "@codemode/servers/math";\nexport default await double({ n: 21 });` });
 * console.log(result);
 */
export async function codeMode<Context = unknown>(
  servers: OwnServers<Context>,
  options: CodeModeOptions<Context> = {},
): Promise<CodeMode<Context>> {
  assertCodeModeOptions(options);
  const { project, trust, env, policy, lock, hideErrors, frozen, ...engineOptions } = options;
  const cwd = resolve(project ?? ".");
  const base = await configFor(servers as OwnServers, options as CodeModeOptions, cwd);
  const config = await withOwnServers(base, servers as OwnServers, { onHidden: hideErrors });
  const { openEngine } = await outsideOfRequests(() => import("./open-engine.ts"));
  const ownLock = lock === undefined ? undefined : { file: resolve(cwd, lock), frozen: frozen === true };
  const opened = { config, cwd, env, ownLock };
  const frozenProject = withoutUndefined({ frozen: project === undefined ? undefined : frozen });
  return openEngine(opened, { ...(engineOptions as EngineOptions), ...frozenProject }) as Promise<CodeMode<Context>>;
}

async function configFor(
  servers: OwnServers,
  { project, trust = false, policy }: CodeModeOptions,
  cwd: string,
): Promise<Config> {
  const entries = pickEntries(servers);
  const written: ConfigFile = { mcpServers: entries, ...withoutUndefined({ policy }) };
  const ofProgram = await checkConfig(written, join(cwd, CONFIG_FILES[0]));
  if (project === undefined) {
    const lockfile = ofProgram.servers.length === 0 ? { servers: new Map() } : undefined;
    return { ...ofProgram, isTrusted: true, memory: { lockfile } };
  }
  const configured = await loadConfig({ cwd, isTrusted: trust });
  return policy === undefined ? configured : { ...configured, policy: ofProgram.policy };
}

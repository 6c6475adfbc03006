// Loaded with this module, and so before any request of the program that imports the package.
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { isTrustGiven } from "@codemode/runtime/project-trust";
import { join, resolve } from "node:path";
import { probeConfinement } from "../runtime/sandbox/pool/confinement.ts";
import { checkConfig, loadConfig } from "../engine/load-config.ts";
import { CONFIG_FILES, type Config } from "../schemas/config/config.ts";
import type { ConfigFile } from "../schemas/config/config-file.ts";
import { optionInvalid } from "../schemas/errors.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import type { OutputChange } from "../engine/project/emit/generate-packages.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { DescribedTools, Engine, FrameworkTool, UndoOptions } from "./engine.ts";
import { callBack } from "../schemas/run/call-back.ts";
import { makeCallbackReport } from "./callbacks.ts";
import { toFrameworkTool } from "./framework-tool.ts";
import type { CodeModeOptions } from "./code-mode-options.ts";
import { assertCodeModeOptions } from "./known-options.ts";
import { type OwnServers, pickEntries, withOwnServers } from "./own-servers.ts";

/** An engine of own tools. */
export interface CodeMode<Context = unknown> extends Engine<Context> {
  /** The tool that runs code, described with what there is now: for AI SDK, Mastra, TanStack and others, as it is. */
  readonly tool: FrameworkTool<Context>;
  /** The same as `code`, and `search` where there are more tools than its description can show. */
  readonly tools: DescribedTools<Context>;
  /**
   * The TypeScript declarations of all tools of a context, as an agent's script may import them.
   * @example
   * console.log(await code.declarations());
   */
  declarations(context?: Context): Promise<string>;
  /**
   * Writes the package `@codemode/servers` with the types of all tools of a context, for scripts of a repository and its editors.
   * @param folder to write into; a folder with files of others is refused
   * @throws CodemodeError `OUTPUT_NOT_OURS`
   * @example
   * await code.writeTypes("generated");
   */
  writeTypes(folder: string, context?: Context): Promise<OutputChange>;
  /**
   * The same as `undo` of the durable runs: takes back what a durable run has done.
   * @param runId of its answer
   * @throws CodemodeError as `undo` of `durableRuns()`
   * @example
   * const { runId = "" } = await code.run({ code: "export default 1;" }, { durable: true });
   * console.log(await code.undo(runId));
   */
  undo(runId: string, options?: UndoOptions<Context>): Promise<string[]>;
}

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
 * const code = await codeMode({ math: { double } });
 * const { result } = await code.run({ code: `import { double } from "@codemode/servers/math";\nexport default await double({ n: 21 });` });
 * console.log(result);
 * await code.close();
 */
export async function codeMode<Context = unknown>(
  servers: OwnServers<Context>,
  options: CodeModeOptions<Context> = {},
): Promise<CodeMode<Context>> {
  assertCodeModeOptions(options);
  const { project, trust, env, policy, toolName, description, lock, hideErrors, frozen, runs, ...engineOptions } =
    options;
  const cwd = resolve(project ?? ".");
  // Another processor answers while this one reads the options: the first sandbox then starts beside the rest.
  const confined = outsideOfRequests(() => probeConfinement());
  const base = await configFor(servers, { project, trust, env, policy, toolName, description, runs }, cwd);
  const { onFailed } = makeCallbackReport(
    (line) => void callBack("onNote", () => options.onNote?.(line), undefined, undefined),
  );
  const onHidden =
    hideErrors &&
    ((error: unknown, id: string) => void callBack("hideErrors", () => hideErrors(error, id), undefined, onFailed));
  const config = await withOwnServers(base, servers, onHidden);
  const { openEngineFor } = await outsideOfRequests(() => import("./open-engine.ts"));
  await confined;
  const ownLock = lock === undefined ? undefined : { file: resolve(cwd, lock), frozen: frozen === true };
  const opened = { config, cwd, env, ownLock, holdsPolicy: policy !== undefined };
  const frozenProject = withoutUndefined({ frozen: project === undefined ? undefined : frozen });
  const { engine, lockfileFor } = await openEngineFor(opened, {
    ...(engineOptions as EngineOptions),
    ...frozenProject,
  });
  return withOwnMethods(engine, lockfileFor, cwd) as CodeMode<Context>;
}

function withOwnMethods(engine: Engine, lockfileFor: (context: unknown) => Promise<Lockfile>, cwd: string): CodeMode {
  const own: ThisType<Engine> & Omit<CodeMode, keyof Engine> = {
    get tool() {
      return toFrameworkTool(engine.describeTool());
    },
    get tools() {
      return engine.describeTools();
    },
    async declarations(context) {
      const { declarationsOfServer } = await import("../engine/declarations.ts");
      const texts = [...(await lockfileFor(context)).servers.values()].map(declarationsOfServer);
      return (await Promise.all(texts)).join("\n");
    },
    undo: async (runId, undoOptions) => (await engine.durableRuns()).undo(runId, undoOptions),
    async writeTypes(folder, context) {
      const { writePackage } = await import("../engine/project/emit/write-package.ts");
      return writePackage(resolve(cwd, folder), await lockfileFor(context));
    },
  };
  return Object.defineProperties(engine, Object.getOwnPropertyDescriptors(own)) as CodeMode;
}

async function configFor(
  servers: OwnServers,
  { project, env, trust = isTrustGiven(env), policy, toolName, description, runs }: CodeModeOptions,
  cwd: string,
): Promise<Config> {
  if (runs !== undefined && (runs !== "memory" || project !== undefined))
    throw optionInvalid(
      "runs",
      'it is "memory", and goes without `project`',
      "A project keeps its runs where it says.",
    );
  const entries = pickEntries(servers);
  const serve = { toolName: toolName ?? "code", ...withoutUndefined({ description }) };
  const written: ConfigFile = { mcpServers: entries, serve, ...withoutUndefined({ policy }) };
  const ofProgram = await checkConfig(written, join(cwd, CONFIG_FILES[0]));
  if (project === undefined) {
    const lockfile = ofProgram.servers.length === 0 ? { servers: new Map() } : undefined;
    return { ...ofProgram, isTrusted: true, memory: { lockfile, keepsRuns: runs === "memory" } };
  }
  const configured = await loadConfig({ cwd, isTrusted: trust });
  const shown = { ...configured.serve, ...serve };
  return {
    ...configured,
    serve: shown,
    ...withoutUndefined({ policy: policy === undefined ? undefined : ofProgram.policy }),
  };
}

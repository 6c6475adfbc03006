// Loaded with this module, and so before any request of the program that imports the package.
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { isTrustGiven } from "@codemode/runtime/project-trust";
import { join, resolve } from "node:path";
import { bundlePlaces, outputFolder } from "../engine/project/project-places.ts";
import { checkConfig, loadConfig, warnOfIgnored } from "../engine/load-config.ts";
import { lockfilePath, readLockfile, readLockfileNow, writeLockfile } from "../engine/project/lockfile-file.ts";
import { checkProjectScript } from "./check-script.ts";
import { warnOfLost } from "../engine/project/config/lost-patterns.ts";
import { joinSignals } from "../engine/process/join-signals.ts";
import type { LockWatch } from "../engine/project/lock-servers.ts";
import { warnOfSecrets } from "../schemas/secrets/secrets-in-config.ts";
import { findRetyped } from "../schemas/lock/lock-mismatch.ts";
import { lockfileMissing, lockfileOutdated, optionInvalid } from "../schemas/errors.ts";
import { explainOtherEngine } from "../schemas/oldest-node.ts";
import { nodeRequired, scriptPinned } from "./errors.ts";
import { CONFIG_FILES, type Config } from "../schemas/config/config.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { GenerateResult, LockResult, Project, ProjectOptions, WorkOptions } from "./project.ts";
import { assertProjectOptions, withCheckedOptions } from "./known-options.ts";
import { findScript, needsNoServer, type Script } from "../engine/project/script.ts";

/**
 * Opens a project: reads and checks its configuration. It starts nothing and writes nothing.
 * @throws CodemodeError where there is no configuration (`CONFIG_MISSING`), or where it is wrong (`CONFIG_BROKEN`, `CONFIG_INVALID`)
 * @example
 * import { openProject } from "codemode";
 *
 * const project = await openProject({
 *   config: { mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory@2026.8.31"] } } },
 * });
 * console.log(project.folder);
 */
export async function openProject(options: ProjectOptions = {}): Promise<Project> {
  const other = explainOtherEngine(process.versions);
  if (other !== undefined) throw nodeRequired(other.cause, other.hint);
  assertProjectOptions(options);
  const cwd = resolve(options.cwd ?? ".");
  const { servers } = options;
  const config = await configOf(options, cwd);
  if (servers === undefined) return makeProject(config, cwd, options);
  const { pickEntries, withOwnServers } = await import("./own-servers.ts");
  const [entry] = Object.keys(pickEntries(servers));
  if (entry !== undefined)
    throw optionInvalid(
      "openProject",
      `\`servers.${entry}\` is none of the program`,
      "Put it into `mcpServers` of `config`.",
    );
  return makeProject(await withOwnServers(config, servers), cwd, options);
}

async function configOf({ config, trust, env }: ProjectOptions, cwd: string): Promise<Config> {
  if (typeof config === "object")
    return { ...(await checkConfig(config, join(cwd, CONFIG_FILES[0]))), isTrusted: true };
  return loadConfig({ cwd, isTrusted: trust ?? isTrustGiven(env), configFile: config });
}

function makeProject(config: Config, cwd: string, { env, signal: ending }: ProjectOptions): Project {
  const watchOf = ({ onProgress, signal }: WorkOptions): LockWatch => ({
    ...{ onProgress, env },
    signal: joinSignals(signal, ending),
  });
  const warningsWith = (lost: Parameters<typeof warnOfLost>[0]): string[] => [
    ...warnOfSecrets(config),
    ...warnOfIgnored(config),
    ...warnOfLost(lost),
  ];
  const lockWith = async (options: WorkOptions, accepted: Lockfile | undefined): Promise<LockResult> => {
    const { lockServers } = await import("../engine/project/lock-servers.ts");
    const { lost, ...outcome } = await lockServers(config, accepted, options.servers, watchOf(options));
    return { ...outcome, warnings: warningsWith(lost) };
  };
  const keep = async (result: LockResult): Promise<void> => {
    const { isWorthWriting } = await import("../engine/project/lock-servers.ts");
    if (isWorthWriting(result)) await writeLockfile(config, result.lockfile);
  };
  const lock: Project["lock"] = async ({ check = false, ...options } = {}) => {
    const result = await lockWith(options, await readLockfile(config));
    if (!check) await keep(result);
    return result;
  };

  return withCheckedOptions<Project>("project", {
    folder: config.folder,
    get lockfile() {
      return readLockfileNow(config);
    },
    limits: config.limits,
    read: (script) => findScript(script, cwd, config),
    lock,
    diff: async (options = {}) => lockWith(options, await readLockfile(config)),
    async repair(options = {}) {
      const { repairLockfile } = await import("../engine/project/lock-servers.ts");
      const outcome = await repairLockfile(config, watchOf(options));
      if (outcome === undefined) return undefined;
      const { lost, ...repaired } = outcome;
      const result = { ...repaired, warnings: warningsWith(lost) };
      await keep(result);
      return result;
    },
    async generate({ check = false, out, ...options } = {}): Promise<GenerateResult> {
      const { checkPackages, generatePackages, isGenerated } =
        await import("../engine/project/emit/generate-packages.ts");
      const lockfile = (await readLockfile(config)) ?? (check ? undefined : (await lock(options)).lockfile);
      if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
      const retyped = check ? findRetyped(config, lockfile) : [];
      if (retyped.length > 0) throw lockfileOutdated(retyped);
      const wasGenerated = await isGenerated(outputFolder(config, out));
      if (check && !wasGenerated) return { written: [], removed: [], wasGenerated, lockfile };
      const { servers: names, onProgress } = options;
      const change = await (check ? checkPackages : generatePackages)({ config, lockfile, names, out, onProgress });
      return { ...change, wasGenerated, lockfile };
    },
    async check(script, { onNote = silent } = {}) {
      const found = await findScript(script, cwd, config);
      const file = "file" in script ? script.file : undefined;
      return checkProjectScript(found, file, config, { frozen: true, note: onNote, env, signal: ending });
    },
    async bundle(script: Script, { frozen = false, signal, onNote = silent, showProgress } = {}) {
      const { prepareForScript } = await import("../engine/project/prepare-project.ts");
      const { pinScript } = await import("../engine/run/pinned/pin-script.ts");
      const found = await findScript(script, cwd, config);
      if ("bundle" in found) throw scriptPinned(found.bundle.name);
      const lockfile = await prepareForScript(config, () => needsNoServer(found, config), {
        ...{ frozen, note: onNote, showProgress, env },
        signal: joinSignals(signal, ending),
      });
      return pinScript(found, { ...bundlePlaces(config), lockfile });
    },
    async openEngine(options = {}) {
      const { openEngine } = await outsideOfRequests(() => import("./open-engine.ts"));
      return openEngine({ config, cwd, env, signal: ending }, options);
    },
  });
}

const silent = (): void => undefined;

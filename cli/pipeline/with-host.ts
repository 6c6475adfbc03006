import { makeSandboxPool } from "../../runtime/host/sandbox/pool.ts";
import type { Config } from "../../schemas/config.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";
import type { ScriptSource } from "./bundle/bundle-script.ts";
import { type Bundler, startBundler } from "./bundle-process/start-bundler.ts";
import type { FoundScript } from "./find-script.ts";
import { type Host, makeHost } from "./host.ts";
import { namedServers } from "./host/prepare-script.ts";
import { lockfilePath, readLockfile } from "./lockfile-file.ts";
import { makePinnedBundler } from "./pinned-bundler.ts";
import { prepareProject } from "./prepare-project.ts";

/** What a command wants a host for. */
export interface HostWish {
  config: Config;
  script: FoundScript;
  /** Write nothing, and refuse when a server has drifted. */
  frozen: boolean;
  /** How many runs there will be at a time; one unless given. */
  concurrency?: number;
  note: (line: string) => void;
}

/** Opens a project's host for one script, hands it to `use`, and ends everything that was started. */
export async function withHost<Value>(
  { config, script, frozen, concurrency, note }: HostWish,
  use: (host: Host) => Promise<Value>,
): Promise<Value> {
  const { maxMemoryBytes } = config.limits;
  // Sandbox and bundler start while the project is read: their start-up costs little then.
  const pool = makeSandboxPool({ refill: concurrency !== undefined, size: concurrency ?? 1, maxMemoryBytes });
  const bundler = bundlerOf(script);
  const closers = [pool.close, bundler.close];
  try {
    // A sandbox that cannot start is said when the first one is taken.
    void pool.warm().catch(() => undefined);
    const lockfile = await openLockfile(config, script, { frozen, note });
    const drift = frozen ? "refuse" : (config.drift ?? "warn");
    const host = makeHost({ config, lockfile, pool, bundler, drift, refuseBy: "server" });
    closers.push(host.close);
    // The servers start while the script is bundled. One that cannot is said when the script is about to run.
    if (script.kind === "source") host.connectSoon(namedServers(script.source.code, lockfile));
    return await use(host);
  } finally {
    await Promise.all(closers.map((close) => close()));
  }
}

/** What the host is asked to run: a pinned bundle has no source, and its bundler asks for none. */
export function sourceOf(script: FoundScript): ScriptSource {
  return script.kind === "source" ? script.source : { code: "", name: script.pinned.name };
}

/** A pinned bundle needs the lockfile alone; everything else needs the generated packages too. */
async function openLockfile(
  config: Config,
  script: FoundScript,
  options: { frozen: boolean; note: (line: string) => void },
): Promise<Lockfile> {
  if (script.kind === "source") return (await prepareProject(config, options)).lockfile;
  const lockfile = await readLockfile(config);
  if (lockfile === undefined) throw lockfileMissing(lockfilePath(config));
  return lockfile;
}

/** A process of its own loads the compilers while this one loads what connects the servers. */
function bundlerOf(script: FoundScript): Bundler {
  if (script.kind === "source") return startBundler();
  return { ...makePinnedBundler(script.pinned), close: () => Promise.resolve() };
}

import { makeHost } from "../../dist/engine/host/make-host.js";
import { loadConfig } from "../../dist/engine/project/config/load-config.js";
import { readLockfile } from "../../dist/engine/project/lockfile-file.js";
import { startBundler } from "../../dist/engine/bundle/process/start-bundler.js";
import { makeSandboxPool } from "../../dist/runtime/host/sandbox/pool.js";
import { ownAccess } from "../../dist/schemas/access/access.js";
import { codemodeScript } from "./codemode-script.js";

/** codemode as a library in the process that asks, as the peers are used. */
export async function open({ project, poolSize = 1, reuse = 0 }) {
  const config = await loadConfig({ cwd: project });
  const lockfile = await readLockfile(config);
  const pool = makeSandboxPool({ size: poolSize, maxMemoryBytes: config.limits.maxMemoryBytes, reuse });
  const bundler = startBundler();
  const host = makeHost({ config, lockfile, pool, bundler, drift: "refresh", refuseBy: "tool" });
  const access = ownAccess(config.policy);
  return {
    async run(work) {
      const script = { code: codemodeScript(work), name: "script.ts" };
      const answer = await host.run({ script, access, approve: async () => "refused" });
      if (answer.result === null) throw new Error(JSON.stringify(answer.diagnostics).slice(0, 300));
      return answer.result;
    },
    async close() {
      await host.close();
      await Promise.all([pool.close(), bundler.close()]);
    },
  };
}

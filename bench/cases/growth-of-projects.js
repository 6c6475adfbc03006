import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleScript } from "../../dist/cli/pipeline/bundle/bundle-script.js";
import { generatePackages, outputFolder } from "../../dist/cli/pipeline/generate-packages.js";
import { readLockfile, writeLockfile } from "../../dist/cli/pipeline/lockfile-file.js";
import { toConfig } from "../../dist/schemas/to-config.js";
import { lockMadeUp } from "../suite/make-tools.js";
import { summarize } from "../suite/measure.js";

/** Bundling a script with one import, where the server has ever more tools or the project ever more servers. */
export async function measureBundling(sizes, samples, kind) {
  const points = [];
  for (const size of sizes) {
    const [servers, tools] = kind === "tools" ? [1, size] : [size, 10];
    points.push({ size, ms: await inProject(servers, tools, (config) => timeBundling(config, samples)) });
  }
  return points;
}

/** Reading and checking the lockfile, which every command begins with. */
export async function measureLocks(sizes, samples) {
  const points = [];
  for (const size of sizes) {
    const ms = await inProject(size / 60, 60, (config) => timeAll(samples, () => readLockfile(config)), false);
    points.push({ size, ms });
  }
  return points;
}

async function timeBundling(config, samples) {
  const lockfile = await readLockfile(config);
  const [server] = lockfile.servers.values();
  const tool = server.tools[0].exportName;
  const code = `import { ${tool} } from "@codemode/servers/${server.id}";\nexport default await ${tool}({ id: "1" });\n`;
  const options = { generatedFolder: outputFolder(config), lockfile };
  return timeAll(samples, async () => {
    const outcome = await bundleScript({ code, name: "script.ts" }, options);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics));
  });
}

async function timeAll(samples, work) {
  const times = [];
  for (let sample = -3; sample < samples; sample += 1) {
    const startedAt = performance.now();
    await work();
    if (sample >= 0) times.push(performance.now() - startedAt);
  }
  return summarize(times).median;
}

async function inProject(servers, tools, measure, isGenerated = true) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  const config = toConfig({ mcpServers: {} }, join(folder, "codemode.config.json"), folder);
  const ids = Array.from({ length: servers }, (_, index) => `server-${index}`);
  const lockfile = { servers: new Map(ids.map((id) => [id, lockMadeUp(id, tools)])) };
  try {
    await writeLockfile(config, lockfile);
    if (isGenerated) await generatePackages({ config, lockfile });
    return await measure(config);
  } finally {
    await rm(folder, { recursive: true });
  }
}

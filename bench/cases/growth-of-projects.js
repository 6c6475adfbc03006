import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleScript } from "../../dist/engine/bundle/bundle-script.js";
import { outputFolder } from "../../dist/engine/project/project-places.js";
import { generatePackages } from "../../dist/engine/project/emit/generate-packages.js";
import { readLockfile, writeLockfile } from "../../dist/engine/project/lockfile-file.js";
import { toolIndexOf } from "../../dist/runtime/host/discovery/tool-index.js";
import { toConfig } from "../../dist/schemas/config/to-config.js";
import { lockMadeUp } from "../suite/make-tools.js";
import { summarize } from "../suite/measure.js";
import { timeServeStart } from "../suite/time-serve-start.js";

/** What is done with a generated project again and again: each takes its configuration and lockfile. */
const WORK = {
  bundling: bundleOnce,
  "generating, nothing changed": (config, lockfile) => generatePackages({ config, lockfile }),
  "reading the lockfile": (config) => readLockfile(config),
  "index for search": (_config, lockfile) => toolIndexOf({ ...lockfile }).search("invoice", { limit: 1 }),
  "start of serve": ({ folder }) => timeServeStart(folder),
};

/** Cost against the number of servers, which have one tool each. */
export async function measureServers(sizes, samples) {
  return await measureProjects("servers", sizes, samples, (size) => ({ servers: size, tools: 1 }));
}

/** Cost against the number of tools of one server. */
export async function measureTools(sizes, samples) {
  return await measureProjects("tools", sizes, samples, (size) => ({ servers: 1, tools: size }));
}

/** One series for each kind of work. */
async function measureProjects(subject, sizes, samples, toShape) {
  const series = new Map();
  const add = (label, point) => series.set(label, [...(series.get(label) ?? []), point]);
  // The first project of a process loads the printers, which is no matter of size.
  await inProject(toShape(1), () => undefined);
  for (const size of sizes) {
    await inProject(toShape(size), async (config, generatedMs) => {
      add("generating all", { size, ms: generatedMs });
      const lockfile = await readLockfile(config);
      for (const [label, work] of Object.entries(WORK)) {
        add(label, { size, ms: await timeAll(samples, () => work(config, lockfile)) });
      }
    });
  }
  return [...series].map(([label, points]) => ({ label: `${subject} (${label})`, points }));
}

async function bundleOnce(config, lockfile) {
  const [server] = lockfile.servers.values();
  const tool = server.tools[0].exportName;
  const code = `import { ${tool} } from "@codemode/servers/${server.id}";\nexport default await ${tool}({ id: "1" });\n`;
  const outcome = await bundleScript({ code, name: "script.ts" }, { generatedFolder: outputFolder(config), lockfile });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics));
}

/** The first times are warming up. Work that measures itself gives its milliseconds. */
async function timeAll(samples, work) {
  const times = [];
  for (let sample = -2; sample < samples; sample += 1) {
    const startedAt = performance.now();
    const reported = await work();
    const took = performance.now() - startedAt;
    if (sample >= 0) times.push(typeof reported === "number" ? reported : took);
  }
  return summarize(times).value;
}

async function inProject({ servers, tools }, measure) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  const ids = Array.from({ length: servers }, (_, index) => `server-${index}`);
  const settings = { mcpServers: Object.fromEntries(ids.map((id) => [id, { command: "server" }])) };
  const file = join(folder, "codemode.config.json");
  const config = toConfig(settings, file, folder);
  const lockfile = { servers: new Map(ids.map((id) => [id, lockMadeUp(id, tools)])) };
  try {
    await writeFile(file, JSON.stringify(settings));
    await writeLockfile(config, lockfile);
    const startedAt = performance.now();
    await generatePackages({ config, lockfile });
    await measure(config, performance.now() - startedAt);
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { openProject } from "../../../dist/library/index.js";
import { findBrowser } from "../../../test/browser/open-browser.ts";
import { installPackages } from "../../../test/sets/install-packages.ts";
import { makeCallLog } from "./log-calls.js";

const inRepository = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const inPackages = (path) => inRepository(`node_modules/${path}`);

/** Opens the world, its servers and codemode in front of them, as an agent meets it: a client of `serve` and one of each server's own tools. */
export async function openTasks() {
  await installPackages(inRepository("bench/tasks"));
  const { openWorld } = await import("../world/open-world.js");
  const [world, browser] = await Promise.all([openWorld(), findBrowser()]);
  await world.reset();
  const folder = await mkdtemp(join(tmpdir(), "codemode-tasks-project-"));
  const config = {
    mcpServers: listServers(world, browser),
    sandbox: { isolation: "compartment" },
    policy: { allow: ["*"], deny: ["everything/toggle-*"] },
    // Servers start in the first runs, and on a busy machine slowly.
    limits: { timeoutMs: 120_000 },
  };
  const project = await openProject({ cwd: folder, config, trust: true });
  const { failures } = await project.lock();
  if (failures.length > 0)
    throw new Error(failures.map(({ serverId, error }) => `${serverId}: ${error.message}`).join("\n"));
  await project.generate();
  const calls = makeCallLog();
  const engine = await project.openEngine({ observers: [calls.hear] });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const end = await engine.connectTo(far);
  const client = new Client({ name: "bench-tasks", version: "1.0.0" });
  await client.connect(near);
  return {
    world,
    project,
    engine,
    client,
    calls,
    async close() {
      await client.close();
      await end();
      await engine.close();
      await world.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Commits of a run have the same names as those of another run. */
const GIT_TIMES = { GIT_AUTHOR_DATE: "2026-01-01T12:00:00Z", GIT_COMMITTER_DATE: "2026-01-01T12:00:00Z" };

function listServers({ root, paths }, browser) {
  const node = (program, args = [], settings = {}) => ({
    command: process.execPath,
    args: [program, ...args],
    ...settings,
  });
  const flags = [
    "--headless",
    "--isolated",
    "--no-sandbox",
    "--executable-path",
    browser,
    "--output-dir",
    join(root, "output"),
  ];
  return {
    shop: node(inRepository("bench/tasks/servers/sqlite.mjs"), [paths.database]),
    files: node(inPackages("@modelcontextprotocol/server-filesystem/dist/index.js"), ["."], { cwd: paths.files }),
    git: node(inRepository("bench/tasks/node_modules/@cyanheads/git-mcp-server/dist/index.js"), [], {
      cwd: root,
      env: {
        MCP_TRANSPORT_TYPE: "stdio",
        MCP_LOG_LEVEL: "error",
        LOGS_DIR: join(root, "logs"),
        GIT_SIGN_COMMITS: "false",
        ...GIT_TIMES,
      },
    }),
    browser: node(inPackages("playwright-core/lib/entry/mcp.js"), flags, { cwd: root }),
    memory: node(inPackages("@modelcontextprotocol/server-memory/dist/index.js"), [], {
      env: { MEMORY_FILE_PATH: paths.memory },
    }),
    // Becomes another server when it is asked to, for one of the mistakes.
    changing: node(inRepository("test/servers/turncoat-server.mjs"), [join(root, "changed")]),
    everything: node(inPackages("@modelcontextprotocol/server-everything/dist/index.js"), ["stdio"]),
  };
}

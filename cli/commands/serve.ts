import { invalidOption } from "../../schemas/errors.ts";
import { makeSandboxPool } from "../../runtime/host/sandbox/pool.ts";
import type { Command } from "../command.ts";
import { startBundler } from "../pipeline/bundle-process/start-bundler.ts";
import { makeHost } from "../pipeline/host.ts";
import { loadConfig } from "../pipeline/load-config.ts";
import { prepareProject } from "../pipeline/prepare-project.ts";
import { DEFAULT_TOOL_NAME } from "../serve/run-tool.ts";

/** `codemode serve`: the MCP server for agents, over stdio. */
export const serve: Command = async ({ options, context }) => {
  const toolName = options.text("toolName") ?? DEFAULT_TOOL_NAME;
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(toolName)) {
    throw invalidOption("--tool-name", "use 1 to 128 letters, digits, dots, dashes or underscores");
  }
  const config = await loadConfig(context);
  const frozen = options.has("frozen");
  const { lockfile } = await prepareProject(config, { frozen, note: context.output.note });
  const pool = makeSandboxPool({ maxMemoryBytes: config.limits.maxMemoryBytes });
  const bundler = startBundler();
  const host = makeHost({
    config,
    lockfile,
    pool,
    bundler,
    drift: frozen ? "refuse" : (config.drift ?? "refresh"),
    refuseBy: "tool",
  });
  try {
    // A sandbox that cannot start is said when the first one is taken.
    void pool.warm().catch(() => undefined);
    const { serveStdio } = await import("../serve/serve-stdio.ts");
    await serveStdio({ host, limits: config.limits, toolName }, context.signal);
    return 0;
  } finally {
    await Promise.all([host.close(), pool.close(), bundler.close()]);
  }
};

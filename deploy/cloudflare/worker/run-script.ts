import { connectServer } from "@codemode/runtime/connections/connect-server";
import { describeMismatch } from "@codemode/runtime/validation";
import { findMovedTools } from "../../../runtime/host/lock/drift-verdict.ts";
import { describeUnapprovedScript, reviewManifest } from "../../../runtime/host/checks/review-manifest.ts";
import { refused } from "../../../runtime/host/checks/refuse.ts";
import type { InputCheck } from "../../../runtime/host/checks/input-check.ts";
import { handleCalls } from "../../../runtime/host/call/handle-calls.ts";
import type { CallGuard, CallHost, Run } from "../../../runtime/host/run.ts";
import { resolveTarget } from "../../../runtime/mcp/resolve-target.ts";
import { runBundle } from "../../../runtime/sandbox/pool/run-bundle.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../../schemas/run/answer.ts";
import { parsePinnedBundle, type PinnedBundle } from "../../../schemas/run/pinned-bundle.ts";
import type { BuiltProject } from "./built-project.ts";
import { makeIsolate, type WorkerLoader } from "./isolate-engine.ts";

/** Runs the pinned scripts of a project. */
export interface ScriptRunner {
  has(name: string): boolean;
  run(name: string, input: JsonValue, signal: AbortSignal): Promise<RunAnswer>;
}

/** @param env the variables and secrets that placeholders of the configuration name */
export function makeScriptRunner(project: BuiltProject, loader: WorkerLoader, env: NodeJS.ProcessEnv): ScriptRunner {
  const config = toConfig(project.config, "codemode.config.json", "/");
  const lockfile = parseLockfile(project.lockfile, "codemode.lock.json");
  const access = ownAccess(config.policy);
  const scripts = new Map(
    Object.entries(project.scripts).map(([name, text]): [string, PinnedBundle] => [
      name,
      parsePinnedBundle(text, name),
    ]),
  );
  const checkInput: InputCheck = (tool, input) => {
    const validate = project.inputs[tool.integrity];
    if (validate === undefined) throw new Error(`No validator was built for ${tool.name}`);
    return validate(input) ? [] : ((validate.errors ?? []) as never);
  };

  return {
    has: (name) => scripts.has(name),
    async run(name, input, signal) {
      const { bundle } = scripts.get(name) as PinnedBundle;
      const moved = findMovedTools(bundle.manifest, lockfile, "Bundle the script again, and build the Worker.");
      if (moved.length > 0) return failedAnswer(moved);
      const review = reviewManifest(bundle, lockfile, access);
      if (review.kind === "denied") return failedAnswer([review.diagnostic]);
      if (review.kind === "ask") return failedAnswer([describeUnapprovedScript(review.request, "unavailable")]);
      const mismatch = checkScriptInput(project.scriptInputs[name], input);
      if (mismatch !== undefined) return failedAnswer([mismatch]);

      const found: Diagnostic[] = [];
      const connections = makeConnections(config, env, signal);
      const host: CallHost = {
        ...{ audience: "agent", checkInput, checkOutput: () => undefined },
        guard: () => connections.get,
      };
      const run: Run = {
        request: { access, signal, approve: async () => "unavailable" },
        ...{ lockfile, manifest: bundle.manifest, granted: [], seen: new Map(), unrepeatable: new Set<string>() },
        hold: () => () => undefined,
        report: (diagnostic) => found.push(diagnostic),
      };
      const handleCall = handleCalls(host, run, () =>
        refused("ToolCallError", "A Worker answers no questions about tools.", "Import the tool."),
      );
      try {
        const { limits } = config;
        const pool = { take: async () => makeIsolate(loader, limits.timeoutMs), maxMemoryBytes: limits.maxMemoryBytes };
        const answer = await runBundle(bundle, { handleCall, limits, pool, input, signal });
        return { ...answer, diagnostics: [...answer.diagnostics, ...found] };
      } finally {
        await connections.close();
      }
    },
  };
}

function checkScriptInput(
  validate: BuiltProject["inputs"][string] | undefined,
  input: JsonValue,
): Diagnostic | undefined {
  if (validate === undefined || validate(input)) return undefined;
  const { pointer, expected, received, hint } = describeMismatch(input, validate.errors ?? []);
  const place = pointer === "" ? "The input" : `"${pointer}" of the input`;
  const message = `${place} should be ${expected}, received ${received}.`;
  return { severity: "error", code: "INPUT_MISMATCH", message, hint, errorClass: "SchemaValidationError" };
}

/** The connections of one run: in a Worker none outlives its request. */
function makeConnections(
  config: ReturnType<typeof toConfig>,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): { get: CallGuard; close(): Promise<void> } {
  const open = new Map<string, ReturnType<typeof connectServer>>();
  return {
    get(serverId) {
      const known = open.get(serverId);
      if (known !== undefined) return known;
      const server = config.servers.find(({ id }) => id === serverId);
      if (server === undefined) throw new Error(`The configuration has no server "${serverId}"`);
      const connecting = connectServer(resolveTarget(server, "/", { env }), { signal });
      open.set(serverId, connecting);
      return connecting;
    },
    async close() {
      await Promise.allSettled([...open.values()].map(async (connecting) => (await connecting).close()));
    },
  };
}

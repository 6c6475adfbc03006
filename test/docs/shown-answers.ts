import type { Access } from "../../schemas/access/access.ts";
import type { Diagnostic, DiagnosticCode } from "../../schemas/run/answer.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { Host } from "../../engine/run/host.ts";
import { checkProgram } from "../../engine/bundle/program/compile-program.ts";
import { describeClock } from "../../extras/durable/script-clock.ts";
import { describeLost } from "../../extras/durable/undo-run.ts";
import { describeContinuing, LATE, RUN_LOST } from "../../serve/long-runs/print-run-news.ts";
import { makeAdmission } from "../../serve/admission/admission.ts";
import { makeView } from "../../serve/make-view.ts";
import type { SavedScripts } from "../../engine/saved-scripts.ts";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { toServerDiagnostic } from "../../runtime/host/connection-tool-error.ts";
import { CANCELLED, describeEnding } from "../../runtime/sandbox/pool/ending-diagnostics.ts";
import { makeScriptPositions } from "../../runtime/sandbox/pool/script-positions.ts";
import { toConfig } from "../../schemas/config/to-config.ts";

/** The diagnostics that no command gives by itself, as the program makes them: of a busy host, of agents, of what went wrong below. */
export async function makeShownDiagnostics(): Promise<Map<DiagnosticCode, Diagnostic | undefined>> {
  const gone = new ConnectionError("unreachable", 'server "github" cannot be reached: ECONNREFUSED', {
    ...{ serverName: "github", hint: 'Check "url" of server "github" and the network.' },
  });
  const positions = makeScriptPositions({ code: "", map: { version: 3, names: [], sources: [], mappings: "" } });
  const context = { limits: DEFAULTS.limits, positions, waiting: [], audience: "person", tools: [] } as const;
  const broken = describeEnding({ kind: "broken", reason: "its process ended by itself" }, context);
  return new Map<DiagnosticCode, Diagnostic | undefined>([
    ["ANSWER_UNUSED", LATE],
    [
      "BUNDLE_FAILURE",
      await checkProgram({ code: "else", map: { version: 3, names: [], sources: [], mappings: "" } }, []),
    ],
    ["CLOCK_CHANGED", describeClock({ elapsed: () => 0, setByMs: -3_600_000 })[0]],
    ["HOST_MEMORY", describeEnding({ kind: "host-memory" }, context)[0]],
    ["QUEUE_FULL", await refusalOf({ queue: { maxRunning: 1, maxWaiting: 0 } })],
    ["RATE_LIMITED", await refusalOf({ queue: { maxRunning: 8, maxWaiting: 8 }, rateLimit: { runsPerMinute: 1 } })],
    ["RUN_CANCELLED", CANCELLED],
    ["RUN_CONTINUES", describeContinuing("nZJ0Pr8hE5cN2mCq4QhT1w", "codemode.run")],
    ["RUN_LOST", RUN_LOST],
    ["SANDBOX_FAILURE", broken[0]],
    ["SCRIPT_UNAVAILABLE", await askForScript("summ")],
    ["SERVER_UNAVAILABLE", toServerDiagnostic(gone, "github")],
    ["UNDO_INCOMPLETE", describeLost({ number: 2, serverId: "ledger", toolName: "pay" })],
  ]);
}

/** What the second of two clients hears. */
async function refusalOf(settings: Parameters<typeof makeAdmission>[0]): Promise<Diagnostic | undefined> {
  const admission = makeAdmission(settings);
  const options = { signal: new AbortController().signal };
  await admission.enter("client", options);
  const second = await admission.enter("client", options);
  return second.kind === "refused" ? second.diagnostic : undefined;
}

async function askForScript(name: string): Promise<Diagnostic | undefined> {
  const sum = { name: "sum", tools: [], entry: { name: "sum", file: "scripts/sum.ts", isTool: false } };
  const scripts = { list: async () => [sum], find: async () => undefined, has: () => true } as unknown as SavedScripts;
  const view = makeView({
    host: {} as Host,
    scripts,
    config: toConfig({ mcpServers: {} }, "", ""),
    access: {} as Access,
  });
  const answer = await view.run({ script: name } as never, {} as never);
  return answer.diagnostics[0];
}

import type { ReportedCall, RunReport } from "../../../../extras/ui/report/run-report.ts";

/** A text that tries to be more than text, wherever it stands. */
export const HOSTILE = `</script></style></title><img src=x onerror="hacked=1">" onfocus='hacked=1' \u202e`;

const SIZE = { bytes: 10, tokens: 3 };
const INTEGRITY = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/** One call of a plain run. */
export function callAt(number: number, startMs: number, endMs: number, serverId = "files"): ReportedCall {
  return { number, serverId, toolName: "read", startMs, endMs, outcome: "ok", input: SIZE, output: SIZE };
}

export function reportOf(parts: Partial<RunReport>): RunReport {
  return {
    kind: "run",
    madeBy: { codemode: "0.1.0", node: "v20" },
    script: "script.ts",
    startedAt: 0,
    durationMs: 100,
    isOk: true,
    ...{ servers: [], tools: [], calls: [], logs: [], diagnostics: [], sources: [] },
    traffic: { inputs: SIZE, outputs: SIZE, answer: SIZE, script: SIZE },
    ...parts,
  };
}

/** A report with a hostile text in every place that can hold one. */
export function hostileReport(): RunReport {
  const tool = { serverId: HOSTILE, toolName: HOSTILE, integrity: INTEGRITY } as const;
  const shown = { text: HOSTILE, bytesLeftOut: 1 };
  const call: ReportedCall = { ...callAt(1, 0, 50), ...tool, outcome: "failed", error: HOSTILE };
  return reportOf({
    madeBy: { codemode: HOSTILE, node: HOSTILE },
    script: HOSTILE,
    servers: [{ id: HOSTILE, integrity: INTEGRITY }],
    tools: [tool],
    calls: [{ ...call, payloads: { input: shown, output: shown } }],
    logs: [{ level: "warn", message: HOSTILE, timeMs: 1 }],
    diagnostics: [
      { severity: "error", code: "SYNTAX_ERROR", message: HOSTILE, hint: HOSTILE, path: `${HOSTILE}:1:1` },
      { severity: "warning", code: "DRY_RUN", message: HOSTILE, path: HOSTILE },
    ],
    sources: [{ name: HOSTILE, text: HOSTILE }],
    result: shown,
  });
}

/** More than anybody looks at. */
export function longReport(): RunReport {
  const calls = Array.from({ length: 1500 }, (_item, index) =>
    callAt(index + 1, index, index + 40, `server-${index % 3}`),
  );
  const logs = Array.from({ length: 10_000 }, (_item, index) => ({
    level: "log" as const,
    message: `line ${index}`,
    timeMs: index / 8,
  }));
  return reportOf({ durationMs: 1600, calls, logs });
}

import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { Recording } from "../../schemas/run/recording.ts";

/** A recording with something of everything. */
export const RECORDING: Recording = {
  madeBy: { codemode: "1.0.0", node: "v20.20.0" },
  script: "script.ts",
  redact: ["*token*"],
  servers: { files: "sha256-x" },
  start: { timeMs: 1_800_000_000_000, seed: [1, 2, 3, 4] },
  input: { zulu: 1, alpha: [null] },
  limits: DEFAULTS.limits,
  bundle: { code: "1", map: { version: 3, names: [], sources: [], mappings: "" }, manifest: { tools: [] } },
  calls: [
    { serverId: "files", toolName: "read", input: { b: 1, a: 2 }, startMs: 1, endMs: 5, reply: { ok: true, value: 1 } },
    { serverId: "files", toolName: "read", input: null, startMs: 2 },
  ],
  events: [
    { timeMs: 3, timer: 1 },
    { timeMs: 5, call: 1 },
  ],
  answer: { logs: [{ level: "log", message: "\ud83d", timeMs: 0 }], result: null, diagnostics: [], toolTrace: [] },
  ending: "result",
};

/** Where a figure comes from, if no benchmark quotes it. */
export type Source =
  /** The default of a key of the configuration. */
  | { key: string }
  /** A constant in a source file, whose value is compared. */
  | { file: string; constant: string }
  /** Words of a file, where the figure is not a number of TypeScript. */
  | { file: string; words: string }
  /** What is neither a setting nor measured: an advice, a limit of others, or a sum of settings. */
  | { reason: string };

/** Figures by page and text. Measured ones are in measured.ts. */
export const SOURCES: { [page: string]: { [figure: string]: Source } } = {
  "README.md": { "15 minutes": { reason: "how long the tutorial takes a reader" } },
  "docs/README.md": { "15 minutes": { reason: "how long the tutorial takes a reader" } },
  "docs/getting-started.md": { "15 minutes": { reason: "how long the tutorial takes a reader" } },
  "CONTRIBUTING.md": {
    "90 %": { file: "scripts/mutation/run.js", words: "MIN_PERCENT = 90" },
    "10 minutes": { reason: "how long one area of mutation tests takes, about" },
  },
  "ARCHITECTURE.md": {
    "256 KiB": { file: "runtime/mcp/client/printed-content.ts", constant: "LONG_CONTENT_BYTES" },
    "10 seconds": { file: "extras/durable/kept-runs.ts", constant: "LEASE_MS" },
  },
  "SECURITY.md": {
    "10 ms": { file: "runtime/sandbox/pool/process-memory.ts", constant: "POLL_MS" },
    "10 minutes": { file: "serve/bounded-cache.ts", constant: "KEPT_MINUTES" },
    "4 MiB": { file: "extras/stores/join-store.ts", constant: "MOST_BYTES" },
    "32 MiB": { file: "runtime/sandbox/pool/idle-processes.ts", constant: "compartment" },
    "48 MiB": { file: "runtime/sandbox/pool/idle-processes.ts", constant: "realm" },
  },
  "openapi/README.md": { "64 MiB": { file: "openapi/document/limits.ts", constant: "MAX_DOCUMENT_BYTES" } },
  "docs/batches.md": {
    "64 MiB": { file: "extras/batch/read-inputs.ts", constant: "MAX_LINE_BYTES" },
    "8 bytes": { reason: "the size of one number in an array of numbers" },
    "0.5 s": { file: "extras/batch/open-batch-engine.ts", constant: "FIRST_PAUSE_MS" },
    "30 s": { file: "extras/batch/open-batch-engine.ts", constant: "LONGEST_PAUSE_MS" },
    "10 seconds": { file: "extras/durable/kept-runs.ts", constant: "LEASE_MS" },
  },
  "docs/durable.md": {
    "10 s": { file: "extras/durable/drive-run.ts", constant: "SUSPEND_AFTER_MS" },
    "2 seconds": { file: "extras/durable/watch-free-runs.ts", constant: "LOOK_EVERY_MS" },
    "10 seconds": { file: "extras/durable/kept-runs.ts", constant: "LEASE_MS" },
  },
  "docs/configuration.md": {
    "30 s": { key: "limits.timeoutMs" },
    "128 MiB": { key: "limits.maxMemoryBytes" },
    "256 KiB": { key: "limits.maxLogBytes" },
    "1 MiB": { key: "limits.maxResultBytes" },
    "32 KiB": { key: "serve.maxResultBytes" },
    "60 s": { key: "mcpServers.NAME.timeoutMs" },
    "64 MiB": { file: "runtime/mcp/client/wire/message-transport.ts", constant: "MAX_MESSAGE_BYTES" },
    "50 MB": { reason: "what Node itself takes, about" },
  },
  "docs/containers.md": {
    "64 MiB": { file: "compose.yaml", words: "size=64m" },
    "2 GiB": { file: "deploy/kubernetes.yaml", words: "memory: 2Gi" },
    "1 MiB": { reason: "a limit of Kubernetes" },
    "10 seconds": { key: "serve.drainMs" },
  },
  "docs/engines.md": {
    "10 ms": { file: "runtime/sandbox/pool/process-memory.ts", constant: "POLL_MS" },
    "20 ms": { file: "runtime/sandbox/pool/prefixed-process.ts", constant: "POLL_MS" },
    "128 MB": { reason: "a limit of Cloudflare Workers" },
  },
  "docs/errors.md": {
    "10 s": { file: "engine/check/process/start-checker.ts", constant: "MAX_PROCESSOR_MS" },
    "64 MiB": { file: "extras/batch/read-inputs.ts", constant: "MAX_LINE_BYTES" },
  },
  "docs/performance.md": {
    "48 MiB": { file: "runtime/sandbox/pool/idle-processes.ts", constant: "realm" },
    "50 MB": { reason: "what Node itself takes, about" },
    "50 ms": { file: "runtime/sandbox/pool/pool.ts", constant: "MIN_PATIENCE_MS" },
    "20 MB": { file: "bench/cases/payload.js", words: '["20 MB", 20e6]' },
  },
  "docs/versions.md": {
    "10 ms": { file: "runtime/sandbox/pool/process-memory.ts", constant: "POLL_MS" },
    "200 ms": { file: "runtime/sandbox/pool/process-memory.ts", constant: "SLOW_POLL_MS" },
  },
  "docs/recording.md": {
    "1 GiB": { file: "runtime/sandbox/pool/limits.ts", constant: "maxMemoryBytes" },
    "8 MiB": { file: "runtime/sandbox/pool/limits.ts", constant: "maxLogBytes" },
    "16 MiB": { file: "runtime/sandbox/pool/limits.ts", constant: "maxResultBytes" },
  },
  "docs/sandbox.md": {
    "50 MB": { reason: "what Node itself takes, about" },
  },
  "docs/scaling.md": {
    "4 MiB": { file: "extras/stores/join-store.ts", constant: "MOST_BYTES" },
    "4 seconds": { file: "extras/stores/store-health.ts", constant: "SILENT_MS" },
    "10 seconds": { file: "extras/durable/kept-runs.ts", constant: "LEASE_MS" },
    "1.5 seconds": { reason: "fall times fastinter, and one interval, of the settings above" },
    "5 seconds": { file: "extras/durable/stores/join-database.ts", constant: "COMMAND_MS" },
  },
  "docs/serving-over-http.md": {
    "5 minutes": { key: "mcpServers.NAME.idleMs" },
    "4 MiB": { file: "serve/http/json-rpc.ts", constant: "MAX_BODY_BYTES" },
    "10 s": { file: "serve/http/http-listener.ts", constant: "headersTimeout" },
    "60 s": { file: "serve/http/http-listener.ts", constant: "requestTimeout" },
    "2 minutes": { file: "serve/http/serve-http.ts", constant: "SESSION_IDLE_MS" },
    "10 seconds": { key: "serve.drainMs" },
    "24 seconds": { reason: "the sum of the times of the three steps" },
    "2 seconds": { file: "serve/agent-server.ts", constant: "HEARTBEAT_MS" },
    "5 seconds": { reason: "an advice" },
  },
  "docs/telemetry.md": {
    "1 MiB": { file: "extras/observe/telemetry/trace-events.ts", constant: "MAX_RESULT_BYTES" },
  },
  "docs/agent-tools.md": {
    "2 KiB": { file: "serve/answers/print-answer.ts", constant: "LONGEST_LINE" },
    "32 KiB": { key: "serve.maxResultBytes" },
    "64 MiB": { file: "serve/answers/result-cache.ts", constant: "MOST_BYTES" },
    "45 seconds": { key: "serve.detachAfterMs" },
    "30 seconds": { key: "limits.timeoutMs" },
    "16 MiB": { file: "serve/long-runs/answer-cache.ts", constant: "MOST_ANSWER_BYTES" },
    "8 MiB": { file: "serve/answers/served-result.ts", constant: "MOST_CHARACTERS" },
    "8,000 tokens": { reason: "about a quarter of MOST_CHARACTERS of serve/surfaces/files-surface.ts" },
    "1,000 tokens": { file: "serve/description/describe-run-tool.ts", constant: "tokens" },
  },
  "docs/surfaces.md": {
    "32 KiB": { key: "serve.maxResultBytes" },
    "45 seconds": { key: "serve.detachAfterMs" },
    "1,000 tokens": { file: "serve/description/describe-run-tool.ts", constant: "tokens" },
  },
  "docs/ui.md": {
    "4 KiB": { file: "extras/ui/report/collect/report-parts.ts", constant: "MAX_BYTES" },
    "2 MiB": { file: "extras/ui/report/collect/report-parts.ts", constant: "MAX_BYTES_IN_ALL" },
    "64 KiB": { file: "extras/ui/report/collect/report-parts.ts", constant: "SAMPLE" },
  },
};

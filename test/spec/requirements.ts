/** One MUST of the specification that this part of codemode answers for. */
export interface Requirement {
  section: string;
  text: string;
}

/**
 * The MUSTs of sections 1.4, 3.2 to 3.5, 7.4, 9 and 11, in the specification's words where they are short enough. A test cites one by
 * its key in square brackets in the test's name.
 */
export const REQUIREMENTS: Record<string, Requirement> = {
  "1.4/fresh": { section: "1.4", text: "Each run MUST start with a fresh sandbox. No state is carried over." },

  "3.2/request": { section: "3.2", text: "A request MUST be a JSON object with `code`, a string." },
  "3.2.1/modules": {
    section: "3.2.1",
    text: "The sandbox MUST execute code with ES module semantics: import and export.",
  },
  "3.2.1/top-level-await": { section: "3.2.1", text: "ES module semantics include top-level await." },
  "3.2.1/documented": { section: "3.2.1", text: "A host MUST document additional restrictions in its system prompt." },
  "3.2.2/global": { section: "3.2.2", text: "The sandbox MUST define globalThis.__codemode_result__." },
  "3.2.2/final-value": { section: "3.2.2", text: "`result` MUST be the final value assigned to it, otherwise null." },
  "3.2.3/lazy": {
    section: "3.2.3",
    text: "requestedCapabilities MUST be treated as hints; unavailable ones are named.",
  },
  "3.2.3/documented": { section: "3.2.3", text: "A host MUST document supported capability identifiers." },
  "3.2.4/unknown-keys": { section: "3.2.4", text: "A host MUST ignore unrecognized limit keys without error." },
  "3.2.4/documented": { section: "3.2.4", text: "A host MUST document supported limit keys." },

  "3.3/fields": { section: "3.3", text: "A response MUST have logs, result and diagnostics." },
  "3.3/result": { section: "3.3", text: "`result` MUST be a JSON-serializable value; null by default." },
  "3.3.1/entry": { section: "3.3.1", text: "A log entry MUST have level, message and timeMs, an integer." },
  "3.3.1/concatenated": { section: "3.3.1", text: "All arguments MUST be concatenated into a single message." },
  "3.3.1/primitives": { section: "3.3.1", text: "For primitives, the host MUST use String(value) semantics." },
  "3.3.1/stable-json": {
    section: "3.3.1",
    text: "For objects and arrays, the host MUST use a stable JSON serialization.",
  },
  "3.3.1/fallback": {
    section: "3.3.1",
    text: "If serialization fails, the host MUST fall back to a best-effort string.",
  },
  "3.3.1/truncation": {
    section: "3.3.1",
    text: "If logs are truncated, the host MUST append a final warn entry with the limit.",
  },
  "3.3.2/fields": { section: "3.3.2", text: "A trace entry MUST have serverId, toolName, durationMs and ok." },
  "3.3.2/redacted": { section: "3.3.2", text: "The toolTrace MUST NOT include tool inputs or outputs." },
  "3.3.3/fields": { section: "3.3.3", text: "A diagnostic MUST have severity, code and message." },
  "3.3.4/always-answer": { section: "3.3.4", text: "A run MUST always return a structured response." },
  "3.3.4/diagnostic": {
    section: "3.3.4",
    text: "The host MUST populate diagnostics with an entry describing the failure.",
  },
  "3.3.4/null-result": { section: "3.3.4", text: "`result` MUST be null." },
  "3.3.4/logs": { section: "3.3.4", text: "`logs` MUST include console output captured before the failure." },

  "3.4/network": { section: "3.4", text: "A host MUST ensure: no ambient network access from within the sandbox." },
  "3.4/side-effects": { section: "3.4", text: "External side effects MUST occur only through MCP tool calls." },
  "3.5/provided": { section: "3.5", text: "The sandbox MUST provide the listed globals." },
  "3.5/not-provided": {
    section: "3.5",
    text: "The sandbox MUST NOT provide network APIs, setInterval, eval, or globals of Node.",
  },
  "3.5/no-code": {
    section: "3.5",
    text: "The sandbox MUST NOT provide the Function constructor with string arguments.",
  },
  "3.5/documented": { section: "3.5", text: "A host MUST document any deviations from this list." },

  "7.4/limit-error": { section: "7.4", text: "If the sandbox exceeds limits, the host MUST report SandboxLimitError." },
  "7.4/logs": { section: "7.4", text: "The response MUST still include logs captured prior to termination." },
  "7.4/terminate": { section: "7.4", text: "Cancellation MUST terminate the sandbox execution." },

  "9/methods": { section: "9", text: "The sandbox MUST support console.log, debug, warn and error." },
  "9/truncation": { section: "9", text: "Log truncation MUST be signaled." },

  "11/resources": { section: "11", text: "A host is responsible for preventing resource exhaustion." },
  "11/pollution": { section: "11", text: "… for preventing prototype pollution and unsafe host-object exposure." },
  "11/untrusted": { section: "11", text: "… for treating what comes from outside as untrusted input." },
  "11/bindings": { section: "11", text: "… for preventing code from subverting the binding layer." },
  "11/no-code": { section: "11", text: "eval and new Function(string) MUST NOT be available." },
  "11/credentials": { section: "11", text: "Credentials are the host's: a sandbox process has none (1.3, 11)." },
};

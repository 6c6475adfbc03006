/** Errors. */
export const SECTION_7: Readonly<Record<string, string>> = {
  "7/structured": "Errors MUST be structured.",
  "7.1/classes": "`@codemode/errors` MUST define the six error classes.",
  "7.1/base": "All error classes MUST extend CodemodeError.",
  "7.1/tool-not-found": "ToolNotFoundError: the requested tool does not exist on the server.",
  "7.1/server-not-found": "ServerNotFoundError: the requested server is not connected.",
  "7.1/tool-call": "ToolCallError wraps MCP isError results.",
  "7.1/authentication": "AuthenticationError: the server rejected the call for its credentials.",
  "7.1/limit": "SandboxLimitError: the sandbox exceeded a configured limit.",
  "7.2/tool-name": "A SchemaValidationError MUST include the canonical tool name.",
  "7.2/export-name": "… the JS export name.",
  "7.2/pointer": "… the JSON Pointer to the failing property.",
  "7.2/expected": "… expected and received type or value.",
  "7.3/hint": "Each error MUST include a hint.",
  "7.4/limit-error": "If the sandbox exceeds limits, the host MUST report SandboxLimitError.",
  "7.4/logs": "The response MUST still include logs captured prior to termination.",
  "7.4/terminate": "Cancellation MUST terminate the sandbox execution.",
};

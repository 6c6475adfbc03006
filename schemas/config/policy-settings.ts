/** Glob patterns over `serverId/toolName`, or annotations such as `@readOnly`. The strictest wins: `deny`, `askEach`, `ask`, `allow`. */
export interface Policy {
  allow: readonly string[];
  /** A person is asked once, before a script runs. */
  ask: readonly string[];
  /** A person is asked before each call, with its arguments. */
  askEach?: readonly string[];
  deny: readonly string[];
}

export const DEFAULT_POLICY: Policy = { allow: ["*"], ask: [], deny: [] };

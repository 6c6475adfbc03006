/** Glob patterns over `serverId/toolName`, or annotations such as `@readOnly`. `deny` wins over `ask`, `ask` over `allow`. */
export interface Policy {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

export const DEFAULT_POLICY: Policy = { allow: ["*"], ask: [], deny: [] };

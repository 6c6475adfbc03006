import type { Policy } from "./config-file.ts";

export const DEFAULT_POLICY: Policy = { allow: ["*"], ask: [], deny: [] };

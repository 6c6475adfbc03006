import { CLAUDE_CODE } from "./agents/claude-code.ts";
import { CLINE } from "./agents/cline.ts";
import { CODEX } from "./agents/codex.ts";
import { CONTINUE } from "./agents/continue.ts";
import { COPILOT } from "./agents/copilot.ts";
import { GEMINI_CLI } from "./agents/gemini.ts";
import { OPENCODE } from "./agents/opencode.ts";
import { QWEN } from "./agents/qwen.ts";
import type { Client } from "./client.ts";
import { LIBRARIES } from "./libraries.ts";

/** All clients, in the order of the page. */
export const CLIENTS: readonly Client[] = [
  CLAUDE_CODE,
  CODEX,
  GEMINI_CLI,
  OPENCODE,
  COPILOT,
  QWEN,
  CLINE,
  CONTINUE,
  ...LIBRARIES,
];

import type { CommandSpec } from "./command.ts";
import { AGENT_COMMANDS } from "./specs/agents.ts";
import { PROJECT_COMMANDS } from "./specs/project.ts";
import { SCRIPT_COMMANDS } from "./specs/scripts.ts";

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [...PROJECT_COMMANDS, ...SCRIPT_COMMANDS, ...AGENT_COMMANDS];

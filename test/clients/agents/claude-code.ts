import { join } from "node:path";
import type { Client } from "../client.ts";
import { writeJson } from "../write-json.ts";

export const CLAUDE_CODE: Client = {
  id: "claude-code",
  title: "Claude Code",
  kind: "client",
  packages: ["@anthropic-ai/claude-code"],
  entry: ["claude-code"],
  environment: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  async prepare({ home, project }) {
    // What a person answers once: the folder is trusted, and its servers may be used.
    const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
    await writeJson(join(home, ".claude.json"), {
      hasCompletedOnboarding: true,
      projects: { [project]: trusted, [join(project, "notes")]: trusted },
    });
    await writeJson(join(home, ".claude/settings.json"), { enableAllProjectMcpServers: true });
  },
  command: (_place, prompt) => ["claude", "-p", prompt, "--allowedTools", "mcp__codemode__codemode_run,Bash"],
  resources: [
    { tool: /^ListMcpResources/, input: {}, search: "select:ListMcpResourcesTool,ReadMcpResourceTool" },
    { tool: /^ReadMcpResource/, input: { server: "codemode", uri: "codemode://types/files" } },
  ],
  shell: (command) => ({ tool: /^Bash$/, input: { command, description: "Runs codemode" } }),
  note: "`claude -p` uses the servers of a project only if the folder is trusted and its servers are approved, and says nothing otherwise.",
};

import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../client.ts";

export const CODEX: Client = {
  id: "codex",
  title: "Codex",
  kind: "client",
  packages: ["@openai/codex"],
  entry: ["codex"],
  environment: () => ({ OPENAI_API_KEY: "none" }),
  async prepare({ home, project, model }) {
    const lines = [
      'model = "gpt-5.1-codex"',
      'model_provider = "scripted"',
      'approval_policy = "never"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${model}/v1"`,
      'wire_api = "responses"',
      `[projects."${project}"]`,
      'trust_level = "trusted"',
    ];
    await mkdir(join(home, ".codex"), { recursive: true });
    await writeFile(join(home, ".codex/config.toml"), `${lines.join("\n")}\n`);
  },
  // The entry's table is the last of the file.
  adjustEntry: ({ project }) =>
    appendFile(join(project, ".codex/config.toml"), '\ndefault_tools_approval_mode = "approve"\n'),
  command: (_place, prompt) => ["codex", "exec", "--skip-git-repo-check", prompt],
  resources: [
    { tool: /^list_mcp_resources$/, input: { server: "codemode" } },
    { tool: /^read_mcp_resource$/, input: { server: "codemode", uri: "codemode://types/files" } },
  ],
  declinesForms: true,
  note: 'Where an answer has structured content its model reads nothing else, pictures included, so it gets text and blocks. `codex exec` refuses each call of a tool that is not read-only, unless the entry has `default_tools_approval_mode = "approve"`; the trials set it.',
};

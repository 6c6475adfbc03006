import { join } from "node:path";
import type { Client } from "../client.ts";
import { writeJson } from "../write-json.ts";

export const GEMINI_CLI: Client = {
  id: "gemini",
  title: "Gemini CLI",
  kind: "client",
  packages: ["@google/gemini-cli"],
  entry: ["gemini"],
  environment: ({ model }) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model }),
  prepare: ({ home }) =>
    writeJson(join(home, ".gemini/settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    }),
  command: (_place, prompt) => ["gemini", "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "-p", prompt],
  resources: [
    { tool: /^list_mcp_resources$/, input: { serverName: "codemode" } },
    { tool: /^read_mcp_resource$/, input: { uri: "codemode://types/files" } },
  ],
  impossible: { below: "It reads the settings of the folder in which it starts only." },
};

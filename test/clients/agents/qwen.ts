import { join } from "node:path";
import type { Client } from "../client.ts";
import { writeJson } from "../write-json.ts";

export const QWEN: Client = {
  id: "qwen",
  title: "Qwen Code",
  kind: "client",
  packages: ["@qwen-code/qwen-code", "node"],
  entry: ["qwen"],
  environment: ({ model }) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${model}/v1`, OPENAI_MODEL: "scripted" }),
  prepare: ({ home }) =>
    writeJson(join(home, ".qwen/settings.json"), {
      security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    }),
  impossible: { below: "It reads the settings of the folder in which it starts only." },
  note: "It shows tools after a search only, unless the entry has `alwaysLoadTools`. Pictures are left out.",
  command: (_place, prompt) => ["qwen", "--auth-type", "openai", "--approval-mode", "yolo", "-p", prompt],
};

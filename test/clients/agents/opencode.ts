import { join } from "node:path";
import type { Client } from "../client.ts";
import { writeJson } from "../write-json.ts";

export const OPENCODE: Client = {
  id: "opencode",
  title: "opencode",
  kind: "client",
  packages: ["opencode-ai"],
  entry: ["opencode"],
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  prepare: ({ home, model }) =>
    writeJson(join(home, ".config/opencode/opencode.json"), {
      autoupdate: false,
      share: "disabled",
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "scripted",
          options: { baseURL: `${model}/v1`, apiKey: "none" },
          models: { scripted: { name: "scripted", tool_call: true, limit: { context: 200_000, output: 8000 } } },
        },
      },
    }),
  command: (_place, prompt) => ["opencode", "run", prompt],
};

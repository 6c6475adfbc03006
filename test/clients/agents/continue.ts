import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../client.ts";

export const CONTINUE: Client = {
  id: "continue",
  title: "Continue CLI",
  kind: "client",
  packages: ["@continuedev/cli"],
  entry: ["continue", "--user"],
  environment: () => ({}),
  async prepare({ home, model }) {
    const lines = [
      "name: trial",
      "version: 0.0.1",
      "schema: v1",
      "models:",
      "  - name: scripted",
      "    provider: openai",
      "    model: scripted",
      `    apiBase: ${model}/v1`,
      "    apiKey: none",
      "    roles: [chat]",
      "    capabilities: [tool_use]",
    ];
    await mkdir(join(home, ".continue"), { recursive: true });
    await writeFile(join(home, ".continue/config.yaml"), `${lines.join("\n")}\n`);
  },
  note: "An answer reaches the model as a list of blocks in JSON, so its quotes are escaped and a picture is Base64 in it.",
  command: ({ home }, prompt) => ["cn", "--config", join(home, ".continue/config.yaml"), "--auto", "-p", prompt],
};

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../client.ts";

export const CONTINUE: Client = {
  id: "continue",
  title: "Continue CLI",
  kind: "client",
  packages: ["@continuedev/cli"],
  environment: () => ({}),
  async prepare({ home, model, server }) {
    const settings = {
      name: "scripted",
      provider: "openai",
      model: "scripted",
      apiBase: `${model}/v1`,
      apiKey: "none",
    };
    const models = [{ ...settings, roles: ["chat"], capabilities: ["tool_use"] }];
    await mkdir(join(home, ".continue"), { recursive: true });
    // JSON is YAML.
    const config = {
      name: "trial",
      version: "0.0.1",
      schema: "v1",
      models,
      mcpServers: [
        {
          name: "codemode",
          ...("url" in server
            ? { type: "streamable-http", url: server.url, requestOptions: { headers: server.headers } }
            : server),
        },
      ],
    };
    await writeFile(join(home, ".continue/config.yaml"), `${JSON.stringify(config, null, 2)}\n`);
  },
  command: ({ home }, prompt) => ["cn", "--config", join(home, ".continue/config.yaml"), "--auto", "-p", prompt],
};

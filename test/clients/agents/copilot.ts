import { join } from "node:path";
import type { Client } from "../client.ts";
import { writeJson } from "../write-json.ts";

export const COPILOT: Client = {
  id: "copilot",
  title: "Copilot CLI",
  kind: "client",
  packages: ["@github/copilot"],
  entry: ["copilot-cli"],
  environment: ({ model }) => ({
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "none",
    COPILOT_MODEL: "scripted",
    COPILOT_OFFLINE: "true",
  }),
  prepare: ({ home, project }) =>
    writeJson(join(home, ".copilot/config.json"), { trusted_folders: [project, join(project, "notes")] }),
  command: (_place, prompt) => ["copilot", "-p", prompt, "--allow-all-tools"],
  declinesForms: true,
  note: "With a chat model, pictures are left out. It uses the servers of a project only if the folder is trusted.",
};

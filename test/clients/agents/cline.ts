import type { Client } from "../client.ts";
import { runCommand } from "../run-command.ts";
import { makeEnvironment } from "../make-environment.ts";

export const CLINE: Client = {
  id: "cline",
  title: "Cline CLI",
  kind: "client",
  packages: ["cline"],
  environment: () => ({}),
  async prepare(place) {
    const words = ["cline", "auth", "-p", "openai", "-k", "none", "-m", "scripted", "-b", `${place.model}/v1`];
    await runCommand(words, { folder: place.project, environment: makeEnvironment(CLINE, place), seconds: 60 });
    const { server } = place;
    const add =
      "url" in server
        ? ["--transport", "http", "codemode", server.url]
        : ["codemode", "--yes", "--", server.command, ...server.args];
    await runCommand(["cline", "mcp", "add", ...add], {
      folder: place.project,
      environment: makeEnvironment(CLINE, place),
      seconds: 60,
    });
  },
  command: (_place, prompt) => ["cline", "-P", "openai", "-m", "scripted", prompt],
};

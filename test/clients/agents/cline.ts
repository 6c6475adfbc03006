import type { Client } from "../client.ts";
import { runCommand } from "../run-command.ts";
import { makeEnvironment } from "../make-environment.ts";

export const CLINE: Client = {
  id: "cline",
  title: "Cline CLI",
  kind: "client",
  packages: ["cline"],
  entry: ["cline"],
  environment: () => ({}),
  async prepare(place) {
    const words = ["cline", "auth", "-p", "openai", "-k", "none", "-m", "scripted", "-b", `${place.model}/v1`];
    await runCommand(words, { folder: place.project, environment: makeEnvironment(CLINE, place), seconds: 60 });
  },
  impossible: {
    http: "Its file takes no reference to a variable, and `codemode install` writes no token into a file.",
  },
  note: "The whole answer reaches the model as one text of JSON, so a picture is Base64 in it.",
  command: (_place, prompt) => ["cline", "-P", "openai", "-m", "scripted", prompt],
};

import type { ClientPlaces, ClientScope } from "../../../engine/project/clients/client-files.ts";
import { homedir } from "node:os";
import { optionInvalid } from "../../../schemas/errors.ts";
import type { OptionValues } from "../../../cli/command.ts";

/** Where files of clients are, for a project in this folder. */
export function placesOf(folder: string): ClientPlaces {
  return { folder, home: homedir(), platform: process.platform, env: process.env };
}

/** The name of an entry (`--name`). */
export function readEntryName(options: OptionValues): string {
  const name = options.text("name") ?? "codemode";
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)) {
    throw optionInvalid("--name", "use a letter, then up to 31 letters, digits, dashes or underscores");
  }
  return name;
}

/** Whose file is meant (`--project`, `--user`); undefined where that is left to the client. */
export function readScope(options: OptionValues): ClientScope | undefined {
  if (options.has("project") && options.has("user")) throw optionInvalid("--project", "it excludes --user");
  if (options.has("project")) return "project";
  return options.has("user") ? "user" : undefined;
}

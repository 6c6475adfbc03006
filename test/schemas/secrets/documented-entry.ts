import type { ServerEntry } from "../../../schemas/config/config-file.ts";

/** How a server's own documentation says to configure it, with made-up secrets; and where they are: place, then variable. */
export interface DocumentedEntry {
  name: string;
  entry: ServerEntry;
  secrets: Record<string, string>;
}

export const HEX = "4f1c9ab07de35268b1f0c2d94e7a8356";
export const BASE62 = "q7Rk2LmZ9xTcV4bN8sWdJ3fH6gYpA1eU";

export const run = (
  name: string,
  command: string,
  words: string,
  secrets: Record<string, string> = {},
): DocumentedEntry => ({
  name,
  entry: { command, args: words.split(" ") },
  secrets,
});
export const runWith = (
  name: string,
  env: Record<string, string>,
  secrets: Record<string, string> = {},
): DocumentedEntry => ({
  name,
  entry: { command: "npx", args: ["-y", `@acme/${name}`], env },
  secrets,
});
export const remote = (
  name: string,
  url: string,
  headers: Record<string, string>,
  secrets: Record<string, string> = {},
): DocumentedEntry => ({ name, entry: { type: "http", url, headers }, secrets });

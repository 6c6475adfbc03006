import { resolve } from "node:path";
import type { ServerSettings } from "./configuration.ts";
import { LinkFailure } from "./link-failure.ts";
import { replacePlaceholders } from "./placeholders.ts";

/** Where a server is, all placeholders replaced. */
export type ServerTarget = StdioTarget | HttpTarget;

export interface StdioTarget {
  transport: "stdio";
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Names of variables that it gets as they are. */
  inheritEnv: readonly string[];
  cwd: string;
}

export interface HttpTarget {
  transport: "http" | "sse";
  url: string;
  headers: Readonly<Record<string, string>>;
}

/** Replaces the placeholders. Throws `LinkFailure`, which names variables and never a value. */
export function toTarget({ entry, folder, name }: ServerSettings): ServerTarget {
  const fill = (text: string): string =>
    replacePlaceholders(
      text,
      folder,
      (variable) =>
        new LinkFailure("not-configured", `The server "${name}" needs the environment variable ${variable}.`),
    );
  const fillAll = (texts: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  if ("url" in entry) {
    const url = fill(entry.url);
    if (!/^https?:/.test(url) || !URL.canParse(url)) {
      throw new LinkFailure("not-configured", `The "url" of the server "${name}" is no http: or https: address.`);
    }
    return { transport: entry.type === "sse" ? "sse" : "http", url, headers: fillAll(entry.headers) };
  }
  return {
    transport: "stdio",
    command: fill(entry.command),
    args: (entry.args ?? []).map(fill),
    env: fillAll(entry.env),
    inheritEnv: entry.inheritEnv ?? [],
    cwd: resolve(folder, fill(entry.cwd ?? ".")),
  };
}

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "./client.ts";
import { runCommand } from "./run-command.ts";
import { writeJson } from "./write-json.ts";
import versions from "./versions.json" with { type: "json" };

const VERSIONS: Readonly<Record<string, string>> = versions;

/** The version of a client, as versions.json pins it. */
export function versionOf({ packages }: Client): string {
  return VERSIONS[packages[0]] ?? "";
}

/** The packages of a client, each in the version that versions.json pins. */
export function dependenciesOf({ packages }: Client): Record<string, string> {
  return Object.fromEntries(packages.map((name) => [name, VERSIONS[name] ?? ""]));
}

/** Installs packages with npm, unless they are installed in these versions. Their own install scripts run. */
export async function installPackages(dependencies: Record<string, string>, folder: string): Promise<void> {
  const stamp = join(folder, "installed.json");
  const packages = Object.keys(dependencies);
  const text = await readFile(stamp, "utf8").catch(() => "{}");
  if (JSON.stringify(JSON.parse(text)) === JSON.stringify(dependencies)) return;
  const allowScripts = Object.fromEntries(packages.map((name) => [name, true]));
  await mkdir(folder, { recursive: true });
  await writeJson(join(folder, "package.json"), { private: true, type: "module", dependencies, allowScripts });
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const options = ["--no-audit", "--no-fund", "--no-package-lock", "--engine-strict=false"];
  const end = await runCommand(["npm", "install", ...options], { folder, environment, seconds: 600 });
  if (end.code !== 0) throw new Error(`npm cannot install ${packages.join(", ")}:\n${end.output}`);
  await writeJson(stamp, dependencies);
}

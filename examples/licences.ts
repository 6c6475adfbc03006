// Which licences do our dependencies carry, and which of them run code when they are installed?
//
// The answer is in package-lock.json: hundreds of kilobytes that an agent should never see.
// This script reads the file through one MCP server, keeps what matters inside the sandbox,
// writes it down in the knowledge graph of another, and returns a few lines.
import { read_text_file } from "@codemode/servers/filesystem";
import { create_entities, open_nodes } from "@codemode/servers/memory";

interface LockedPackage {
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

const { content } = await read_text_file({ path: "package-lock.json" });
const { packages } = JSON.parse(content) as { packages: Record<string, LockedPackage> };
const dependencies = Object.entries(packages).filter(([path]) => path.startsWith("node_modules/"));
console.log(`read ${content.length} characters about ${dependencies.length} packages`);

const counts = new Map<string, number>();
for (const [, { license = "unknown" }] of dependencies) counts.set(license, (counts.get(license) ?? 0) + 1);
const licences = [...counts].toSorted(([, a], [, b]) => b - a);
const installScripts = dependencies
  .filter(([, { hasInstallScript }]) => hasInstallScript)
  .map(([path]) => path.replace(/^.*node_modules\//, ""));

const name = "dependency licences";
const observations = licences.map(([licence, count]) => `${licence}: ${count}`);
await create_entities({ entities: [{ name, entityType: "report", observations }] });
const { entities } = await open_nodes({ names: [name] });

export default {
  packages: dependencies.length,
  licences: Object.fromEntries(licences.slice(0, 5)),
  installScripts,
  remembered: entities.length === 1,
};

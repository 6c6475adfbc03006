// Which licences do our dependencies have? The answer is in package-lock.json: hundreds of kilobytes that an agent
// should never see. One server reads the file, one remembers what was found, and one compresses it.
import { gzip_file_as_resource } from "@codemode/servers/everything";
import { read_text_file } from "@codemode/servers/filesystem";
import { create_entities } from "@codemode/servers/memory";

const { content } = await read_text_file({ path: "package-lock.json" });
const { packages } = JSON.parse(content) as { packages: Record<string, { license?: string }> };
const counts: Record<string, number> = {};
for (const { license = "unknown" } of Object.values(packages)) counts[license] = (counts[license] ?? 0) + 1;

const observations = Object.entries(counts).map(([licence, count]) => `${licence}: ${count}`);
await create_entities({ entities: [{ name: "licences", entityType: "report", observations }] });
const data = `data:text/plain;base64,${btoa(observations.join("\n"))}`;
await gzip_file_as_resource({ name: "licences.txt.gz", data, outputType: "resource" });
export default Object.fromEntries(
  Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 4),
);

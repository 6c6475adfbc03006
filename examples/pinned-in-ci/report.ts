// Shows: a pinned script, which runs identically in CI until it is pinned again.
//
//   codemode bundle examples/pinned-in-ci/report.ts -o examples/pinned-in-ci/report.json     when the script changes
//   codemode run examples/pinned-in-ci/report.json --frozen --input '{"packages":["ses"]}'   in CI: workflow.yml
// `report.json` contains the script, its imports and its bindings in one file with an integrity. Running it requires neither
// TypeScript nor the generated package; with `--frozen` it does not run if a server differs from the lockfile.
import { read_text_file } from "@codemode/servers/filesystem";

export const input = {
  type: "object",
  required: ["packages"],
  properties: { packages: { type: "array", items: { type: "string" }, minItems: 1 } },
};

const ALLOWED = ["MIT", "ISC", "Apache-2.0", "MPL-2.0"];

const { packages } = globalThis.__codemode_input__ as { packages: string[] };
const licences = await Promise.all(
  packages.map(async (name) => {
    const { content } = await read_text_file({ path: `node_modules/${name}/package.json` });
    return { name, licence: (JSON.parse(content) as { license?: string }).license ?? "none" };
  }),
);

const others = licences.filter(({ licence }) => !ALLOWED.includes(licence));
if (others.length > 0) throw new Error(`These have another licence: ${JSON.stringify(others)}`);

export default licences;

// Shows: a join of data from two servers inside the sandbox.
//
// The question: who has to look at a licence that is not MIT? Who looks after which package stands in the knowledge graph
// of one server, the licence of a package in its package.json, which another server reads. Neither can answer alone.
import { read_text_file } from "@codemode/servers/filesystem";
import { create_entities, create_relations, delete_entities, open_nodes } from "@codemode/servers/memory";
import { check } from "./lib/check.ts";

const TEAM = { Ada: ["typescript", "date-fns"], Grace: ["axe-core", "rollup"], Katherine: ["fflate"] };
const people = Object.keys(TEAM);

// What the team had written down before. (Deleted first: an earlier run may have been interrupted.)
await delete_entities({ entityNames: people });
await create_entities({ entities: people.map((name) => ({ name, entityType: "person", observations: [] })) });
const duties = Object.entries(TEAM).flatMap(([from, packages]) => packages.map((to) => ({ from, to })));
await create_relations({ relations: duties.map((duty) => ({ ...duty, relationType: "looks after" })) });

// One server knows the people, the other the licences; the calls for the licences run side by side.
const { relations } = await open_nodes({ names: people });
const rows = await Promise.all(
  relations.map(async ({ from, to }) => ({ person: from, package: to, licence: await readLicence(to) })),
);
await delete_entities({ entityNames: people });

const toLookAt = rows.filter(({ licence }) => licence !== "MIT");
check(rows.length === duties.length, "every duty has been found again");
check(
  toLookAt.map((row) => `${row.person}: ${row.package}`).join(", ") === "Ada: typescript, Grace: axe-core",
  "two people have something to look at",
);

export default toLookAt;

async function readLicence(name: string): Promise<string> {
  const { content } = await read_text_file({ path: `node_modules/${name}/package.json` });
  return (JSON.parse(content) as { license: string }).license;
}

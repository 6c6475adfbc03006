// Remembers who works on what, and asks for it again.
import {
  add_observations,
  create_entities,
  create_relations,
  delete_observations,
  open_nodes,
  read_graph,
  search_nodes,
} from "@codemode/servers/memory";

const created = await create_entities({
  entities: [
    { name: "ada", entityType: "person", observations: ["likes engines"] },
    { name: "bob", entityType: "person", observations: [] },
    { name: "engine", entityType: "project", observations: ["analytical"] },
  ],
});
const people = created.entities.filter(({ entityType }) => entityType === "person").map(({ name }) => name);
await create_relations({ relations: people.map((from) => ({ from, to: "engine", relationType: "works on" })) });
const added = await add_observations({ observations: [{ entityName: "bob", contents: ["joined today", "is new"] }] });
await delete_observations({ deletions: [{ entityName: "bob", observations: ["is new"] }] });

const graph = await read_graph();
const found = await search_nodes({ query: "joined" });
const opened = await open_nodes({ names: found.entities.map(({ name }) => name) });

export default {
  added: added.results.flatMap(({ addedObservations }) => addedObservations),
  workers: graph.relations.filter(({ to }) => to === "engine").map(({ from }) => from),
  notes: opened.entities.flatMap(({ observations }) => observations),
};

// Keeps a small graph of a library and its readers.
import {
  add_observations,
  create_entities,
  create_relations,
  delete_entities,
  open_nodes,
  read_graph,
  search_nodes,
  update_entities,
} from "@codemode/servers/graph";

const entities = JSON.parse(
  await create_entities({
    entities: [
      { name: "Dune", entityType: "book", observations: ["1965"] },
      { name: "Emma", entityType: "book", observations: ["1815"] },
      { name: "Ada", entityType: "reader", observations: [] },
    ],
  }),
);
const books = entities.filter((entity) => entity.entityType === "book");
const relations = JSON.parse(
  await create_relations({ relations: books.map(({ name }) => ({ from: "Ada", to: name, relationType: "read" })) }),
);
const added = JSON.parse(await add_observations({ observations: [{ entityName: "Ada", contents: ["reads fast"] }] }));
const updated = JSON.parse(await update_entities({ entities: [{ name: "Emma", observations: ["1815", "novel"] }] }));
await delete_entities({ entityNames: ["Dune"] });

const found = JSON.parse(await search_nodes({ query: "novel" }));
const opened = JSON.parse(await open_nodes({ names: found.entities.map((entity) => entity.name) }));
const graph = JSON.parse(await read_graph());

export default {
  years: books.flatMap((book) => book.observations),
  read: relations.map((relation) => `${relation.from} ${relation.relationType} ${relation.to}`),
  added: added.flatMap((result) => result.addedObservations),
  versions: updated.map((entity) => entity.version),
  opened: opened.entities.map((entity) => entity.name),
  left: graph.entities.length + graph.relations.length,
};

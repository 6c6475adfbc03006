import { create_entities, create_relations, search_nodes } from "@codemode/servers/memory";
import { query } from "@codemode/servers/shop";

const { rows } = await query({
  sql: `SELECT s.name AS supplier, p.id AS product FROM products p JOIN suppliers s ON s.id = p.supplier_id
    JOIN categories c ON c.id = p.category_id WHERE c.name = 'Tea' ORDER BY p.id`,
});
const pairs = rows.map((row) => ({ supplier: String(row["supplier"]), product: `product ${row["product"]}` }));
const toEntities = (names: string[], entityType: string) =>
  [...new Set(names)].map((name) => ({ name, entityType, observations: [] }));
await create_entities({
  entities: [
    ...toEntities(
      pairs.map(({ supplier }) => supplier),
      "supplier",
    ),
    ...toEntities(
      pairs.map(({ product }) => product),
      "product",
    ),
  ],
});
await create_relations({
  relations: pairs.map(({ supplier, product }) => ({ from: supplier, to: product, relationType: "supplies" })),
});
export default (await search_nodes({ query: "Cedar Trading" })).relations;

import assert from "node:assert/strict";

const TEA = `SELECT s.name AS supplier, p.id AS product FROM products p JOIN suppliers s ON s.id = p.supplier_id
  JOIN categories c ON c.id = p.category_id WHERE c.name = 'Tea' ORDER BY p.id`;

export const task = {
  title: "A graph of suppliers",
  size: "complex",
  calls: "sequential",
  text: 'In the knowledge graph, create an entity of the type "supplier" for each supplier of products of the category "Tea" in the shop\'s database, an entity of the type "product" for each of these products, with the name "product ID", and a relation "supplies" from each supplier to its products. Then search the graph for the supplier "Cedar Trading" and return the relations that this finds.',
  tools: {
    "shop/query": "query database rows",
    "memory/create_entities": "create entities in knowledge graph",
    "memory/create_relations": "create relations between entities",
    "memory/search_nodes": "search nodes in knowledge graph",
  },
  async check({ result, world }) {
    const rows = await world.rows(TEA);
    const relations = rows.map(({ supplier, product }) => ({
      from: supplier,
      to: `product ${product}`,
      relationType: "supplies",
    }));
    const stored = await world.memory();
    const written = stored
      .filter(({ type }) => type === "relation")
      .map(({ from, to, relationType }) => ({ from, to, relationType }));
    assert.deepEqual(written, relations);
    const count = (kind) => stored.filter(({ entityType }) => entityType === kind).length;
    assert.deepEqual(
      [count("supplier"), count("product")],
      [new Set(rows.map(({ supplier }) => supplier)).size, rows.length],
    );
    const found = relations.filter(({ from }) => from === "Cedar Trading");
    assert.deepEqual(
      result.map(({ to }) => to),
      found.map(({ to }) => to),
    );
  },
};

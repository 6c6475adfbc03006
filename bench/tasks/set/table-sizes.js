import assert from "node:assert/strict";

const TABLES = ["customers", "orders", "products", "suppliers"];

export const task = {
  title: "Sizes of tables",
  size: "simple",
  calls: "independent",
  text: "Return how many rows the tables customers, orders, products and suppliers of the shop's database have, as an object by table.",
  tools: { "shop/query": "query database rows" },
  async check({ result, world }) {
    const counts = await Promise.all(TABLES.map((table) => world.rows(`SELECT count(*) AS count FROM ${table}`)));
    assert.deepEqual(result, Object.fromEntries(TABLES.map((table, index) => [table, counts[index][0].count])));
  },
};

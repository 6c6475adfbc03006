import assert from "node:assert/strict";

export const task = {
  title: "The best seller",
  size: "simple",
  calls: "sequential",
  text: "Find the product of which the most pieces were ordered (the lowest id where several are equal), and raise its price in the shop's database by 1. Return { id, price } with the new price.",
  tools: { "shop/query": "query database rows", "shop/execute": "update database rows" },
  async check({ result, world, before }) {
    const sql =
      "SELECT product_id AS id, sum(quantity) AS sold FROM order_lines GROUP BY 1 ORDER BY sold DESC, id LIMIT 1";
    const [{ id }] = await world.rows(sql);
    const price = before.find((product) => product.id === id).price + 1;
    assert.deepEqual(result, { id, price });
    const changed = before.map((product) => (product.id === id ? { ...product, price } : product));
    assert.deepEqual(await world.rows("SELECT id, price FROM products"), changed);
  },
  look: (world) => world.rows("SELECT id, price FROM products"),
};

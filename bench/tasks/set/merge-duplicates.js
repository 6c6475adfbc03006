import assert from "node:assert/strict";

export const task = {
  title: "Merge duplicate customers",
  size: "complex",
  calls: "iterative",
  text: "Some customers of the shop's database are there twice: names that differ only in upper and lower case and in spaces around them, in the same city. For each such group keep the customer with the lowest id, move the orders of the others to it, and delete the others. Return [{ kept, deleted, orders }], with the number of orders that were moved, ordered by the id of the deleted customer.",
  tools: { "shop/query": "query database rows", "shop/execute": "update and delete database rows" },
  look: (world) => world.rows("SELECT id, customer_id FROM orders"),
  async check({ result, world, before }) {
    const pairs = [
      [2, 21],
      [5, 22],
      [11, 23],
      [16, 24],
    ];
    const isOf = (id) => (order) => order.customer_id === id;
    assert.deepEqual(
      result,
      pairs.map(([kept, deleted]) => ({ kept, deleted, orders: before.filter(isOf(deleted)).length })),
    );
    const [{ count }] = await world.rows("SELECT count(*) AS count FROM customers");
    assert.equal(count, 20);
    const moved = new Map(pairs.map(([kept, deleted]) => [deleted, kept]));
    const orders = before.map((order) => ({
      ...order,
      customer_id: moved.get(order.customer_id) ?? order.customer_id,
    }));
    assert.deepEqual(await world.rows("SELECT id, customer_id FROM orders"), orders);
  },
};

import assert from "node:assert/strict";

const CHEAPEST = `SELECT p.id, p.price, p.stock FROM products p JOIN categories c ON c.id = p.category_id
  WHERE c.name = 'Honey' AND p.stock >= 10 ORDER BY p.price LIMIT 1`;

export const task = {
  title: "Place an order",
  size: "complex",
  calls: "sequential",
  text: 'In the shop\'s database, order 10 pieces of the cheapest product of the category "Honey" that has at least 10 in stock, for the customer "Birch Deli" (the lowest id): insert an order with the date 2026-01-15 and freight 5, insert its line with the price of the product, and take 10 from the stock. Write "Order ID: 10 x NAME" to reports/order.txt and return the id of the order. Columns are in the tables\' definitions.',
  tools: {
    "shop/query": "query database rows",
    "shop/execute": "insert database rows",
    "files/write_file": "write file",
  },
  look: async (world) => (await world.rows(CHEAPEST))[0],
  async check({ result, world, before }) {
    assert.equal(result, 121);
    const orders = await world.rows("SELECT customer_id, ordered, freight FROM orders WHERE id = 121");
    const [{ id: customer }] = await world.rows("SELECT min(id) AS id FROM customers WHERE name = 'Birch Deli'");
    assert.deepEqual(orders, [{ customer_id: customer, ordered: "2026-01-15", freight: 5 }]);
    const lines = await world.rows("SELECT product_id, quantity, price FROM order_lines WHERE order_id = 121");
    assert.deepEqual(lines, [{ product_id: before.id, quantity: 10, price: before.price }]);
    const [product] = await world.rows("SELECT stock, name FROM products WHERE id = ?", [before.id]);
    assert.equal(product.stock, before.stock - 10);
    assert.equal(world.read("reports/order.txt").trim(), `Order 121: 10 x ${product.name}`);
  },
};

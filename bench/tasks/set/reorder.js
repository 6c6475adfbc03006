import assert from "node:assert/strict";

const LOW = `SELECT p.id, p.name, p.stock, p.reorder_level AS level, s.name AS supplier FROM products p
  JOIN suppliers s ON s.id = p.supplier_id WHERE p.stock < p.reorder_level ORDER BY p.id`;

export const task = {
  title: "Reorder from suppliers",
  size: "complex",
  calls: "iterative",
  text: 'For each supplier of products whose stock is below reorder_level in the shop\'s database, write a file reports/order-SUPPLIER.txt (the name of the supplier in lower case with dashes for spaces). It has one line "QUANTITY x NAME" for each of its products, ordered by the id of the product, where the quantity is twice the reorder level minus the stock. Return the number of files.',
  tools: { "shop/query": "query database rows", "files/write_file": "write file" },
  async check({ result, world }) {
    const low = await world.rows(LOW);
    const suppliers = new Set(low.map(({ supplier }) => supplier));
    assert.equal(result, suppliers.size);
    for (const supplier of suppliers) {
      const lines = low
        .filter((row) => row.supplier === supplier)
        .map((row) => `${2 * row.level - row.stock} x ${row.name}`);
      const file = `reports/order-${supplier.toLowerCase().replaceAll(" ", "-")}.txt`;
      assert.equal(world.read(file).trim(), lines.join("\n"));
    }
  },
};

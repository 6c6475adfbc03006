import assert from "node:assert/strict";

export const task = {
  title: "Stock and notes",
  size: "simple",
  calls: "independent",
  text: 'How many products of the shop\'s database are out of stock, and how many items (lines that begin with "- ") does the file notes/todo.md have? Return { outOfStock, items }.',
  tools: { "shop/query": "query database rows", "files/read_text_file": "read text file" },
  async check({ result, world }) {
    const [{ count }] = await world.rows("SELECT count(*) AS count FROM products WHERE stock = 0");
    assert.deepEqual(result, { outOfStock: count, items: 4 });
  },
};

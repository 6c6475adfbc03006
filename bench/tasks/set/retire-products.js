import assert from "node:assert/strict";

export const task = {
  title: "Retire products",
  size: "simple",
  calls: "iterative",
  text: "The file retire.txt has a name of a product on each line. Set discontinued to 1 for all products of these names in the shop's database, and return how many rows were changed for each name.",
  tools: { "files/read_text_file": "read text file", "shop/execute": "update database rows" },
  async check({ result, world }) {
    const names = world.read("retire.txt").trim().split("\n");
    const rows = await world.rows("SELECT name, discontinued FROM products");
    for (const { name, discontinued } of rows) assert.equal(discontinued, names.includes(name) ? 1 : 0, name);
    const counts = names.map((name) => [name, rows.filter((row) => row.name === name).length]);
    assert.deepEqual(result, Object.fromEntries(counts));
  },
};

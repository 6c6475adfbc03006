import assert from "node:assert/strict";

export const task = {
  title: "Import of three lists",
  size: "complex",
  calls: "independent",
  text: "The files import/north.csv, import/south.csv and import/west.csv have customers with the columns name, city and country. Insert all of them into the table customers of the shop's database, and return how many were inserted from each file: { north, south, west }.",
  tools: { "files/read_text_file": "read text file", "shop/execute": "insert database rows" },
  async check({ result, world }) {
    assert.deepEqual(result, { north: 5, south: 7, west: 4 });
    const rows = await world.rows("SELECT name, city, country FROM customers WHERE id > 24");
    assert.equal(rows.length, 16);
    for (const row of rows) assert.match(Object.values(row).join(), /^(?:north|south|west) shop \d,Graz,Austria$/);
  },
};

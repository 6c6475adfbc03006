import assert from "node:assert/strict";

export const task = {
  title: "Where is the shipment",
  size: "simple",
  calls: "sequential",
  text: "Find the newest order (the highest id) of the customer with the id 7 in the shop's database, open the page {site}/shipments/ID of that order in the browser, and return the state of the shipment, which is the text of the element #state.",
  tools: {
    "shop/query": "query database rows",
    "browser/browser_navigate": "navigate browser to url",
    "browser/browser_evaluate": "evaluate javascript on page",
  },
  async check({ result, world }) {
    const [{ id }] = await world.rows("SELECT max(id) AS id FROM orders WHERE customer_id = 7");
    assert.equal(result, ["packed", "on the road", "delivered"][id % 3]);
  },
};

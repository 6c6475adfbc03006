import assert from "node:assert/strict";

export const task = {
  title: "An order by a form",
  size: "complex",
  calls: "sequential",
  text: "Read name and city of the customer with the id 3 from the shop's database. Open {site}/order in the browser, fill the fields #name and #city in, choose Courier in #delivery, and click #send. The next page has a confirmation in the element #confirmation: store it in the column confirmation of the newest order (the highest id) of this customer, and return it.",
  tools: {
    "shop/query": "query database rows",
    "browser/browser_navigate": "navigate browser to url",
    "browser/browser_fill_form": "fill form fields",
    "browser/browser_click": "click button on page",
    "browser/browser_evaluate": "evaluate javascript on page",
    "shop/execute": "update database rows",
  },
  async check({ result, world }) {
    const [{ name, city }] = await world.rows("SELECT name, city FROM customers WHERE id = 3");
    assert.equal(result, "SH-1041");
    assert.deepEqual(world.site.listOrders(), [{ name, city, delivery: "Courier" }]);
    const rows = await world.rows("SELECT id FROM orders WHERE confirmation = 'SH-1041'");
    assert.deepEqual(rows, await world.rows("SELECT max(id) AS id FROM orders WHERE customer_id = 3"));
  },
};

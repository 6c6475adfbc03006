import assert from "node:assert/strict";

const REVENUE = `SELECT c.country AS country, round(sum(l.quantity * l.price), 2) AS revenue FROM orders o
  JOIN customers c ON c.id = o.customer_id JOIN order_lines l ON l.order_id = o.id GROUP BY 1 ORDER BY 1`;

export const task = {
  title: "A dashboard of four sources",
  size: "complex",
  calls: "independent",
  text: "Write the file reports/dashboard.json with { revenue, unshipped, lastCommit, openInvoices }: the revenue (quantity times price of the lines of orders, two decimals) by country of the customer, the number of orders without a date of shipping, the subject of the newest commit on main in {repo}, and the names of the files in the folder invoices whose status is open. Return how many countries there are.",
  tools: {
    "shop/query": "query database rows",
    "git/git_log": "git log",
    "files/read_multiple_files": "read multiple files",
    "files/write_file": "write file",
  },
  async check({ result, world }) {
    const revenue = await world.rows(REVENUE);
    const [{ count }] = await world.rows("SELECT count(*) AS count FROM orders WHERE shipped IS NULL");
    assert.equal(result, revenue.length);
    assert.deepEqual(JSON.parse(world.read("reports/dashboard.json")), {
      revenue: Object.fromEntries(revenue.map((row) => [row.country, row.revenue])),
      unshipped: count,
      lastCommit: "Build 12",
      openInvoices: ["INV-1004.txt", "INV-1008.txt", "INV-1012.txt"],
    });
  },
};

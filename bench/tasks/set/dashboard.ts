import { read_multiple_files, write_file } from "@codemode/servers/files";
import { git_log } from "@codemode/servers/git";
import { query } from "@codemode/servers/shop";

const invoices = Array.from({ length: 12 }, (_, index) => `INV-${1001 + index}.txt`);
const [revenue, unshipped, { commits }, { content }] = await Promise.all([
  query({
    sql: `SELECT c.country, round(sum(l.quantity * l.price), 2) AS revenue FROM orders o
      JOIN customers c ON c.id = o.customer_id JOIN order_lines l ON l.order_id = o.id GROUP BY 1`,
  }),
  query({ sql: "SELECT count(*) AS count FROM orders WHERE shipped IS NULL" }),
  git_log({ path: "{repo}", branch: "main", maxCount: 1 }),
  read_multiple_files({ paths: invoices.map((name) => `invoices/${name}`) }),
]);
const texts = content.split("\n---\n");
const dashboard = {
  revenue: Object.fromEntries(revenue.rows.map((row) => [row["country"], row["revenue"]])),
  unshipped: unshipped.rows[0]?.["count"],
  lastCommit: commits[0]?.subject,
  openInvoices: invoices.filter((_, index) => texts[index]?.includes("Status: open")),
};
await write_file({ path: "reports/dashboard.json", content: JSON.stringify(dashboard, null, 2) });
export default revenue.rows.length;

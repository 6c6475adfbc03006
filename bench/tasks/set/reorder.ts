import { write_file } from "@codemode/servers/files";
import { query } from "@codemode/servers/shop";

const { rows: suppliers } = await query({
  sql: "SELECT DISTINCT s.id, s.name FROM suppliers s JOIN products p ON p.supplier_id = s.id WHERE p.stock < p.reorder_level",
});
for (const supplier of suppliers) {
  const { rows } = await query({
    sql: `SELECT name, 2 * reorder_level - stock AS quantity FROM products
      WHERE supplier_id = ? AND stock < reorder_level ORDER BY id`,
    params: [supplier["id"] ?? null],
  });
  const name = String(supplier["name"]).toLowerCase().replaceAll(" ", "-");
  const content = rows.map((row) => `${row["quantity"]} x ${row["name"]}`).join("\n");
  await write_file({ path: `reports/order-${name}.txt`, content });
}
export default suppliers.length;

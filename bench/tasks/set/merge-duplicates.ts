import { execute, query } from "@codemode/servers/shop";

const { rows } = await query({ sql: "SELECT id, name, city FROM customers ORDER BY id" });
const first = new Map<string, number>();
const merged: { kept: number; deleted: number; orders: number }[] = [];
for (const row of rows) {
  const id = Number(row["id"]);
  const key = `${String(row["name"]).trim().toLowerCase()} ${row["city"]}`;
  const kept = first.get(key);
  if (kept === undefined) {
    first.set(key, id);
    continue;
  }
  const { changes } = await execute({
    sql: "UPDATE orders SET customer_id = ? WHERE customer_id = ?",
    params: [kept, id],
  });
  await execute({ sql: "DELETE FROM customers WHERE id = ?", params: [id] });
  merged.push({ kept, deleted: id, orders: changes });
}
export default merged;

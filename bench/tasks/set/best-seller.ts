import { execute, query } from "@codemode/servers/shop";

const { rows } = await query({
  sql: `SELECT p.id, p.price, sum(l.quantity) AS sold FROM products p JOIN order_lines l ON l.product_id = p.id
    GROUP BY p.id ORDER BY sold DESC, p.id LIMIT 1`,
});
const id = Number(rows[0]?.["id"]);
const price = Number(rows[0]?.["price"]) + 1;
await execute({ sql: "UPDATE products SET price = ? WHERE id = ?", params: [price, id] });
export default { id, price };

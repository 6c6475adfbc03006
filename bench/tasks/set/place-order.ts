import { write_file } from "@codemode/servers/files";
import { execute, query } from "@codemode/servers/shop";

const { rows: products } = await query({
  sql: `SELECT p.id, p.name, p.price FROM products p JOIN categories c ON c.id = p.category_id
    WHERE c.name = 'Honey' AND p.stock >= 10 ORDER BY p.price LIMIT 1`,
});
const { id = null, name = null, price = null } = products[0] ?? {};
const { rows: customers } = await query({ sql: "SELECT min(id) AS id FROM customers WHERE name = 'Birch Deli'" });
const { lastId: order } = await execute({
  sql: "INSERT INTO orders (customer_id, ordered, freight) VALUES (?, '2026-01-15', 5)",
  params: [customers[0]?.["id"] ?? null],
});
await execute({ sql: "INSERT INTO order_lines VALUES (?, ?, 10, ?)", params: [order, id, price] });
await execute({ sql: "UPDATE products SET stock = stock - 10 WHERE id = ?", params: [id] });
await write_file({ path: "reports/order.txt", content: `Order ${order}: 10 x ${name}` });
export default order;

import { query } from "@codemode/servers/shop";

const tables = ["customers", "orders", "products", "suppliers"];
const answers = await Promise.all(tables.map((table) => query({ sql: `SELECT count(*) AS count FROM ${table}` })));
export default Object.fromEntries(tables.map((table, index) => [table, answers[index]?.rows[0]?.["count"]]));

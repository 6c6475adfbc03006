import { browser_evaluate, browser_navigate } from "@codemode/servers/browser";
import { query } from "@codemode/servers/shop";

const { rows } = await query({ sql: "SELECT max(id) AS id FROM orders WHERE customer_id = ?", params: [7] });
await browser_navigate({ url: `{site}/shipments/${rows[0]?.["id"]}` });
const answer = await browser_evaluate({ function: "() => document.querySelector('#state').textContent" });
export default /### Result\n"(.*)"/.exec(String(answer))?.[1];

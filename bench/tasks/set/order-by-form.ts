import { browser_click, browser_evaluate, browser_fill_form, browser_navigate } from "@codemode/servers/browser";
import { execute, query } from "@codemode/servers/shop";

const { rows } = await query({ sql: "SELECT name, city FROM customers WHERE id = 3" });
const { name, city } = rows[0] as { name: string; city: string };
await browser_navigate({ url: "{site}/order" });
await browser_fill_form({
  fields: [
    { name: "Name", target: "#name", type: "textbox", value: name },
    { name: "City", target: "#city", type: "textbox", value: city },
    { name: "Delivery", target: "#delivery", type: "combobox", value: "Courier" },
  ],
});
await browser_click({ target: "#send" });
const answer = await browser_evaluate({ function: "() => document.querySelector('#confirmation').textContent" });
const confirmation = /### Result\n"(.*)"/.exec(String(answer))?.[1] ?? "";
await execute({
  sql: "UPDATE orders SET confirmation = ? WHERE id = (SELECT max(id) FROM orders WHERE customer_id = 3)",
  params: [confirmation],
});
export default confirmation;

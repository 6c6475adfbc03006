// Which open orders cannot be sent? The orders come from an API with an OpenAPI document, the stock from a file.
import { read_text_file } from "@codemode/servers/files";
import { list_orders } from "@codemode/servers/orders";

const [{ body: orders }, { content }] = await Promise.all([
  list_orders({ state: "open" }),
  read_text_file({ path: "stock.csv" }),
]);
const stock = new Map(
  content.split("\n").map((line): [string, number] => [line.split(",")[0] ?? "", Number(line.split(",")[1])]),
);

export default orders.flatMap(({ id, item, quantity, customer }) => {
  const missing = quantity - (stock.get(item) ?? 0);
  return missing > 0 ? [`${id} for ${customer}: ${missing} × ${item}`] : [];
});

/** What the stand-in for a model writes. */
export const code = `import { listOrders, cancelOrder } from "@codemode/servers/orders";
const [smallest] = (await listOrders()).sort((left, right) => left.total - right.total);
export default smallest && (await cancelOrder({ id: smallest.id }));`;

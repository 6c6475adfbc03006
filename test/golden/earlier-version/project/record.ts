import { book } from "@codemode/servers/ledger";

const at = Date.now();
await new Promise((resolve) => setTimeout(resolve, 5));
const booked = await Promise.all([book({ entry: "one" }), book({ entry: "two" })]);
console.log("booked");
export default { booked, at, random: Math.random() };

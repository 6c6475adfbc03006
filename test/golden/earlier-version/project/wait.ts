import { book, pay } from "@codemode/servers/ledger";

const before = await book({ entry: "before" });
const paid = await pay({ entry: "rent" });
export default [before, paid, await book({ entry: "after" }), Math.random(), Date.now()];

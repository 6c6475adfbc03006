import { book, pay } from "@codemode/servers/ledger";

const entry = globalThis.__codemode_input__ as string;
export default entry.startsWith("rent") ? await pay({ entry }) : await book({ entry });

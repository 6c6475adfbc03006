// Lists the tools of a server with a plain SDK client: `list-tools.js SERVER`.
import { connect } from "./sdk-client.js";

const client = await connect(JSON.parse(process.argv[2]));
const { tools } = await client.listTools();
console.log(tools.length);
await client.close();

/** The script that a model writes for a sum: it calls a tool of the project. */
export const code = `
import { get_sum } from "@codemode/servers/everything";

export default await get_sum({ a: 40, b: 2 });
`;

import { __meta__, echo, get_sum } from "@codemode/servers/everything";
import { read_text_file, type ReadTextFileOutput, search_files } from "@codemode/servers/filesystem";

const found = await search_files({ path: ".", pattern: "*.ts" });
export const text: ReadTextFileOutput = await read_text_file({ path: found.content, head: 10 });
export const names: readonly string[] = __meta__.tools.map((tool) => tool.exportName);
export const answer: unknown = await echo({ message: text.content });

// @ts-expect-error -- a required argument is misspelt
await echo({ mesage: "hello" });
// @ts-expect-error -- a number, not a text
await get_sum({ a: "1", b: 2 });
// @ts-expect-error -- an argument is missing
await echo();
// @ts-expect-error -- there is no such tool
export { shout } from "@codemode/servers/everything";

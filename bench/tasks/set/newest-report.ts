import { list_directory, read_text_file } from "@codemode/servers/files";

const { content: listing } = await list_directory({ path: "inbox" });
const names = listing.split("\n").map((line) => line.replace("[FILE] ", ""));
const newest = names.toSorted().at(-1);
const { content } = await read_text_file({ path: `inbox/${newest}` });
export default Number(/Total: (\d+)/.exec(content)?.[1]);

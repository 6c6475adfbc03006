// What stands in the editor in the pictures.

export const RUN = `import { get_sum } from "@codemode/servers/everything";
import { list_directory, read_text_file } from "@codemode/servers/filesystem";

const { content } = await list_directory({ path: "docs" });
const pages = content.split("\\n").filter((line) => line.endsWith(".md"));
console.log("pages", pages.length);

const [page, ...sums] = await Promise.all([
  read_text_file({ path: "docs/scripts.md", head: 3 }),
  ...[1, 2, 3].map((n) => get_sum({ a: n, b: n })),
]);
export default { first: page.content.slice(0, 50), sums };
`;

/** Without the argument that is completed. */
export const COMPLETED = `import { read_text_file } from "@codemode/servers/filesystem";

const page = await read_text_file();
`;

export const UNTYPED = `import { read_text_file } from "@codemode/servers/filesystem";

const { content } = await read_text_file({ path: 7 });
export default content.lenght;
`;

export const FAILED = `import { get_sum } from "@codemode/servers/everything";
import { read_text_file } from "@codemode/servers/filesystem";

console.log("adding");
await get_sum({ a: 1, b: 2 });
const { content } = await read_text_file({ path: "docs/ui.md", head: 1, tail: 1 });
export default content.length;
`;

export const DRY = `import { read_text_file } from "@codemode/servers/filesystem";
import { create_entities } from "@codemode/servers/memory";

const { content } = await read_text_file({ path: "docs/ui.md", head: 1 });
await create_entities({ entities: [{ name: content, entityType: "page", observations: [] }] });
export default content;
`;

export const WITH_APPROVAL = `import { create_entities } from "@codemode/servers/memory";

export default await create_entities({ entities: [] });
`;

export const QUESTION = `import { trigger_elicitation_request } from "@codemode/servers/everything";

export default await trigger_elicitation_request({});
`;

// What the tests of the page write into its editor.

export const TWO_CALLS = `import { read_text_file } from "@codemode/servers/filesystem";
import { report } from "@codemode/servers/strange";

console.log("<b>\u202elog</b>");
export default await Promise.all([read_text_file({ path: "notes.md" }), report({ depth: 1 })]);
`;

/** A red pixel, half transparent, as a PNG. */
export const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

export const PICTURE_AND_JSON = `import { read_media_file } from "@codemode/servers/filesystem";

export default {
  picture: await read_media_file({ path: "dot.png" }),
  fakes: [
    { type: "image", data: "bm90IGEgcGljdHVyZQ==", mimeType: "image/png" },
    { type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml" },
  ],
  text: JSON.stringify({ deep: true }),
};
`;

export const SERVER_ASKS = `import { ask } from "@codemode/servers/strange";

export default await ask({});
`;

export const CALL_ASKS = `import { delete_relations } from "@codemode/servers/memory";

export default await delete_relations({ relations: [] });
`;

export const ONE_QUESTION = `import { create_entities } from "@codemode/servers/memory";

export default await create_entities({ entities: [{ name: "milk", entityType: "thing", observations: [] }] });
`;

// Shows: errors with a class each, a call that is mended and tried again, and results that are there although some failed.
//
// Whatever a tool does, a script gets one of the classes of `@codemode/errors`, with a hint that says what would mend it.
import { SchemaValidationError, ToolCallError } from "@codemode/errors";
import { read_text_file } from "@codemode/servers/filesystem";
import { add_observations, create_entities, delete_entities } from "@codemode/servers/memory";
import { check } from "./lib/check.ts";

// 1. A wrong argument is found before anything is sent. The error says where, and what would be right.
const wrongInput = JSON.parse('{ "path": "package.json", "head": "3" }') as { path: string };
const refused = await read_text_file(wrongInput).catch((error: unknown) => error);
check(refused instanceof SchemaValidationError, "a wrong argument is a SchemaValidationError");
check(refused.pointer === "/head" && refused.expected === "number", "it names the argument and what it should be");

// 2. What the tool itself refuses is a ToolCallError. Here there is nobody yet to remember something of: make them, and try again.
await delete_entities({ entityNames: ["Ada"] });
let attempts = 0;
const remembered = await retry(3, async () => {
  attempts += 1;
  return add_observations({ observations: [{ entityName: "Ada", contents: ["likes tea"] }] });
});
check(attempts === 2, "the second attempt succeeds");
check(remembered.results[0]?.addedObservations[0] === "likes tea", "Ada likes tea");
await delete_entities({ entityNames: ["Ada"] });

// 3. Three files, one of which is not there: the answer has the other two, and says what is missing and why.
const paths = [
  "node_modules/ses/package.json",
  "node_modules/no-such-package/package.json",
  "node_modules/fflate/package.json",
];
const settled = await Promise.allSettled(paths.map((path) => read_text_file({ path })));
const versions = settled.flatMap((one) => (one.status === "fulfilled" ? [readVersion(one.value.content)] : []));
const missing = settled.flatMap((one, index) =>
  one.status === "rejected" ? [{ path: paths[index], error: (one.reason as Error).name }] : [],
);
check(versions.length === 2, "two of three files were read");
check(missing[0]?.error === "ToolCallError", "the third one says why not");

export default { refused: refused.message, hint: refused.hint, attempts, versions, missing };

/** Tries again what a tool refused; a wrong argument would be as wrong the next time. */
async function retry<Result>(times: number, call: () => Promise<Result>): Promise<Result> {
  for (let left = times; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ToolCallError) || left === 1) throw error;
      console.warn(`${error.toolName}: ${error.message}`);
      await create_entities({ entities: [{ name: "Ada", entityType: "person", observations: [] }] });
    }
  }
}

function readVersion(text: string): string {
  const { name, version } = JSON.parse(text) as { name: string; version: string };
  return `${name} ${version}`;
}

// Shows: error classes, a call that is corrected and retried, and partial results after failures.
// Every failed call throws one of the classes of `@codemode/errors`, with a hint for a fix.
import { SchemaValidationError, ToolCallError } from "@codemode/errors";
import { read_text_file } from "@codemode/servers/filesystem";
import { add_observations, create_entities, delete_entities } from "@codemode/servers/memory";
import { check } from "./lib/check.ts";

// 1. A wrong argument is rejected before anything is sent. The error contains its position and the expected type.
const wrongInput = JSON.parse('{ "path": "package.json", "head": "3" }') as { path: string };
const refused = await read_text_file(wrongInput).catch((error: unknown) => error);
check(refused instanceof SchemaValidationError, "a wrong argument is a SchemaValidationError");
check(refused.pointer === "/head" && refused.expected === "number", "it names the argument and what it should be");

// 2. A refusal by the tool is a ToolCallError. Here the entity is missing: create it, and retry.
await delete_entities({ entityNames: ["Ada"] });
let attempts = 0;
const remembered = await retry(3, async () => {
  attempts += 1;
  return add_observations({ observations: [{ entityName: "Ada", contents: ["likes tea"] }] });
});
check(attempts === 2, "the second attempt succeeds");
check(remembered.results[0]?.addedObservations[0] === "likes tea", "Ada likes tea");
await delete_entities({ entityNames: ["Ada"] });

// 3. Three files, one of them missing: the answer contains the other two, and the reason for the missing one.
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

/** Retries a call that a tool refused; a wrong argument would fail again. */
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

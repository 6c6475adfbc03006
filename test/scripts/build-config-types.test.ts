import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";

/** What the script says of the schema with one key, `new`, in a group. */
async function checkWith(group: "log" | "serve", key: object): Promise<string> {
  const schema = JSON.parse(await readFile("schemas/config.schema.json", "utf8")) as {
    properties: Record<string, object>;
  };
  Object.assign(schema.properties[group] ?? {}, { properties: { new: key } });
  const file = join(await makeTestFolder(), "config.schema.json");
  await writeFile(file, JSON.stringify(schema));
  return spawnSync(process.execPath, ["scripts/build-config-types.js", "--check", file], { encoding: "utf8" }).stderr;
}

test("types that are not those of the schema are reported", async () => {
  expect(await checkWith("log", { type: "string" })).toBe(
    "schemas/config/config-file.ts is not what the schema says: run `npm run build:config-types`.\n",
  );
});

test.each<[string, "log" | "serve", object, string]>([
  ["no kind, in a group without one", "serve", { type: "string" }, "serve.new lacks x-trust, and so do its groups."],
  [
    "an unknown kind",
    "serve",
    { "x-trust": "sends" },
    "x-trust of serve.new is none of starts, reaches, reads, writes",
  ],
  ["a kind beside its group's", "log", { "x-trust": "starts" }, "x-trust of log.new is starts, and a group of it says"],
])("a key with %s is refused", async (_name, group, key, message) => {
  expect(await checkWith(group, key)).toContain(message);
});

import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { askPublished } from "../../../cli/commands/add.ts";
import { startOf } from "../../../runtime/mcp/trust/project-starts.ts";
import { parseServerJson } from "../../../schemas/config/server-json.ts";
import { toSource } from "../../../schemas/config/to-config.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";

async function answer(parts: JsonObject, typed: string): Promise<{ isAgreed: boolean; shown: string }> {
  const { entry } = parseServerJson({ name: "io.github.acme/weather", ...parts });
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(typed);
  const terminal = { input, output, signal: new AbortController().signal };
  const isAgreed = await askPublished(
    startOf({ name: "weather", source: toSource(entry) }, { folder: "/project" }),
    terminal,
  ).then(
    () => true,
    () => false,
  );
  output.end();
  return { isAgreed, shown: await text(output) };
}

const REMOTE = {
  type: "streamable-http",
  url: "https://{tenant}.acme.example/mcp",
  variables: { tenant: { isRequired: true } },
  headers: [
    { name: "Authorization", value: "Bearer {key}", variables: { key: { isSecret: true } } },
    { name: "X-Kind", value: "plain" },
  ],
};

test.each([
  ["y\n", true],
  ["n\n", false],
  ["\n", false],
  ["", false],
])("%j to the question about a document is %s", async (typed, isAgreed) => {
  expect((await answer({ remotes: [REMOTE] }, typed)).isAgreed).toBe(isAgreed);
});

test("the question shows the address, each header, and each variable by its name", async () => {
  const { shown } = await answer({ remotes: [REMOTE] }, "n\n");
  expect(shown).toContain(
    [
      "  weather: https://${TENANT}.acme.example/mcp",
      "  sends the header Authorization: Bearer ${KEY}",
      "  sends the header X-Kind: plain",
      "  gets the value of KEY, TENANT from this machine, if set",
    ].join("\n"),
  );
});

test("the question shows the command, and each setting with its value", async () => {
  const environmentVariables = [
    { name: "OPENSSL_CONF", value: "/tmp/x.cnf" },
    { name: "NPM_TOKEN", isRequired: true, isSecret: true },
  ];
  const npm = { registryType: "npm", identifier: "@acme/weather", version: "1.0.2", transport: { type: "stdio" } };
  const { shown } = await answer({ packages: [{ ...npm, environmentVariables }] }, "n\n");
  expect(shown).toContain("  weather: npx -y @acme/weather@1.0.2\n  sets OPENSSL_CONF: /tmp/x.cnf\n");
  expect(shown).toContain("gets the value of NPM_TOKEN from this machine");
});

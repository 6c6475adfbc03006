import { expect, test } from "vitest";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { maskCredentials } from "../../runtime/mcp/mask-credentials.ts";
import { connect, misbehaving } from "./connections/misbehaving.ts";

const TOKEN = "tok/0123456789";

test("a credential is masked wherever a result holds it, in the names of members too", async () => {
  const target = misbehaving([], { env: { API_TOKEN: TOKEN } });
  const connection = maskCredentials(await connect(target), target);
  const structuredContent = { [TOKEN]: 1, list: [{ [`x-${TOKEN}`]: `Bearer ${TOKEN}` }] };
  const result = await connection.callTool("return", { content: [], structuredContent });
  expect(result["structuredContent"]).toEqual({
    "[redacted: API_TOKEN]": 1,
    list: [{ "x-[redacted: API_TOKEN]": "Bearer [redacted: API_TOKEN]" }],
  });
});

test.each([
  ["as it is", `{"a":"${TOKEN}"}`, true],
  ["with an escape for each character", `{"a":"\\u0074ok/0123456789"}`, true],
  ["with a slash that is escaped", '{"a":"tok\\/0123456789"}', true],
  ["as in a URL", `{"a":"tok%2F0123456789"}`, true],
  ["not at all", '{"a":"tok 0123456789","b":"\\n"}', false],
])("JSON text that holds a credential %s is read as a whole before it is passed on", (_, json, mayHold) => {
  expect(makeValueMask({ API_TOKEN: TOKEN }).mayHold(Buffer.from(json))).toBe(mayHold);
});

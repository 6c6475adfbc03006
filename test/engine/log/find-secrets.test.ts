import { expect, test } from "vitest";
import { findSecrets } from "../../../engine/log/find-secrets.ts";
import { makeValueMask } from "../../../schemas/secrets/mask-values.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";

test("of servers that give the same name to their secrets, none is forgotten", () => {
  const remote = (token: string) => ({ url: "https://example.com/mcp", headers: { Authorization: `Bearer ${token}` } });
  const file = {
    mcpServers: { one: remote("first-token"), two: remote("second-token") },
    serve: { token: "${SERVE_TOKEN}" },
  };
  const env = { SERVE_TOKEN: "third-token" };
  const { text: redact } = makeValueMask(findSecrets(toConfig(file, "codemode.config.json", "/project"), env));
  expect(redact("first-token, second-token, third-token")).not.toMatch(/first|second|third/);
});

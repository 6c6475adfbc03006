import { expect, test } from "vitest";
import { isSecureUrl } from "../../../runtime/mcp/oauth/is-secure-url.ts";

test.each([
  ["https://host.example/mcp", true],
  ["http://localhost:80/mcp", true],
  ["http://127.0.0.1:8080/mcp", true],
  ["http://127.9.8.7/mcp", true],
  ["http://[::1]:8080/mcp", true],
  ["http://host.example/mcp", false],
  ["http://127.evil.example/mcp", false],
  ["http://127.0.0.1.evil.example/mcp", false],
  ["http://localhost.evil.example/mcp", false],
  ["http://evil.example/127.0.0.1", false],
  ["http://[::2]/mcp", false],
  ["http://10.0.0.1/mcp", false],
  ["ftp://localhost/mcp", false],
])("%s is safe from readers on the way: %s", (url, isSecure) => {
  expect(isSecureUrl(new URL(url))).toBe(isSecure);
});

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findStartedPackage } from "../../runtime/files/find-package.ts";
import { makeSharedFolder } from "../make-test-folder.ts";

const INTEGRITY = `sha512-${Buffer.alloc(64, 1).toString("base64")}`;
const INSTALLED = { name: "@scope/server", version: "4.5.6", integrity: INTEGRITY };

const folder = await makeSharedFolder();

beforeAll(async () => {
  await mkdir(join(folder, "node_modules", "@scope", "server"), { recursive: true });
  await writeFile(join(folder, "node_modules", "@scope", "server", "package.json"), '{"version":"4.5.6"}');
  const packages = { "node_modules/@scope/server": { version: "4.5.6", integrity: INTEGRITY } };
  await writeFile(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
});

test.each([
  ["npx -y @scope/server .", { ...INSTALLED, floats: true }],
  ["npx @scope/server@latest", { ...INSTALLED, floats: true }],
  ["npx -y @scope/server@4.5.6", { ...INSTALLED, floats: false }],
  ["npx -y @scope/server@1.2.3 .", { name: "@scope/server", version: "1.2.3", floats: false }],
  ["npx @scope/server@^1.2.3", { ...INSTALLED, floats: true }],
  [
    "/usr/bin/npx --package @scope/server@1.2.3-beta.1 run-it",
    { name: "@scope/server", version: "1.2.3-beta.1", floats: false },
  ],
  ["npm exec -- @scope/server", { ...INSTALLED, floats: true }],
  ["pnpm dlx no-such-package-anywhere", { name: "no-such-package-anywhere", floats: true }],
  ["uvx mcp-server-fetch==2025.4.7", { name: "mcp-server-fetch", version: "2025.4.7", floats: false }],
  ["uvx mcp-server[cli]@0.6.2", { name: "mcp-server", version: "0.6.2", floats: false }],
  ["uv tool run mcp-server-git", { name: "mcp-server-git", floats: true }],
  ["npx ../../etc", { name: "../../etc", floats: true }],
  ["node server.js", undefined],
  ["npx -y", undefined],
])("%s", async (line, want) => {
  const [command = "", ...args] = line.split(" ");
  expect(await findStartedPackage(command, args, folder)).toEqual(want);
});

import { expect, test } from "vitest";
import { serveProject } from "./serve-project.ts";

const { resultOf } = serveProject(() => ({ servers: {} }));

test("a script can read the version of the specification, as semver [12.1/exposed] [12.1/semver]", async () => {
  const version = await resultOf('import { specVersion } from "@codemode/discovery";\nexport default specVersion;');
  expect(version).toMatch(/^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/);
});

import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { emitChanged } from "../../../engine/project/emit/emit-changed.ts";
import type * as Apart from "../../../engine/project/emit-process/emit-apart.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const compilersLoaded = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes("/@ts-morph/common/"));

test("packages are emitted apart as they are here, and their compilers stay out of this process", async () => {
  const folder = await makeTestFolder();
  const echo = { name: "echo", inputSchema: { type: "object", properties: { text: { type: "string" } } } };
  const servers = [...lockfileOf({ a: [echo], b: [echo] }).servers.values()];

  // The process is found beside what was built.
  const built = new URL("../../../dist/engine/project/emit-process/emit-apart.js", import.meta.url);
  const { emitApart } = (await import(built.href)) as typeof Apart;
  const apart = await emitApart(folder, servers, new Map());
  expect(compilersLoaded()).toEqual([]);
  expect(apart).toEqual(await emitChanged(folder, servers, new Map()));
  expect(compilersLoaded()).not.toEqual([]);
});

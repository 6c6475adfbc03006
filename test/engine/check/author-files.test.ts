import { expect, test } from "vitest";
import { readAuthorFiles } from "../../../engine/check/author-files.ts";

const FROM = '"@codemode/servers/a"';
const ALL = `import * as all from ${FROM};`;

test.each<[code: string, usesNamespaces: boolean]>([
  [`import { get } from ${FROM}; await get(globalThis[name]);`, false],
  [`${ALL} all.get();`, false],
  [`${ALL} all["get"]();`, false],
  [`${ALL} all[name]();`, true],
  [`${ALL} use(all);`, true],
  [`export { get } from ${FROM};`, false],
  [`export * from ${FROM};`, true],
  [`const all = await import(${FROM}); all.get();`, false],
  [`const all = await import(${FROM}); all["get"]();`, false],
  [`const all = await import(${FROM}); all[name]();`, true],
])("whether any export of a module may be meant: %s", (code, usesNamespaces) => {
  const [file] = readAuthorFiles({ name: "main.ts", folder: "/nowhere", code }).values();
  expect(file?.words).toMatchObject({ usesNamespaces, specifiers: new Set(["@codemode/servers/a"]) });
});

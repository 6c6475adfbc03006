import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import lock from "../../package-lock.json" with { type: "json" };
import { BILLS, licenseOf, readBill } from "../docs/print-linked.ts";
import { isBom } from "../extras/publish/supply-chain-schemas.ts";
// @ts-expect-error -- scripts are JavaScript
import { noteVendored } from "../../scripts/linked/find-linked.js";

/** The licences beside the code that each bill is of. */
const LICENSES: Record<string, string[]> = {
  codemode: ["dist/program", "dist/sandbox", "dist/ui-page"],
  "@codemode/openapi": ["openapi/dist/program"],
};

/** Name, version and licence at the head of each entry. */
const HEAD = /^((?:@[\w.-]+\/)?[\w.-]+ \d+\.\d+\.\d+\S* \(.+\))\n\n(?=\S)/gm;

test.each(BILLS)("%s is valid, and names each package whose licence is beside the code", async (path) => {
  const bill = readBill(path);
  expect(isBom(bill), JSON.stringify(isBom.errors)).toBe(true);
  const folders = LICENSES[bill.metadata.component.name] ?? [];
  const texts = await Promise.all(folders.map((folder) => readFile(`${folder}/third-party-licenses.txt`, "utf8")));
  const heads = texts.flatMap((text) => [...text.matchAll(HEAD)].map(([, head = ""]) => head));
  const listed = bill.components.map((one) => `${one.name} ${one.version} (${licenseOf(one)})`);
  expect(listed.length).toBeGreaterThan(10);
  expect([...new Set(heads)].toSorted()).toEqual(listed.toSorted());
});

test("they have the versions of package-lock.json, and no address or date of the machine that built them", async () => {
  const locked = new Set(
    Object.entries(lock.packages).map(
      ([path, one]) => `${path.split("node_modules/").at(-1)} ${"version" in one ? one.version : ""}`,
    ),
  );
  const linked = BILLS.flatMap((path) => readBill(path).components).map(({ name, version }) => `${name} ${version}`);
  expect(linked.filter((one) => !locked.has(one))).toEqual([]);
  for (const path of BILLS)
    expect(await readFile(path, "utf8")).not.toMatch(/timestamp|serialNumber|file:|\/\/(?!cyclonedx)/);
});

test("what the authors of a package have linked into it themselves counts, in the version that they took", () => {
  const { plugin, found } = noteVendored() as {
    plugin: { transform: { handler(code: string, id: string): null } };
    found: Map<string, unknown>;
  };
  const code = [
    "//#region ../../node_modules/.pnpm/one@1.2.3/node_modules/one/index.js",
    "//#region node_modules/.pnpm/@a+two@4.5.6_peer@1.0.0/node_modules/@a/two/dist/index.mjs",
    "//#region src/own.ts",
  ].join("\n");
  plugin.transform.handler(code, "/x/node_modules/outer/dist/index.mjs");
  plugin.transform.handler("//#region src/own.ts", "/x/other.mjs");
  expect([...found]).toEqual([
    [
      "/x/node_modules/outer/dist/index.mjs",
      [
        { name: "one", version: "1.2.3", by: "index.mjs" },
        { name: "@a/two", version: "4.5.6", by: "index.mjs" },
      ],
    ],
  ]);
});

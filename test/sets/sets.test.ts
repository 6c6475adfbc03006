import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listFiles } from "../list-files.ts";
import { SLOWEST } from "./long-tests.ts";

/** These projects run files of the sets once more: on other Node versions, at another level of isolation, with `drift: "refresh"`, or with all random cases. */
const AGAIN = new Set(["versions", "realm", "compartment", "refresh", "cases"]);

test("every test file is in exactly one set, which a command runs", async () => {
  const vitest = resolve("node_modules/vitest/vitest.mjs");
  // The file of the official suite is left out where there is no clone of it.
  const env = { ...process.env, JSON_SCHEMA_TEST_SUITE: "a folder" };
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, "list", "--filesOnly", "--json"], { env });
  const listed = JSON.parse(stdout) as { file: string; projectName: string }[];
  const files = listed
    .filter(({ projectName }) => !AGAIN.has(projectName))
    .map(({ file }) => relative("test", file).replaceAll("\\", "/"));
  const present = listFiles("test")
    .map((file) => relative("test", file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".test.ts"));
  expect(files.toSorted()).toEqual(present.toSorted());
  expect(present).toEqual(expect.arrayContaining(SLOWEST.map((file) => relative("test", file))));

  const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as { scripts: Record<string, string> };
  const apart = [
    ...["versions", "levels", "cases", "published", "applications", "documents", "pages"].map((name) => `test:${name}`),
    "newcomer",
  ];
  const commands = ["test:both", ...apart].map((name) => scripts[name]).join(" ");
  const named = [...commands.matchAll(/--project=([\w-]+)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(listed.map(({ projectName }) => projectName)));

  // What `npm run test:all` leaves out is a job of CI, and a step of a release.
  for (const workflow of ["ci", "release"]) {
    const steps = await readFile(`.github/workflows/${workflow}.yml`, "utf8");
    for (const name of ["test:all", "test:started", ...apart]) expect(steps).toContain(`- run: npm run ${name}\n`);
  }
});

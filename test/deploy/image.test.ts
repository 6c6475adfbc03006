import { existsSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { readDeployed } from "./deployed-files.ts";

const FILES = ["Dockerfile", "deploy/project/Dockerfile"];

/** The instructions of each stage, in order; a line that goes on in the next one is joined with it. */
async function readStages(path: string): Promise<string[][]> {
  const text = (await readDeployed(path)).replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\s*\\\n\s*/g, " ");
  const stages: string[][] = [];
  for (const line of text.split("\n").filter((line) => line !== "")) {
    if (line.startsWith("FROM ")) stages.push([]);
    stages.at(-1)?.push(line);
  }
  return stages;
}

test("the linter has nothing to say against a Dockerfile, and does find what is wrong with another", async () => {
  for (const file of FILES) expect(validate(await readDeployed(file)), file).toEqual([]);
  const wrong = (await readDeployed("Dockerfile")).replace("\nENTRYPOINT", "\nENTRYPOIN");
  expect(validate(wrong).map(({ message }) => message)).toEqual([expect.stringContaining("ENTRYPOIN")]);
});

test.each(FILES)("what %s ends with runs as a number that is not root, and holds no npm", async (file) => {
  const last = (await readStages(file)).at(-1) ?? [];
  expect(last.filter((line) => line.startsWith("USER ")).at(-1)).toMatch(/^USER [1-9]\d+:[1-9]\d+$/);
  expect(last.join("\n")).not.toMatch(/\b(?:npm|npx|corepack|curl)\b|^ADD |--chown/m);
});

test("the image can be asked for its health, and listens where it says", async () => {
  const last = (await readStages("Dockerfile")).at(-1)?.join("\n") ?? "";
  expect(last).toMatch(/^HEALTHCHECK .* CMD \["node", "-e", "fetch\('http:\/\/127\.0\.0\.1:8080\/health'\)/m);
  expect(last).toContain("\nEXPOSE 8080");
  expect(last).toContain('\nCMD ["serve", "--frozen", "--http", "0.0.0.0:8080"]');
});

test("both files build with the same version of Node", async () => {
  const [image = "", project = ""] = await Promise.all(FILES.map(readDeployed));
  const version = /^ARG NODE_VERSION=(\d+)$/m.exec(image)?.[1];
  const debian = /^ARG DEBIAN=(\w+)$/m.exec(image)?.[1];
  expect(project).toContain(`FROM node:${version}-${debian}-slim AS`);
});

test("the build gets all that it reads, and no more than there is", async () => {
  const lines = (await readDeployed(".dockerignore"))
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const sent = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  expect(lines[0]).toBe("*");
  expect(sent.filter((path) => !existsSync(path))).toEqual([]);
  const { references } = JSON.parse(await readDeployed("tsconfig.json")) as { references: { path: string }[] };
  const sources = references.map(({ path }) => path.split("/", 1)[0]);
  expect(sent).toEqual(
    expect.arrayContaining([...sources, "package.json", "package-lock.json", "scripts", "LICENSE", "README.md"]),
  );
});

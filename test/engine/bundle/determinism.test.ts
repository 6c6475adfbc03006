import { afterEach, expect, test } from "vitest";
import { bundleOf, makeBundleProject, type BundleProject } from "./bundle-project.ts";

const projects: BundleProject[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

test("the same inputs give the same bytes in any folder", async () => {
  const code = `import { label } from "./lib/label.ts"; import data from "./lib/data.json";
    import * as files from "@codemode/servers/files"; import { echo } from "@codemode/servers/everything";
    export default [label, data, await files.list_files(), await echo({ text: "<!-- a" })];`;
  const bundles = ["", "a folder with another name/"].map(async (prefix) => {
    const project = await makeBundleProject(prefix);
    projects.push(project);
    project.write({
      "lib/label.ts": `export default "label"; export const label: string = "a";`,
      "lib/data.json": `[1]`,
    });
    const text = JSON.stringify(bundleOf(await project.bundle(code, "script.ts")));
    expect(text).not.toContain(project.folder);
    expect(text).not.toContain(process.cwd());
    return text;
  });
  expect(await bundles[0]).toBe(await bundles[1]);
});

test("the order in which bundles are made does not matter", async () => {
  const project = await makeBundleProject();
  projects.push(project);
  const echo = `export { echo as default } from "@codemode/servers/everything";`;
  const sum = `export { get_sum as default } from "@codemode/servers/everything";`;
  const alone = [bundleOf(await project.bundle(echo)), bundleOf(await project.bundle(sum))];
  const [sumFirst, echoSecond] = await Promise.all([project.bundle(sum), project.bundle(echo)]);
  expect([bundleOf(echoSecond), bundleOf(sumFirst)]).toEqual(alone);
});

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linkProject, relinkProject } from "../../../engine/project/emit/link-project.ts";
import { loadConfig } from "../../../engine/load-config.ts";

async function setUp() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "codemode-test-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [project, outside] = [join(root, "project"), join(root, "outside")];
  for (const folder of [project, outside, join(project, "generated")]) mkdirSync(folder);
  writeFileSync(join(project, "codemode.config.json"), '{ "mcpServers": {} }');
  const config = await loadConfig({ cwd: project });
  const folder = join(project, "generated");
  /** Puts a link below `node_modules`, to a place relative to the project. */
  const addLink = (path: string, target: string): void => {
    const link = join(project, path);
    mkdirSync(dirname(link), { recursive: true });
    mkdirSync(join(project, target), { recursive: true });
    symlinkSync(join(project, target), link);
  };
  return {
    project,
    outside,
    addLink,
    link: () => linkProject(config, folder),
    relink: () => relinkProject(config, folder),
  };
}

test("the packages of a project are where editors and Node look for them", async () => {
  const { project, link } = await setUp();
  await link();
  const scope = join(project, "node_modules/@codemode");
  const own = ["discovery", "errors", "sandbox", "servers"];
  expect(readdirSync(scope)).toEqual(expect.arrayContaining(own));
  expect(readlinkSync(join(scope, "servers"))).toBe(join("..", "..", "generated"));
});

test.each(["node_modules", "node_modules/@codemode"])(
  "where %s is a link inside of the project, the packages resolve through it",
  async (path) => {
    const { project, addLink, link, relink } = await setUp();
    addLink(path, "a/deeper/place");
    await link();
    const servers = join(project, "node_modules/@codemode/servers");
    expect(realpathSync(servers)).toBe(join(project, "generated"));
    expect(existsSync(join(project, "node_modules/@codemode/errors/package.json"))).toBe(true);
    const before = readlinkSync(servers);
    await relink();
    expect(readlinkSync(servers)).toBe(before);
  },
);

test.each(["node_modules", "node_modules/@codemode"])(
  "where %s is a link out of the project, nothing is written there",
  async (path) => {
    const { outside, addLink, link, relink } = await setUp();
    addLink(path, "../outside");
    await expect(link()).rejects.toMatchObject({
      code: "LINK_OUTSIDE",
      message: expect.stringContaining(outside) as string,
    });
    await relink();
    expect(readdirSync(outside)).toEqual([]);
  },
);

test("where one of the packages is a link out of the project, nothing is written there", async () => {
  const { outside, addLink, link } = await setUp();
  addLink("node_modules/@codemode/errors", "../outside");
  await expect(link()).rejects.toMatchObject({ code: "LINK_OUTSIDE" });
  expect(readdirSync(outside)).toEqual([]);
});

/** Stands for a drive without links, such as FAT: there is none to mount here. */
const LINKLESS_DRIVE = `
const fs = require("node:fs");
const fail = () => { throw Object.assign(new Error("no links"), { code: "EPERM", syscall: "symlink" }); };
fs.symlinkSync = fail;
fs.promises.symlink = async () => fail();
require("node:module").syncBuiltinESMExports();
`;

test("a drive without links stops nothing, and the line about it names the folder", async () => {
  const { project } = await setUp();
  const preload = join(project, "linkless.cjs");
  writeFileSync(preload, LINKLESS_DRIVE);
  const program = `
    const { linkProject, describeUnlinked } = await import(${JSON.stringify(resolve("dist/engine/project/emit/link-project.js"))});
    const config = { folder: ${JSON.stringify(project)} };
    await linkProject(config, config.folder + "/generated");
    console.log(describeUnlinked(config, config.folder + "/generated"));`;
  const args = ["-r", preload, "--input-type=module", "-e", program];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  expect(printed).toMatch(/^warning: .*@codemode.servers could not be linked/);
});

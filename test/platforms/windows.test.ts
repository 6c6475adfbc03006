import { mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openerOf } from "../../engine/open-in-browser.ts";
import { isPackageLinked, linkPackage } from "../../engine/project/emit/link-project.ts";
import { emptyEnvironment, listForeignVariables } from "../../runtime/sandbox/pool/empty-environment.ts";
import { watchMemory } from "../../runtime/sandbox/pool/process-memory.ts";
import { replaceLink } from "../../runtime/files/replace-link.ts";
import { whileHeld, whileHeldSync } from "../../runtime/files/while-held.ts";
import { windowsProgram } from "../../runtime/mcp/client/windows-program.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { makeTestFolder } from "../make-test-folder.ts";

test.each<[NodeJS.ProcessEnv, string]>([
  [{ SystemRoot: "D:\\Win" }, "D:\\Win\\System32\\taskkill.exe"],
  [{ SYSTEMROOT: "C:\\Windows" }, "C:\\Windows\\System32\\taskkill.exe"],
  [{ SystemRoot: "relative" }, "C:\\Windows\\System32\\taskkill.exe"],
  [{}, "C:\\Windows\\System32\\taskkill.exe"],
])("a program of Windows is started by its full path, with %j", (env, path) => {
  expect(windowsProgram(["System32", "taskkill.exe"], env)).toBe(path);
});

test("a browser is opened by the system's own program, also from a folder that has one of its name", () => {
  expect(openerOf("win32")).toBe(windowsProgram(["explorer.exe"]));
  expect([openerOf("darwin"), openerOf("linux")]).toEqual(["/usr/bin/open", "xdg-open"]);
});

test("what is added to an empty environment on Windows is empty, but for the folders of the system", () => {
  expect(emptyEnvironment("linux")).toEqual({});
  expect(emptyEnvironment("win32")).toMatchObject({ USERNAME: "", USERPROFILE: "", PATH: "" });
  const added = { ...emptyEnvironment("win32"), SystemRoot: "C:\\Windows", SystemDrive: "C:", WINDIR: "C:\\Windows" };
  expect(listForeignVariables(added, "win32")).toEqual([]);
  expect(listForeignVariables({ ...added, TOKEN: "x", USERNAME: "ada" }, "win32")).toEqual(["USERNAME", "TOKEN"]);
  expect(listForeignVariables({ PATH: "" }, "linux")).toEqual(["PATH"]);
});

test("on Windows no program is asked for memory", () => {
  const stop = watchMemory(process.pid, 1, () => expect.unreachable(), "win32");
  stop();
});

const heldError = (code: string): Error => Object.assign(new Error(code), { code });

test.each(["EPERM", "EBUSY", "EACCES"])(
  "what another program holds is tried again on Windows alone: %s",
  async (code) => {
    let tries = 0;
    const action = (): string => {
      tries += 1;
      if (tries < 4) throw heldError(code);
      return "done";
    };
    expect(await whileHeld(async () => action(), "win32")).toBe("done");
    tries = 0;
    expect(whileHeldSync(action, "win32")).toBe("done");
    tries = 0;
    await expect(whileHeld(async () => action(), "linux")).rejects.toThrow(code);
    expect(() => whileHeldSync(() => action(), "darwin")).toThrow(code);
    expect(tries).toBe(2);
  },
);

test("what is held for more than a second, and any other failure, is an error", async () => {
  const action = async (): Promise<never> => Promise.reject(heldError("EPERM"));
  await expect(whileHeld(action, "win32")).rejects.toThrow("EPERM");
  await expect(whileHeld(async () => Promise.reject(heldError("ENOENT")), "win32")).rejects.toThrow("ENOENT");
});

test("a folder with files in the place of a link stays, and no draft of the link", async () => {
  const folder = await makeTestFolder();
  const link = join(folder, "link");
  await mkdir(join(link, "inside"), { recursive: true });
  await expect(replaceLink(link, "elsewhere")).rejects.toMatchObject({ syscall: "rename" });
  expect([await readdir(folder), await readdir(link)]).toEqual([["link"], ["inside"]]);
});

test("a link that leads to the package by its full path, as a junction does, is the right one", async () => {
  const folder = await makeTestFolder();
  const out = join(folder, "generated");
  const link = join(folder, "node_modules/@codemode/servers");
  await mkdir(out);
  await mkdir(join(folder, "node_modules/@codemode"), { recursive: true });
  await symlink(`${out}/`, link, "junction");
  const config = toConfig({ mcpServers: {} }, join(folder, "codemode.config.json"), folder);
  expect(isPackageLinked(folder, out)).toBe(true);
  expect(await linkPackage(config, out)).toBe(false);
  await replaceLink(link, "../../elsewhere");
  expect(isPackageLinked(folder, out)).toBe(false);
  expect(await linkPackage(config, out)).toBe(true);
  expect(await readlink(link)).toBe("../../generated");
});

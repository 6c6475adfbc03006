import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { runCodemode, SERVERS } from "../e2e/run-codemode.ts";
import { parsePage } from "./parse-page.ts";

/** Makes a locked project in a folder, with the files that docs/web-servers.md shows. Its packages are up to the caller. */
export async function writeWebProject(folder: string): Promise<void> {
  const config = { mcpServers: { files: SERVERS.filesystem } };
  const files = [
    ["package.json", JSON.stringify({ private: true, type: "module" })],
    ["codemode.config.json", JSON.stringify(config)],
    ["todo.txt", "- [ ] first\n- [x] second\n"],
    ...parsePage(await readFile("docs/web-servers.md", "utf8")).blocks.map(({ title, text }) => [title, text]),
  ];
  for (const [name, text = ""] of files) {
    if (name === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { code, stderr } = await runCodemode(["lock"], { cwd: folder });
  if (code !== 0) throw new Error(`The project cannot be locked: ${stderr}`);
}

/** Links packages into the project, each to a folder. */
export async function linkPackages(folder: string, packages: { [name: string]: string }): Promise<void> {
  for (const [name, target] of Object.entries(packages)) {
    await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
    await symlink(resolve(target), join(folder, "node_modules", name));
  }
}

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import initSqlJs from "sql.js";
import { listFiles } from "./list-files.js";
import { makeRepository } from "./make-repository.js";
import { makeShop } from "./make-shop.js";
import { startSite } from "./start-site.js";

/**
 * What the tasks are about: files, a database, a repository, a site and the memory server's file. `reset` makes them new. The folders stay, because
 * servers work in them.
 */
export async function openWorld() {
  const root = await mkdtemp(join(tmpdir(), "codemode-tasks-"));
  const fresh = join(root, "fresh");
  const paths = {
    files: join(root, "files"),
    repository: join(root, "repo"),
    database: join(root, "shop.db"),
    memory: join(root, "memory.jsonl"),
  };
  for (const [path, text] of Object.entries(listFiles())) {
    await mkdir(dirname(join(fresh, "files", path)), { recursive: true });
    await writeFile(join(fresh, "files", path), text);
  }
  makeRepository(join(fresh, "repo"));
  await writeFile(join(fresh, "shop.db"), await makeShop());
  await writeFile(join(fresh, "memory.jsonl"), "");
  await Promise.all([mkdir(paths.files), mkdir(paths.repository)]);
  const [{ Database }, site] = await Promise.all([initSqlJs(), startSite()]);

  async function reset() {
    for (const folder of [paths.files, paths.repository]) {
      for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
    }
    await Promise.all(
      [...Object.values(paths)].map((path) => cp(join(fresh, path.slice(root.length)), path, { recursive: true })),
    );
    site.reset();
  }

  /** Folders and addresses of this run, and what stands for them. */
  const places = [
    [site.url, "http://127.0.0.1:8080"],
    [root, "/workshop"],
  ];

  return {
    root,
    paths,
    site,
    reset,
    /** Replaces `{repo}` and `{site}`, which stand for places that are elsewhere in each run. */
    fillIn: (text) => text.replaceAll("{repo}", paths.repository).replaceAll("{site}", site.url),
    /** Puts fixed places into a text, so that it is the same in each run. */
    blank: (text) => places.reduce((blanked, [here, fixed]) => blanked.replaceAll(here, fixed), text),
    /** The other way round. */
    unblank: (text) => places.reduce((filled, [here, fixed]) => filled.replaceAll(fixed, here), text),
    read: (path) => readFileSync(join(paths.files, path), "utf8"),
    git: (...words) => execFileSync("git", words, { cwd: paths.repository, encoding: "utf8" }).trim(),
    async rows(sql, params = []) {
      const db = new Database(await readFile(paths.database));
      const prepared = db.prepare(sql, params);
      const rows = [];
      while (prepared.step()) rows.push(prepared.getAsObject());
      prepared.free();
      db.close();
      return rows;
    },
    memory: async () =>
      (await readFile(paths.memory, "utf8"))
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    async close() {
      await site.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

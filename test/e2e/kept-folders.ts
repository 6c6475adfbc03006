import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve("node_modules/.cache/test-projects");
/** What decides about the content of a prepared project, beside its own files. */
const BUILT = "dist";
const SERVERS = "test/servers";
const RECORDED = ["test/golden/cases/everything.json", "test/golden/cases/memory.json"];
const DAY_MS = 24 * 3600_000;

/** Of one process: ports, folders that are removed after a test, and ids of processes, of which others may live later. */
const PASSING = ["://127.0.0.1:", "://localhost:", tmpdir(), "PID_FILE"];

let opened: Promise<string> | undefined;

/**
 * Fills a folder as `make` does. Once that was done with this build, a folder that is `madeOf` the same gets a copy, in this process and in
 * others.
 */
export async function fillFolder(folder: string, madeOf: unknown, make: () => Promise<void>): Promise<void> {
  const subject = JSON.stringify(madeOf);
  const isPassing = PASSING.some((word) => subject.includes(word));
  const kept = join(await (opened ??= openKept()), digestOf([subject, isPassing ? process.pid : "all"]));
  if (existsSync(kept)) return copyFolder(kept, folder);
  await make();
  const draft = await mkdtemp(`${kept}-`);
  await copyFolder(folder, draft);
  // Another process may have been faster.
  await rename(draft, kept).catch(() => rm(draft, { recursive: true, force: true }));
}

function copyFolder(from: string, to: string): Promise<void> {
  return cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/** The folder of this build; folders that got nothing for a day are removed. */
async function openKept(): Promise<string> {
  const files = (await readdir(BUILT, { recursive: true })).filter((file) => /\.c?js$/.test(file)).toSorted();
  const times = await Promise.all(files.map(async (file) => [file, (await stat(join(BUILT, file))).mtimeMs]));
  const servers = (await readdir(SERVERS)).toSorted();
  const texts = ["package-lock.json", ...RECORDED, ...servers.map((file) => join(SERVERS, file))].map((file) =>
    readFile(file, "utf8"),
  );
  const name = digestOf([process.version, resolve("."), times, await Promise.all(texts)]);
  await mkdir(join(ROOT, name), { recursive: true });
  for (const other of await readdir(ROOT)) {
    const filled = await stat(join(ROOT, other)).catch(() => undefined);
    const isOld = filled !== undefined && Date.now() - filled.mtimeMs > DAY_MS;
    if (isOld && other !== name) await rm(join(ROOT, other), { recursive: true, force: true });
  }
  return join(ROOT, name);
}

function digestOf(subject: unknown): string {
  return createHash("sha256").update(JSON.stringify(subject)).digest("hex").slice(0, 32);
}

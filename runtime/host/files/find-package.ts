import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { LockedPackage } from "../../../schemas/lock/lockfile.ts";

/** Programs that fetch a package and start it, with the words that may stand before the package's name. */
const RUNNERS = new Map([
  ["npx", { words: [], isNpm: true }],
  ["pnpx", { words: [], isNpm: true }],
  ["bunx", { words: [], isNpm: true }],
  ["npm", { words: ["exec", "x"], isNpm: true }],
  ["pnpm", { words: ["dlx"], isNpm: true }],
  ["yarn", { words: ["dlx"], isNpm: true }],
  ["uvx", { words: [], isNpm: false }],
  ["pipx", { words: ["run"], isNpm: false }],
  ["uv", { words: ["tool", "run"], isNpm: false }],
]);

/** Options of those programs that are followed by a package. */
const PACKAGE_OPTIONS = new Set(["-p", "--package", "--from", "--spec"]);

/**
 * Which package a command fetches and starts, and which version of it ran; undefined for any other command.
 * npm's runners prefer what is installed in the folder, then their cache; of other ones only the command is read.
 */
export async function findPackage(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<LockedPackage | undefined> {
  const runner = RUNNERS.get(basename(command).replace(/\.(cmd|exe)$/i, ""));
  if (runner === undefined) return undefined;
  const spec = findSpec(args, runner.words);
  if (spec === undefined) return undefined;
  const { name, version } = parseSpec(spec);
  const isExact = version !== undefined && /^(==)?v?\d+(\.\d+)+([.-][\w.+-]+)?$/.test(version);
  const ran = isExact ? version.replace(/^(==)?v?/, "") : runner.isNpm ? await installedVersion(name, cwd) : undefined;
  return { name, floats: !isExact, ...(ran === undefined ? {} : { version: ran }) };
}

function findSpec(args: readonly string[], words: readonly string[]): string | undefined {
  const named = args.find((_, index) => PACKAGE_OPTIONS.has(args[index - 1] ?? ""));
  if (named !== undefined) return named;
  return args.find((word) => !word.startsWith("-") && !words.includes(word));
}

/** `@scope/name@1.2.3`, `name==1.2.3` or `name@latest`; extras of Python such as `name[cli]` belong to no name. */
function parseSpec(spec: string): { name: string; version?: string } {
  const [, name = spec, version] = /^(@?[^@=<>~!]+?)(?:\[[^\]]*\])?(?:(?:@|==)(.+))?$/.exec(spec) ?? [];
  return { name, ...(version === undefined ? {} : { version }) };
}

async function installedVersion(name: string, cwd: string): Promise<string | undefined> {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name) || name.split("/").some((part) => /^\.+$/.test(part))) return undefined;
  const cache = join(process.env["npm_config_cache"] ?? join(homedir(), ".npm"), "_npx");
  const cached = (await readdir(cache).catch(() => [])).map((entry) => join(cache, entry));
  const manifests = cached.map((folder) => join(folder, "node_modules", name, "package.json"));
  const byAge = await Promise.all(
    manifests.map(async (path) => ({ path, age: (await stat(path).catch(() => undefined))?.mtimeMs })),
  );
  const newest = byAge.filter(({ age }) => age !== undefined).toSorted((a, b) => (b.age ?? 0) - (a.age ?? 0))[0]?.path;
  const local = await readVersion(join(cwd, "node_modules", name, "package.json"));
  return local ?? (newest === undefined ? undefined : readVersion(newest));
}

async function readVersion(manifest: string): Promise<string | undefined> {
  try {
    const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version?: unknown };
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

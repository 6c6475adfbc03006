import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { readdir, stat } from "node:fs/promises";
import { decodeFile } from "./decode-text.ts";
import { readBounded } from "./read-bounded.ts";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { LockedPackage } from "../../schemas/lock/lockfile.ts";

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
export async function findStartedPackage(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<LockedPackage | undefined> {
  const runner = RUNNERS.get(basename(command).replace(/\.(cmd|exe)$/i, ""));
  if (runner === undefined) return undefined;
  const spec = findSpec(args, runner.words);
  if (spec === undefined) return undefined;
  const { name, version } = parseSpec(spec);
  const isExact = version !== undefined && /^(==)?v?\d+\.\d+([.-][\w.+-]+)?$/.test(version);
  const exact = isExact ? version.replace(/^(==)?v?/, "") : undefined;
  const installed = runner.isNpm ? await findInstalled(name, cwd) : [];
  const ran = installed.find((found) => exact === undefined || found.version === exact);
  return { name, floats: !isExact, ...withoutUndefined({ version: exact }), ...ran };
}

function findSpec(args: readonly string[], words: readonly string[]): string | undefined {
  const named = args.find((_, index) => PACKAGE_OPTIONS.has(args[index - 1] ?? ""));
  if (named !== undefined) return named;
  return args.find((word) => !word.startsWith("-") && !words.includes(word));
}

/** `@scope/name@1.2.3`, `name==1.2.3` or `name@latest`; extras of Python such as `name[cli]` belong to no name. */
function parseSpec(spec: string): { name: string; version?: string | undefined } {
  const [, name = spec, version] = /^(@?[^@=<>~![]+)(?:\[[^\]]*\])?(?:(?:@|==)(.+))?$/.exec(spec) ?? [];
  return { name, version };
}

/** What npm has installed of it, as kept on this machine. */
type Installed = Pick<LockedPackage, "version" | "integrity"> & { version: string };

/** First what is in the folder, then what npx keeps, the newest first. */
async function findInstalled(name: string, cwd: string): Promise<Installed[]> {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name) || name.split("/").some((part) => /^\.+$/.test(part))) return [];
  const cache = join(process.env["npm_config_cache"] ?? join(homedir(), ".npm"), "_npx");
  const cached = (await readdir(cache).catch(() => [])).map((entry) => join(cache, entry, "node_modules"));
  const byAge = await Promise.all(
    cached.map(async (folder) => ({
      folder,
      age: (await stat(join(folder, name, "package.json")).catch(() => undefined))?.mtimeMs,
    })),
  );
  const present = byAge.filter(({ age }) => age !== undefined).toSorted((a, b) => (b.age ?? 0) - (a.age ?? 0));
  const folders = [join(cwd, "node_modules"), ...present.map(({ folder }) => folder)];
  return (await Promise.all(folders.map((folder) => readInstalled(folder, name)))).flat();
}

async function readInstalled(folder: string, name: string): Promise<Installed[]> {
  const manifest = await readJson(join(folder, name, "package.json"));
  const version = ownValue(manifest, "version");
  if (typeof version !== "string") return [];
  const kept = ownValue(await readJson(join(folder, ".package-lock.json")), "packages");
  const entry = kept !== undefined && isJsonObject(kept) ? ownValue(kept, `node_modules/${name}`) : undefined;
  if (entry === undefined || !isJsonObject(entry) || ownValue(entry, "version") !== version) return [{ version }];
  const integrity = ownValue(entry, "integrity");
  const isDigest = typeof integrity === "string" && /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
  return [isDigest ? { version, integrity } : { version }];
}

/** Of a `package.json`, or what npm keeps of a large `node_modules`. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;

async function readJson(file: string): Promise<JsonObject> {
  try {
    const value = JSON.parse(decodeFile(await readBounded(file, { limitBytes: MAX_JSON_BYTES }))) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

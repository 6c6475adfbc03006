import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * A package whose code is in what is published.
 *
 * @typedef {{ name: string, version: string, license: string, text: string }} LinkedPackage `license` is an SPDX expression, `text` what its authors ask to go with the code
 */

/**
 * The packages whose code is in the output of a bundler, in the order of their names.
 *
 * @param {string} root whose `node_modules` has the packages
 * @param {readonly { moduleIds?: string[] }[]} chunks
 * @param {ReadonlyMap<string, readonly { name: string, version: string, by: string }[]>} vendored what `noteVendored` has noted
 * @returns {Promise<LinkedPackage[]>}
 */
export async function findLinked(root, chunks, vendored = new Map()) {
  const ids = chunks.flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = new Set(ids.flatMap((id) => id.match(/^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/) ?? []));
  const inner = ids.flatMap((id) => vendored.get(id) ?? []);
  const found = await Promise.all([
    ...[...folders].map((folder) => readPackage(folder)),
    ...inner.map((one) => readVendored(root, one)),
  ]);
  return joinLinked(found);
}

/** Each package and version once. */
export function joinLinked(packages) {
  const byId = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byId].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)/i.test(file)).toSorted();
  if (typeof license !== "string" || files.length === 0)
    throw new Error(`${name} ${version} has no licence to publish.`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return { name, version, license, text: texts.map((text) => text.trim()).join("\n\n") };
}

/** Of a package that another one holds only its code is here: its licence is read from an installed copy. */
async function readVendored(root, { name, version, by }) {
  const folder = join(root, "node_modules", name);
  if (!existsSync(folder))
    throw new Error(
      `${by} holds ${name} ${version}: install it as a development dependency, whose licence is published.`,
    );
  return { ...(await readPackage(folder)), version };
}

/** The text that is published beside linked code. */
export function printLicenses(packages) {
  const entries = packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`);
  return entries.join(`\n${"-".repeat(80)}\n\n`);
}

/** A plugin that notes, by module, the packages that its authors have linked into it themselves: their bundler marks where each one begins. */
export function noteVendored() {
  const found = new Map();
  const mark =
    /^\/\/#region .*node_modules\/\.pnpm\/(?:@[^/]+\+)?[^/@]+@([^/_]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm;
  return {
    found,
    plugin: {
      name: "note-vendored",
      transform: {
        filter: { code: "//#region " },
        handler(code, id) {
          const marked = [...code.matchAll(mark)].map(([, version, name]) => ({ name, version, by: basename(id) }));
          if (marked.length > 0) found.set(id, marked);
          return null;
        },
      },
    },
  };
}

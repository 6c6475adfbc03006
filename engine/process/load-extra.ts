import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { extraMissing } from "../../schemas/errors.ts";

/** The features that can be deleted with their folder in `extras/`. */
export type ExtraName =
  | "batch"
  | "completion"
  | "doctor"
  | "durable"
  | "install"
  | "learn"
  | "observe"
  | "publish"
  | "record"
  | "stores"
  | "try"
  | "ui";

/**
 * Loads what an extra offers, by its name: no import of the core leads into `extras/`. Each extra exports `extra` from its `index`, of the type that
 * its caller in the core declares.
 * @throws CodemodeError EXTRA_MISSING where this build does not have the extra
 */
export async function loadExtra<Extra>(name: ExtraName): Promise<Extra> {
  const extra = await findExtra<Extra>(name);
  if (extra === undefined) throw extraMissing(name);
  return extra;
}

/** As `loadExtra`, with undefined where this build does not have the extra. */
export async function findExtra<Extra>(name: ExtraName): Promise<Extra | undefined> {
  return (await importExtra(name))?.extra as Extra | undefined;
}

/** `scripts/build-program.js` puts one import for each folder of `extras/` in the place of this function. */
async function importExtra(name: ExtraName): Promise<{ extra: unknown } | undefined> {
  const place = new URL(`../../extras/${name}/index.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
  return existsSync(fileURLToPath(place)) ? ((await import(place.href)) as { extra: unknown }) : undefined;
}

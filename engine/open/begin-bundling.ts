import { type Bundler, makeBundler, startBundler, bundleEarly } from "../bundle/process/bundler.ts";
import { makePinnedBundler } from "../run/pinned/pinned-bundler.ts";
import type { HostSettings } from "./host-settings.ts";

/** How long a process of a program that does other work stays unused. A checker has some 120 MB, a bundler 20. */
export const REST_MS = 60_000;

/** What ends the processes of a host. */
export type Closers = (() => Promise<void>)[];

type Bundling = Parameters<Bundler["bundle"]>[1];

/**
 * Begins to bundle: gives what bundles once the lockfile is known. For a session its process starts now, while the project is prepared; a
 * known script is bundled as soon as it can be, in a process of its own, unless an earlier process has kept its bundle.
 * @param closers receives what ends the processes
 */
export function beginBundling(
  { config, purpose }: HostSettings,
  closers: Closers,
): (options: Bundling) => Pick<Bundler, "bundle"> {
  const started = (bundler: Bundler): Bundler => {
    closers.push(bundler.close);
    return bundler;
  };
  if (purpose.kind === "call") return () => BUNDLE_HERE;
  if (purpose.kind === "session" && config.memory !== undefined) {
    // Its packages need no rehearsal, and its program perhaps no script.
    const bundler = started(makeBundler({ restMs: REST_MS }));
    return () => bundler;
  }
  if (purpose.kind === "session") {
    const bundler = started(startBundler());
    return (options) => {
      // What is wrong with the packages is reported to the first script that meets it.
      void rehearse(bundler, options).catch(() => undefined);
      return bundler;
    };
  }
  const { script } = purpose;
  if ("bundle" in script) return () => makePinnedBundler(script.bundle);
  return (options) => started(bundleEarly(script, options));
}

async function rehearse(bundler: Bundler, options: Bundling): Promise<void> {
  const { rehearseBundling } = await import("../bundle/process/rehearse-bundling.ts");
  await rehearseBundling(bundler, options);
}

/** A host for calls is given no script; should it be, this process bundles it. */
const BUNDLE_HERE: Pick<Bundler, "bundle"> = {
  bundle: async (source, options) => (await import("../bundle/bundle-script.ts")).bundleScript(source, options),
};

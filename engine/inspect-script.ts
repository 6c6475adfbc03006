import { withoutUndefined } from "../schemas/json/without-undefined.ts";
import { basename } from "node:path";
import { accessVerdict, ownAccess } from "../schemas/access/access.ts";
import type { Diagnostic } from "../schemas/run/answer.ts";
import type { Manifest, ManifestTool } from "../schemas/run/bundle.ts";
import type { Config } from "../schemas/config/config.ts";
import { isJsonObject, type JsonObject } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import { findOperation } from "../schemas/lock/operations.ts";
import type { PolicyVerdict } from "../schemas/access/policy.ts";
import { type Checker, findingsBesides } from "./check/process/start-checker.ts";
import type { BundleOutcome, ScriptSource } from "./bundle/bundle-script.ts";
import { bundlePlaces } from "./project/project-places.ts";
import { type ReadScript, sourceOf } from "./project/script.ts";

/** What is known of a script that has not run. */
export interface Inspection {
  /** Of the bundler, the type checker and the policy. */
  diagnostics: Diagnostic[];
  /** What the script may call, sorted by server and tool; absent where it cannot be bundled. */
  tools?: InspectedTool[];
}

/** A tool of the manifest, with what its server claims of it and what the policy says. */
export interface InspectedTool extends ManifestTool {
  annotations?: JsonObject;
  policy: PolicyVerdict;
}

/**
 * Bundles and type-checks a script, and holds its manifest against the policy. Runs nothing, and connects no server.
 * @param bundle bundles the source of scripts; this process does it itself without it
 */
export async function inspectScript(
  script: ReadScript,
  config: Config,
  lockfile: Lockfile,
  checker: Pick<Checker, "check">,
  bundle?: (script: ScriptSource) => Promise<BundleOutcome>,
): Promise<Inspection> {
  const [outcome, typeErrors] = await Promise.all([
    bundleFound(script, config, lockfile, bundle),
    // The types of a pinned bundle were its author's affair, and its source is gone.
    "bundle" in script ? [] : checker.check(script, lockfile),
  ]);
  const findings = outcome.ok ? outcome.warnings : outcome.diagnostics;
  const diagnostics = [...findings, ...findingsBesides(typeErrors, findings)];
  if (!outcome.ok) return { diagnostics };
  const tools = evaluateTools(outcome.bundle.manifest, config, lockfile);
  const denied = tools.filter(({ policy }) => policy === "deny");
  return { diagnostics: [...diagnostics, ...(denied.length > 0 ? [describeDenial(denied, config)] : [])], tools };
}

async function bundleFound(
  script: ReadScript,
  config: Config,
  lockfile: Lockfile,
  bundle: ((script: ScriptSource) => Promise<BundleOutcome>) | undefined,
): Promise<BundleOutcome> {
  const options = { ...bundlePlaces(config), lockfile };
  if (!("bundle" in script))
    return bundle?.(script) ?? (await import("./bundle/bundle-script.ts")).bundleScript(script, options);
  const { makePinnedBundler } = await import("./run/pinned/pinned-bundler.ts");
  return makePinnedBundler(script.bundle).bundle(sourceOf(script), options);
}

function evaluateTools(manifest: Manifest, config: Config, lockfile: Lockfile): InspectedTool[] {
  const access = ownAccess(config.policy);
  return manifest.tools.map((entry) => {
    const locked = findOperation(lockfile.servers.get(entry.serverId), entry.toolName);
    return {
      ...entry,
      ...withoutUndefined({ annotations: isJsonObject(locked?.annotations) ? locked.annotations : undefined }),
      policy: locked === undefined ? "deny" : accessVerdict(access, entry.serverId, locked),
    };
  });
}

function describeDenial(denied: readonly InspectedTool[], { file }: Config): Diagnostic {
  const names = denied.map(({ serverId, toolName }) => `${serverId}/${toolName}`).join(", ");
  return {
    severity: "error",
    code: "POLICY_DENIED",
    message: `The policy denies calls of ${names}.`,
    hint: `Do without them, or allow them in "policy" of ${basename(file)}.`,
  };
}

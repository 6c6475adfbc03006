import { errorsOf } from "../../runtime/host/approve-one-call.ts";
import { findMovedTools } from "../../runtime/host/find-moved-tools.ts";
import type { Refusal } from "../../runtime/host/lock/describe-drift.ts";
import type { LiveLock } from "../../runtime/host/lock/live-lock.ts";
import { serversOf } from "../../runtime/host/named-servers.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { DriftPolicy } from "../../schemas/config/config.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";

/** What the policy for drift means for scripts and calls. */
export interface DriftRules {
  /** When drift stops what has that manifest. */
  refusalOf: (manifest: Manifest) => Refusal;
  /** Looks again after an approval, which may take its time: what will be called must still be what was asked about. */
  findNewDrift: (manifest: Manifest, access: Access) => Promise<Diagnostic[]>;
}

/** @param refuseBy with `refuse`: a drifted tool stops the scripts that use it, or a drifted server all scripts that use that */
export function makeDriftRules(lock: LiveLock, drift: DriftPolicy, refuseBy: "server" | "tool"): DriftRules {
  return {
    refusalOf(manifest) {
      if (drift === "refuse" && refuseBy === "server") return { kind: "server" };
      return drift === "refuse" || drift === "review" ? { kind: "tool", manifest } : { kind: "none" };
    },
    async findNewDrift(manifest, access) {
      if (drift === "warn") return [];
      const drifted = errorsOf(await lock.look(serversOf(manifest), { kind: "tool", manifest }, access));
      // Another run may have made the lockfile follow the server meanwhile: then nothing drifts, and the tool is another.
      return drifted.length > 0 ? drifted : findMovedTools(manifest, lock.current(), "Run it again.");
    },
  };
}

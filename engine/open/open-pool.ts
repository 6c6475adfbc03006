import { assertSettingTrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { toSandboxSettings } from "../../schemas/config/sandbox-settings.ts";
import type { Isolation } from "../../schemas/config/config-file.ts";
import type { HostSettings } from "./host-settings.ts";

/** The runs of a batch have one script and one owner: code of another could only come from a gap in the lockdown (decision 90). */
const BATCH_ISOLATION: Isolation = "compartment";

/** Makes the pool of a host, as large as its purpose needs it. */
export function openPool({ config, purpose, concurrency, origin }: HostSettings): SandboxPool {
  assertSettingTrusted(config, "sandbox.command");
  const shared = { maxMemoryBytes: config.limits.maxMemoryBytes, command: config.sandbox.command };
  if (purpose.kind === "call") return makeSandboxPool({ ...shared, refill: false });
  const usual = origin === "batch" ? BATCH_ISOLATION : "process";
  const { isolation, reuse: times } = toSandboxSettings(config.sandbox, usual);
  const reuse = isolation === "process" ? undefined : { times, renew: isolation };
  if (purpose.kind === "script" && concurrency === undefined) return makeSandboxPool({ ...shared, refill: false });
  return makeSandboxPool({ ...shared, reuse, size: concurrency });
}

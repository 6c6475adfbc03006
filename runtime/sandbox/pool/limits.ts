import { DEFAULTS, type RunLimits } from "../../../schemas/config/config-file.ts";

/** What a caller may ask for at most, where the configuration says nothing else. */
export const MAXIMUM_LIMITS: RunLimits = {
  timeoutMs: 10 * 60_000,
  maxMemoryBytes: 1024 * 1024 * 1024,
  maxLogBytes: 8 * 1024 * 1024,
  maxToolCalls: 100_000,
  maxResultBytes: 16 * 1024 * 1024,
};

const NAMES = Object.keys(DEFAULTS.limits) as (keyof RunLimits)[];

/**
 * The limits of a run: what was asked for, the default where nothing sensible was, and never more than the host allows. Keys that are not
 * known are ignored (specification 3.2.4).
 */
export function capLimits(
  asked: object,
  maximum: RunLimits = MAXIMUM_LIMITS,
  defaults: RunLimits = DEFAULTS.limits,
): RunLimits {
  const limits = { ...defaults };
  for (const name of NAMES) {
    const value: unknown = Object.hasOwn(asked, name) ? asked[name as keyof typeof asked] : undefined;
    const wanted =
      typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : defaults[name];
    limits[name] = Math.min(wanted, maximum[name]);
  }
  return limits;
}

import type { StandingClock } from "./standing-clock.ts";

/**
 * `Date`, with the time of another clock. Its instances are real dates whose prototype inherits from the real one, so that
 * `date.constructor` is this class too.
 */
export function makeClockedDate(clock: StandingClock): DateConstructor {
  function ClockedDate(...args: unknown[]): unknown {
    if (new.target === undefined) return new Date(clock.now()).toString();
    const given = args.length === 0 ? [clock.now()] : args;
    return Reflect.construct(Date, given, new.target as unknown as DateConstructor);
  }
  const { now } = { now: (): number => clock.now() };
  const hidden = { writable: true, enumerable: false, configurable: true };
  const prototype = Object.create(Date.prototype, { constructor: { value: ClockedDate, ...hidden } }) as object;
  Object.defineProperties(ClockedDate, {
    name: { value: "Date" },
    length: { value: Date.length },
    prototype: { value: prototype, writable: false },
    now: { value: now, ...hidden },
    parse: { value: Date.parse, ...hidden },
    UTC: { value: Date.UTC, ...hidden },
  });
  return ClockedDate as unknown as DateConstructor;
}

import type { StandingClock } from "./standing-clock.ts";

type Format = (date?: unknown) => unknown;

/** `Intl`, whose `DateTimeFormat` takes the time of another clock where it is given no date. */
export function makeClockedIntl(clock: StandingClock): typeof Intl {
  const real = Intl.DateTimeFormat;
  const realFormat = Object.getOwnPropertyDescriptor(real.prototype, "format")?.get as () => Format;
  const orNow = (date: unknown): unknown => (date === undefined ? clock.now() : date);

  function ClockedFormat(...args: unknown[]): unknown {
    return Reflect.construct(real, args, (new.target as unknown as typeof real | undefined) ?? asFormat);
  }
  const asFormat = ClockedFormat as unknown as typeof real;
  const overriding = {
    get format(): Format {
      const format = Reflect.apply(realFormat, this, []);
      return (date) => format(orNow(date));
    },
    formatToParts(date?: unknown): unknown {
      return Reflect.apply(real.prototype.formatToParts, this, [orNow(date)]);
    },
    constructor: asFormat,
  };
  const prototype = Object.create(real.prototype, hideAll(overriding)) as object;
  Object.defineProperties(ClockedFormat, {
    name: { value: "DateTimeFormat" },
    length: { value: real.length },
    prototype: { value: prototype, writable: false },
    ...hideAll({ supportedLocalesOf: real.supportedLocalesOf }),
  });
  return Object.defineProperties(Object.create(Object.prototype) as typeof Intl, {
    ...Object.getOwnPropertyDescriptors(Intl),
    ...hideAll({ DateTimeFormat: asFormat }),
  });
}

/** Not enumerable, as the language's own members are. */
function hideAll(members: object): PropertyDescriptorMap {
  const entries = Object.entries(Object.getOwnPropertyDescriptors(members));
  return Object.fromEntries(entries.map(([name, descriptor]) => [name, { ...descriptor, enumerable: false }]));
}

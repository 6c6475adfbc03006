const FACTORS: { [unit: string]: number } = {
  ms: 1,
  s: 1000,
  second: 1000,
  seconds: 1000,
  minute: 60_000,
  minutes: 60_000,
  hour: 3_600_000,
  hours: 3_600_000,
  bytes: 1,
  kB: 1000,
  KiB: 1024,
  MB: 1_000_000,
  MiB: 1024 ** 2,
  GB: 1_000_000_000,
  GiB: 1024 ** 3,
  tokens: 1,
  "%": 0.01,
};

/** A figure in milliseconds, bytes, tokens or a share; `undefined` for other units. */
export function valueOfFigure(figure: string): number | undefined {
  const [number = "", unit = ""] = figure.split(/ (.*)/);
  const factor = FACTORS[unit];
  return factor === undefined ? undefined : Number(number.replaceAll(",", "")) * factor;
}

/** The number that a source gives a constant, in the unit that its name says: `_SECONDS` and `_MINUTES` become milliseconds. */
export function valueOfConstant(source: string, name: string): number | undefined {
  const written = new RegExp(String.raw`\b${name}(?:: number)? ?[=:] ([\d_*. ()]+?)\s*[;,}\n]`).exec(source)?.[1];
  if (written === undefined) return undefined;
  const number = written
    .replaceAll(/[_()]/g, "")
    .split("*")
    .reduce((product, factor) => product * Number(factor), 1);
  if (/seconds$/i.test(name)) return number * 1000;
  if (/minutes$/i.test(name)) return number * 60_000;
  if (/megabytes$/i.test(name)) return number * 1024 ** 2;
  return number;
}

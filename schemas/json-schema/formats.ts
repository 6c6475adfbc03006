const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?`;
const ZONE = String.raw`(?:z| ?[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`;
/** Python's and JavaScript's parsers take seconds and milliseconds since 1970 too. */
const EPOCH = String.raw`-?\d+(?:\.\d+)?`;

/**
 * The formats that validators check, each as one regular expression, so that a printed validator
 * needs nothing but itself. They refuse what is plainly wrong and leave the last word to the server;
 * a format that is not here is not checked. What servers mean by a name is wider than RFC 3339 and RFC 4122: zod, valibot and Java
 * print `date-time` and `time` for local times and for times without seconds, and pydantic and serde read a UUID without hyphens.
 */
export const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ["date", new RegExp(`^(?:${DATE}(?:[t _]${TIME}${ZONE}?)?|${EPOCH})$`, "i")],
  ["time", new RegExp(`^t?${TIME}${ZONE}?$`, "i")],
  ["date-time", new RegExp(`^(?:${DATE}(?:[t _]${TIME}${ZONE}?)?|${EPOCH})$`, "i")],
  ["email", /[^\s@]@[^\s@]/],
  ["uri", /^\s*[a-z][a-z0-9+.-]*:/i],
  ["uuid", /^(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i],
  ["ipv4", /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
]);

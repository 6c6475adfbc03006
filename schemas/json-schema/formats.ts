/**
 * The formats that validators check, each as one regular expression, so that a printed validator
 * needs nothing but itself. They refuse what is plainly wrong and leave the last word to the server;
 * a format that is not here is not checked.
 */
export const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ["date", /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/],
  ["time", /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i],
  [
    "date-time",
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[t ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i,
  ],
  ["email", /^[^\s@]+@[^\s@]+$/],
  ["uri", /^[a-z][a-z0-9+.-]*:\S+$/i],
  ["uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ["ipv4", /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
]);

import { findInText } from "./find-in-text.ts";

/** A word without the signs that it takes to be code of a shell or a program. */
const NO_CODE = /^[^\s$`;|&<>(){}\\'"]+$/;
/** Who gets what is sent to an address (RFC 3986, section 3.2): shown however random it looks. */
const HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\@]*$/i;

/**
 * The text with `…` in the place of what looks like a secret, for questions, which a client may log, and errors. What could be code
 * stays, like the host of an address: a person who decides about them has to see them.
 * @param name of the whole text: the option before it
 */
export function maskSecrets(text: string, name?: string): string {
  return findInText(text, name)
    .map(({ start, end, inner }) => {
      const at = inner === undefined ? -1 : text.indexOf(`:${inner}@`, start);
      return at === -1 ? { start, end } : { start: at + 1, end: at + 1 + (inner as string).length };
    })
    .toReversed()
    .filter(
      ({ start, end }) => NO_CODE.test(text.slice(start, end)) && (text[end] === "@" || !HOST.test(text.slice(0, end))),
    )
    .reduce((masked, { start, end }) => `${masked.slice(0, start)}…${masked.slice(end)}`, text);
}

/**
 * The values of a query may be keys, and say nothing of where the address leads: `?api_key=x&region=eu` becomes `?api_key=&region=`.
 * @param shown in the place of each value
 */
export function withoutQueryValues(url: string, shown = ""): string {
  return url.replace(/\?[^#]*/, (query) => query.replace(/=[^&]*/g, `=${shown}`));
}

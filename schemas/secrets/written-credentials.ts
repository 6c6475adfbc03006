// How a credential is written where more than it stands: behind a scheme, and in an address.

/** `Bearer x`: the word before a credential (RFC 9110, section 11.4), and what some programs write in its place. */
const SCHEME = /^(?:basic|bearer|token|apikey|dpop|digest)\s+(?=\S)/i;

/** After the scheme of a credential, within a text: `Authorization: Bearer x`. The other schemes are ordinary words there. */
export const CREDENTIAL = /(?<![\w-])(?:basic|bearer|apikey|dpop)\s+([^\s"'\\&;,]{6,})/gi;

/** `scheme://user:password@host…`, up to the end of the word (RFC 3986, section 3.2.1). */
export const USERINFO = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"'?#]*:([^\s/@"']+)@[^\s"']*/gi;

/** How long the scheme of a credential is, with the blanks behind it; 0 where there is none. */
export function lengthOfScheme(text: string): number {
  return SCHEME.exec(text)?.[0].length ?? 0;
}

/** The credential of an `Authorization` header, without the word before it. */
export function withoutScheme(text: string): string {
  return text.slice(lengthOfScheme(text));
}

/** Whether a word is the scheme of a credential. */
export function isScheme(word: string): boolean {
  return SCHEME.test(`${word} x`);
}

/** Whether an address has a user or a password in front of its host: `https://user:password@host/`. */
export function holdsCredentials(address: string): boolean {
  return /^[^/?#]*\/\/[^/?#]*@/.test(address);
}

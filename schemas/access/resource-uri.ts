/** A URI as policies look at it, or why no policy can be sure of it. */
export type ReadUri = { ok: true; forms: readonly string[] } | { ok: false; problem: string };

const MAX_CHARACTERS = 8192;
/** `%252e` is `.` to a server that decodes twice. */
const MAX_DECODINGS = 4;

/**
 * Reads the URI of a resource before it goes to a server. What servers may read in different ways is refused.
 * @returns the URI as it is, then the other spellings that servers may take for the same
 */
export function readResourceUri(uri: string): ReadUri {
  if (uri.length > MAX_CHARACTERS) return refuse(`it has more than ${MAX_CHARACTERS} characters`);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return refuse("it does not begin with a scheme");
  if (/[\p{C}\\{}]|(?! )\p{Z}| $/u.test(uri)) return refuse("it contains characters that a URI cannot have");
  if (uri.normalize("NFKC") !== uri) return refuse("it contains letters that look like others");
  const decodings = decodeAll(uri);
  if (decodings.length === 0) return refuse("its percent signs are not those of encoded UTF-8");
  if (decodings.length > MAX_DECODINGS) return refuse("it is encoded too often");
  const plain = (decodings.at(-1) as string).normalize("NFKC");
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(plain)) return refuse("it contains encoded characters that are invisible");
  if (/[/\\:=?&#;,]\.{1,2}(?:[/\\?&#;,]|$)/.test(plain)) return refuse('it contains "." or ".." as a step of a path');
  return { ok: true, forms: [...new Set([uri, ...decodings].flatMap((form) => [form, withLowerOrigin(form)]))] };
}

/** The URI decoded once, twice, and so on until nothing is left to decode; none where it cannot be decoded. */
function decodeAll(uri: string): string[] {
  const decodings: string[] = [];
  for (let last = uri; decodings.length <= MAX_DECODINGS; last = decodings.at(-1) as string) {
    try {
      const decoded = decodeURIComponent(last);
      if (decoded === last && decodings.length > 0) break;
      decodings.push(decoded);
    } catch {
      break; // An encoded percent sign that is no code.
    }
  }
  return decodings;
}

/** The scheme and the host mean the same in either case (RFC 3986, section 6.2.2.1). */
function withLowerOrigin(uri: string): string {
  return uri.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?/i, (origin) => origin.toLowerCase());
}

function refuse(problem: string): ReadUri {
  return { ok: false, problem };
}

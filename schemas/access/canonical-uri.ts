const UNRESERVED = /^[\w.~-]$/;
/** More rounds than a URI that is read may have; what is left after them has no canonical spelling. */
const MAX_ROUNDS = 8;

/**
 * The one spelling in which a URI is read (RFC 3986, section 6.2): a scheme in small letters, `file:///` before a path on this machine, no
 * empty steps, and each character that is encoded at all encoded once, in capitals and in NFKC. Spaces and letters of other scripts stay
 * as they are, plain or encoded, because servers list both.
 */
export function canonicalUri(uri: string): string {
  const decoded = decodeRepeated(uri.normalize("NFKC"));
  const spelt = normalizeLetters(decoded).replace(/%[\da-f]{2}/gi, toPlainOrCapitals);
  const [, scheme = "", authority, path = "", tail = ""] =
    /^([^:]*):(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s.exec(spelt) ?? [];
  const name = scheme.toLowerCase();
  const steps = path.replace(/\/{2,}/g, "/");
  if (name !== "file") return `${name}:${authority === undefined ? "" : `//${authority}`}${steps}${tail}`;
  if (authority !== undefined && !/^(?:localhost)?$/i.test(authority)) return `file://${authority}${steps}${tail}`;
  return `file:///${withDrive(steps.replace(/^\//, ""))}${tail}`;
}

/** `%2541` is `A` to a server that decodes twice. */
function decodeRepeated(uri: string): string {
  let text = uri;
  for (let round = 0; round < MAX_ROUNDS && /%25[\da-f]{2}/i.test(text); round += 1) {
    text = text.replace(/%25(?=[\da-f]{2})/gi, "%");
  }
  return text;
}

function normalizeLetters(uri: string): string {
  return uri.replace(/(?:%[89a-f][\da-f])+/gi, (run) => {
    try {
      const letters = decodeURIComponent(run);
      const normal = letters.normalize("NFKC");
      return normal === letters ? run : encodeURIComponent(normal);
    } catch {
      return run;
    }
  });
}

function toPlainOrCapitals(code: string): string {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return UNRESERVED.test(character) ? character : code.toUpperCase();
}

/** A drive of Windows, which `|` and an encoded colon name too. */
function withDrive(path: string): string {
  return path.replace(/^([a-z])(?::|\||%7C|%3A)(?=\/|$)/i, (_, letter: string) => `${letter.toUpperCase()}:`);
}

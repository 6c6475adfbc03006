import { withoutUndefined } from "../json/without-undefined.ts";

/** A URI as policies look at it, or why no policy can be sure of it. */
export type ReadUri =
  | { ok: true; forms: readonly string[] }
  | {
      ok: false;
      problem: string;
      /** The spelling that is read, where there is one. */
      canonical?: string;
    };

const MAX_CHARACTERS = 8192;
const ENCODED = /%[\da-f]{2}/i;
/** An empty step, or a separator of Windows: servers drop the one, and may take the other for a slash. */
const ODD_STEP = /\/\/|\\/;
const OF_ANOTHER_HOST = /^file:(?!\/\/\/)/;

/**
 * Reads the URI of a resource before it goes to a server. Each resource has one spelling (`canonicalUri`); another one, and what servers may
 * read in different ways, is refused.
 * @returns the URI as it is, then other spellings that policies may have for the same
 */
export function readResourceUri(uri: string): ReadUri {
  const problem = findProblem(uri);
  if (problem !== undefined) return { ok: false, problem };
  const canonical = canonicalUri(uri);
  const decoded = decodeURIComponent(uri);
  const isOdd = ODD_STEP.test(decodeURIComponent(pathOf(uri))) || OF_ANOTHER_HOST.test(uri) || ENCODED.test(decoded);
  if (canonical === uri && decoded.normalize("NFKC") === decoded && !isOdd)
    return { ok: true, forms: spellingsOf(uri, decoded) };
  const different = "it is not spelt in the one way in which it is read";
  const hasCanonical = canonical !== uri && canonicalUri(canonical) === canonical && readResourceUri(canonical).ok;
  return { ok: false, problem: different, ...withoutUndefined({ canonical: hasCanonical ? canonical : undefined }) };
}

function pathOf(uri: string): string {
  return uri.replace(/^[^:]*:(?:\/\/[^/?#]*)?/, "").replace(/[?#].*$/s, "");
}

/** What no other spelling makes right. */
function findProblem(uri: string): string | undefined {
  if (uri.length > MAX_CHARACTERS) return `it has more than ${MAX_CHARACTERS} characters`;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return "it does not begin with a scheme";
  if (/[\p{C}\\{}]|(?! )\p{Z}| $/u.test(uri)) return "it contains characters that a URI cannot have";
  const plain = decodeWhole(uri)?.normalize("NFKC");
  if (plain === undefined) return "its percent signs are not those of encoded UTF-8";
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(plain)) return "it contains encoded characters that are invisible";
  if (/[/\\:=?&#;,]\.{1,2}(?:[/\\?&#;,]|$)/.test(plain)) return 'it contains "." or ".." as a step of a path';
  return undefined;
}

/** The URI without any encoding; undefined where the first one is none. What only looks like a further one stays, as servers leave it. */
function decodeWhole(uri: string): string | undefined {
  try {
    let text = decodeURIComponent(uri);
    for (let last = ""; last !== text;) {
      last = text;
      text = text.replace(/(?:%[\da-f]{2})+/gi, decodeLeniently);
    }
    return text;
  } catch {
    return undefined;
  }
}

function decodeLeniently(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/**
 * A policy may name a resource encoded or not, and its scheme and host in capitals; a server may cut the scheme off with any number of
 * slashes (`note:///a` and `note://a`).
 */
function spellingsOf(uri: string, decoded: string): string[] {
  const encoded = decoded.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
  const forms = [uri, decoded, encoded].flatMap((form) => [form, withLowerOrigin(form)]);
  return [...new Set([...forms, ...forms.flatMap(withOtherSlashes)])];
}

/** The scheme and the host mean the same in either case (RFC 3986, section 6.2.2.1). */
function withLowerOrigin(uri: string): string {
  return uri.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?/i, (origin) => origin.toLowerCase());
}

function withOtherSlashes(uri: string): string[] {
  const [, scheme = "", rest = ""] = /^([^:]*):\/*(.*)$/s.exec(uri) ?? [];
  return ["", "/", "//", "///"].map((slashes) => `${scheme}:${slashes}${rest}`);
}

const UNRESERVED = /^[\w.~-]$/;
/** More rounds than a URI that is read may have; what is left after them has no canonical spelling. */
const MAX_ROUNDS = 8;

/**
 * The one spelling in which a URI is read (RFC 3986, section 6.2): a scheme in small letters, `file:///` before a path on this machine, no
 * empty steps, and each character that is encoded at all encoded once, in capitals and in NFKC. Spaces and letters of other scripts stay
 * as they are, plain or encoded, because servers list both.
 */
function canonicalUri(uri: string): string {
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

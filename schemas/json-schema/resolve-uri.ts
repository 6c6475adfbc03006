/** A URI reference in its five parts (RFC 3986, appendix B). */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** Resolves a URI reference against a base (RFC 3986, 5.2); the fragment is the reference's own. */
export function resolveUri(base: string, reference: string): string {
  const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(reference) ?? [];
  const [, baseScheme, baseAuthority, basePath = "", baseQuery = ""] = PARTS.exec(base) ?? [];
  if (scheme !== undefined) return join(scheme, authority, withoutDots(path), query) + fragment;
  if (authority !== undefined) return join(baseScheme, authority, withoutDots(path), query) + fragment;
  if (path === "") return join(baseScheme, baseAuthority, basePath, query === "" ? baseQuery : query) + fragment;
  const merged = path.startsWith("/") ? path : basePath.slice(0, basePath.lastIndexOf("/") + 1) + path;
  return join(baseScheme, baseAuthority, withoutDots(merged), query) + fragment;
}

function join(scheme: string | undefined, authority: string | undefined, path: string, query: string): string {
  return `${scheme === undefined ? "" : `${scheme}:`}${authority === undefined ? "" : `//${authority}`}${path}${query}`;
}

/** Removes `.` and `..` from a path (RFC 3986, 5.2.4). Paths without slashes, as in `urn:a:b`, stay as they are. */
function withoutDots(path: string): string {
  if (!path.includes("/")) return path;
  const kept: string[] = [];
  const segments = path.split("/");
  segments.forEach((segment, index) => {
    const last = index === segments.length - 1;
    if (segment === ".." && kept.length > 1) kept.pop();
    if (segment !== "." && segment !== "..") kept.push(segment);
    else if (last) kept.push("");
  });
  return kept.join("/");
}

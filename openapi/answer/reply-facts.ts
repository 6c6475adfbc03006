import { defined } from "../json.ts";
import { stripControls } from "../openapi-error.ts";
import type { HttpReply } from "../request/exchange.ts";

/** Headers that say how to go on: pages, limits, versions, places. Everything else stays here, cookies above all. */
const SHOWN =
  /^(?:retry-after|link|location|content-location|etag|last-modified|content-type|content-disposition|content-range|deprecation|sunset|x-(?:total|next|prev|page|per-page|pagination|request-id|total-count)[\w-]*|(?:x-)?ratelimit[\w-]*)$/;

/** What a caller can see of an answer beside its body. */
export interface ReplyFacts {
  [name: string]: unknown;
  status: number;
  headers: Record<string, string>;
  /** The addresses of the `Link` header by their relation, such as `next`. */
  links?: Record<string, string>;
}

/** The facts of an answer that scripts page and wait by. */
export function describeReply({ status, headers }: HttpReply, mask: (text: string) => string): ReplyFacts {
  const shown = Object.entries(headers)
    .filter(([name]) => SHOWN.test(name))
    .map(([name, value]) => [name, mask(stripControls(value)).slice(0, 2_000)] as const);
  const links = parseLinks(shown.find(([name]) => name === "link")?.[1] ?? "");
  return {
    status,
    headers: Object.fromEntries(shown),
    ...defined({ links: Object.keys(links).length > 0 ? links : undefined }),
  };
}

/** Reads `<https://api.example/?page=2>; rel="next"` (RFC 8288). */
function parseLinks(header: string): Record<string, string> {
  const found = [...header.matchAll(/<([^<>]*)>([^<]*)/g)].flatMap(([, address = "", parameters = ""]) => {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
    const names = (relations?.[1] ?? relations?.[2] ?? "").split(/\s+/);
    return names.filter((name) => name !== "").map((name) => [name, address] as const);
  });
  return Object.fromEntries(found);
}

import { URL_PARTS, type UrlParts } from "../../../../schemas/run/bridge.ts";

const { URL, URLSearchParams, JSON } = globalThis;

export function parseUrl(url: string, base: string | undefined): string {
  return printParts(new URL(url, base));
}

export function changeUrl(url: string, part: string, value: string): string | undefined {
  const known = URL_PARTS.find((name) => name === part);
  if (known === undefined) return undefined;
  const changed = new URL(url);
  changed[known] = value;
  return printParts(changed);
}

export function parseQuery(query: string): string {
  return JSON.stringify([...new URLSearchParams(query)]);
}

export function formatQuery(pairs: string): string {
  return new URLSearchParams(JSON.parse(pairs) as [string, string][]).toString();
}

function printParts(url: URL): string {
  const parts: Partial<UrlParts> = { origin: url.origin };
  for (const part of URL_PARTS) parts[part] = url[part];
  return JSON.stringify(parts);
}

import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { VERSION } from "../../schemas/version.ts";

/** What a card says of the request that it answers. */
export interface CardRequest {
  /** The `Host` header, which is one that is served. */
  host: string;
  /** Whether a proxy in front of this process speaks TLS. */
  isSecure: boolean;
  /** Where MCP is. */
  path: string;
  needsToken: boolean;
}

/**
 * The server card, as drafted in SEP-2127: who serves here, where, and in which revisions. It holds nothing of a project, because it is
 * read before a client has shown its token.
 */
export function describeServer({ host, isSecure, path, needsToken }: CardRequest): Response {
  const token = {
    name: "Authorization",
    value: "Bearer {token}",
    variables: { token: { description: "The token of the client", isRequired: true, isSecret: true } },
  };
  const remote = {
    type: "streamable-http",
    url: `${isSecure ? "https" : "http"}://${host}${path}`,
    ...withoutUndefined({ headers: needsToken ? [token] : undefined }),
    supportedProtocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
  };
  const card = {
    $schema: "https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json",
    name: `${reverseName(host)}/codemode`,
    version: VERSION,
    title: "codemode",
    description: "Runs scripts against the tools of MCP servers, in a sandbox.",
    remotes: [remote],
  };
  return Response.json(card, {
    headers: { "content-type": "application/mcp-server-card+json", "cache-control": "no-store" },
  });
}

/** `tools.example.com:8080` becomes `com.example.tools`; an address of IP has no such name. */
function reverseName(host: string): string {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  const isName = /^[a-z0-9.-]+$/.test(name) && !/^[\d.]+$/.test(name);
  return isName ? name.split(".").toReversed().join(".") : "localhost";
}

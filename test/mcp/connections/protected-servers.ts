import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { credentialsPath, readStoredLogins } from "../../../runtime/mcp/oauth/credentials-file.ts";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { browse, startAuthorizationServer, type AuthorizationServer } from "../../servers/authorization-server.mjs";
import type { MisbehavingHttp } from "../../servers/misbehaving-http.mjs";
import { httpTarget, serve } from "./http-servers.ts";

/** The state folder of the running test. */
export let folder = "";
export const opened: AuthorizationServer[] = [];

/** Gives each test of a file a state folder of its own, and ends its authorization servers. */
export function keepLoginsApart(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "codemode-login-"));
    vi.stubEnv("XDG_STATE_HOME", folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(opened.splice(0).map((server) => server.close()));
    await rm(folder, { recursive: true });
  });
}

/** A server that wants tokens of an authorization server; `tools/call` wants the scope for writing. */
export async function startProtected(options?: { accessTokenSeconds?: number }) {
  const authorization = await startAuthorizationServer(options);
  opened.push(authorization);
  const server = await serve();
  protect(server, authorization);
  return { authorization, server, target: httpTarget(server) };
}

function protect(server: MisbehavingHttp, { issuer, provider }: AuthorizationServer): void {
  const metadata = `resource_metadata="${new URL("/.well-known/oauth-protected-resource/mcp", server.url).href}"`;
  server.resourceMetadata = { resource: server.url, authorization_servers: [issuer] };
  server.guard = async (token, message) => {
    const { AccessToken, ClientCredentials } = provider;
    const find = async (text: string) => (await AccessToken.find(text)) ?? (await ClientCredentials.find(text));
    const known = token === undefined ? undefined : await find(token);
    if (known === undefined || known.isExpired) {
      return { status: 401, challenge: `Bearer ${metadata}, scope="tools:read offline_access"` };
    }
    const mayWrite = known.scope?.split(" ").includes("tools:write") === true;
    const writes = (message?.["params"] as { name?: string } | undefined)?.name === "echo";
    if (!writes || mayWrite) return undefined;
    return { status: 403, challenge: `Bearer error="insufficient_scope", scope="tools:write", ${metadata}` };
  };
}

/** Opens a login page without a person. */
export const openUrl = async (url: URL) => void (await browse(url));

/** What is kept of the last login. */
export async function storedTokens(target: HttpTarget) {
  const credentials = await readStoredLogins(credentialsPath(target));
  return credentials?.grants[credentials.issuer ?? ""]?.tokens;
}

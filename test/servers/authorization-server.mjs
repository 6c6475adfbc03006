// A real authorization server (oidc-provider) on a free port of this machine, which lets everybody in without a page.

import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import { Provider } from "oidc-provider";
import { makeMemoryAdapter } from "./memory-adapter.mjs";

export const SCOPES = ["tools:read", "tools:write"];

/** The client of a machine, by its secret or its key; neither is used elsewhere. */
export const ROBOT = { clientId: "robot", clientSecret: "secret of a robot" };
/** One that sends its secret in the body. */
export const POSTING_ROBOT = { clientId: "posting-robot", clientSecret: "another secret: 100 %+&" };
const { privateKey: signerKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const SIGNER = { clientId: "signer", privateKey: signerKey.export({ format: "pem", type: "pkcs8" }) };

const MACHINE = { grant_types: ["client_credentials"], response_types: [], redirect_uris: [] };

/** @param accessTokenSeconds how long an access token lives */
export async function startAuthorizationServer({ accessTokenSeconds = 3_600 } = {}) {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = new Provider(issuer, {
    adapter: makeMemoryAdapter(),
    jwks: { keys: [privateKey.export({ format: "jwk" })] },
    scopes: ["openid", "offline_access", ...SCOPES],
    clients: [
      {
        client_id: "by-hand",
        token_endpoint_auth_method: "none",
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback"],
      },
      {
        client_id: "remembered",
        grant_types: ["authorization_code", "refresh_token"],
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback"],
      },
      {
        client_id: POSTING_ROBOT.clientId,
        client_secret: POSTING_ROBOT.clientSecret,
        token_endpoint_auth_method: "client_secret_post",
        ...MACHINE,
      },
      {
        client_id: ROBOT.clientId,
        client_secret: ROBOT.clientSecret,
        token_endpoint_auth_method: "client_secret_basic",
        ...MACHINE,
      },
      {
        client_id: SIGNER.clientId,
        token_endpoint_auth_method: "private_key_jwt",
        jwks: { keys: [{ ...publicKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] },
        ...MACHINE,
      },
    ],
    clientDefaults: { token_endpoint_auth_method: "none", id_token_signed_response_alg: "ES256" },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: SCOPES.join(" "),
          accessTokenFormat: "opaque",
          accessTokenTTL: accessTokenSeconds,
        }),
        useGrantedResource: () => true,
      },
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    rotateRefreshToken: true,
    cookies: { keys: ["only for tests"] },
    ttl: { Grant: 3_600, Interaction: 600, Session: 3_600, RefreshToken: 3_600, AccessToken: accessTokenSeconds },
  });
  const requests = [];
  const handle = provider.callback();
  server.on("request", (request, response) => {
    requests.push(`${request.method} ${request.url.split("?", 1)[0]}`);
    if (request.url.startsWith("/interaction/")) return void letIn(provider, request, response);
    return handle(request, response);
  });
  return {
    issuer,
    provider,
    /** Every request, as method and path. */
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a person would do on two pages: log in, and consent to all that is asked for. */
async function letIn(provider, request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (params.state === "refuse-me" || request.headers["x-refuse"] !== undefined) {
    return provider.interactionFinished(request, response, { error: "access_denied", error_description: "not today" });
  }
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  }
  const grant =
    grantId === undefined
      ? new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
      : await provider.Grant.find(grantId);
  const { missingOIDCScope, missingResourceScopes } = prompt.details;
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(" "));
  }
  const consent = grantId === undefined ? { grantId: await grant.save() } : (await grant.save(), {});
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

/**
 * Opens a login page as a browser does: follows redirects and keeps cookies. Answers the last response.
 * @param onCallback called with the address of a redirect to a callback, which is not followed then
 */
export async function browse(url, headers = {}, onCallback) {
  const cookies = new Map();
  let address = new URL(url);
  for (let steps = 0; steps < 20; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, {
      redirect: "manual",
      headers: { ...headers, ...(cookie === "" ? {} : { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) return response;
    address = new URL(location, address);
    if (onCallback !== undefined && address.pathname === "/callback") {
      onCallback(address.href);
      return response;
    }
  }
  throw new Error("redirects without end");
}

import type { TrustedOrigins } from "../request/api-server.ts";
import type { Environment } from "../request/environment.ts";
import type { JsonObject } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import {
  AUTHORIZATION,
  type Endpoint,
  endpointByHand,
  type EndpointKind,
  endpointOfDocument,
  judge,
  TOKEN,
} from "./endpoints.ts";
import { isOpenId, type LoginScheme } from "./login-scheme.ts";
import { type AuthorizationServer, explainFailure, loadProtocol, optionsFor } from "./protocol.ts";

const DISCOVERY: EndpointKind = { suffix: "TOKEN_URL", members: ["openIdConnectUrl"] };
const CONFIGURATION = "/.well-known/openid-configuration";

/**
 * Finds the addresses of a login. Those of the document are judged at once; a provider of OpenID is asked at the first call, and what it
 * answers is judged in the same way.
 */
export function findAuthorizationServer(
  scheme: LoginScheme,
  flow: JsonObject,
  kinds: { token: EndpointKind; authorization?: EndpointKind },
  trust: TrustedOrigins,
  env: Environment,
): () => Promise<AuthorizationServer> {
  const token = endpointByHand(scheme, kinds.token, env);
  const { authorization: wanted } = kinds;
  const authorization = wanted && endpointByHand(scheme, wanted, env);
  const isComplete = token !== undefined && (wanted === undefined || authorization !== undefined);
  if (isOpenId(scheme) && !isComplete) {
    const discovery = endpointOfDocument(scheme, scheme.definition, DISCOVERY, trust);
    return async () => {
      const found = await discover(scheme, discovery, trust);
      return { ...found, token: token ?? found.token, authorization: authorization ?? found.authorization };
    };
  }
  const server = {
    token: token ?? endpointOfDocument(scheme, flow, kinds.token, trust),
    authorization: authorization ?? (wanted && endpointOfDocument(scheme, flow, wanted, trust)),
  };
  return () => Promise.resolve(server);
}

async function discover(
  scheme: LoginScheme,
  { url, guard }: Endpoint,
  trust: TrustedOrigins,
): Promise<AuthorizationServer> {
  if (!url.pathname.endsWith(CONFIGURATION)) {
    const cause = `${scheme.pointer}: openIdConnectUrl does not end with ${CONFIGURATION}`;
    throw new OpenApiError("LOGIN_FAILED", cause, `Set ${scheme.variable}_TOKEN_URL.`);
  }
  const issuer = new URL(url.href.slice(0, url.href.indexOf(CONFIGURATION)));
  const protocol = await loadProtocol();
  try {
    const answer = await protocol.discoveryRequest(issuer, await optionsFor(guard));
    const found = await protocol.processDiscoveryResponse(issuer, answer);
    const at = (address: string | undefined, kind: EndpointKind): Endpoint | undefined =>
      address === undefined ? undefined : judge(new URL(address), scheme, kind, trust);
    const token = at(found.token_endpoint, TOKEN);
    if (token === undefined) throw new Error("it names no token_endpoint");
    return { issuer: found.issuer, token, authorization: at(found.authorization_endpoint, AUTHORIZATION) };
  } catch (error) {
    throw explainFailure(
      error,
      `the OpenID provider of ${scheme.name} cannot be used`,
      `Set ${scheme.variable}_TOKEN_URL.`,
    );
  }
}

import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { readBounded } from "../../files/read-bounded.ts";
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  type CrossAppAccessProviderOptions,
  discoverAndRequestJwtAuthGrant,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type FetchLike,
  fetchToken,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  resourceUrlFromServerUrl,
  selectResourceURL,
} from "@modelcontextprotocol/client";
import { CLIENT_INFO } from "@codemode/runtime/connections/client-identity";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import type { Challenge } from "./ask-for-challenge.ts";
import type { Grant } from "./credentials-file.ts";
import { makeDpopKey, openDpopSession } from "./dpop-key.ts";
import type { MachineSettings } from "./machine-settings.ts";
import { createPrivateKey, type KeyObject } from "node:crypto";

/**
 * Gets tokens with the server's own credentials. What the authorization server refuses is refused once: it is neither asked again nor in
 * another way.
 * @param learn receives each secret that comes from a file or an authorization server, so that messages never show it
 */
export async function requestTokens(
  { url }: Pick<HttpTarget, "url">,
  settings: MachineSettings,
  { resourceMetadataUrl, scope: wanted }: Pick<Challenge, "resourceMetadataUrl" | "scope">,
  { fetchFn, learn }: { fetchFn: FetchLike; learn: (name: string, value: string) => void },
): Promise<Grant> {
  const { issuer } = settings;
  const [metadata, resourceMetadata] = await Promise.all([
    discoverAuthorizationServerMetadata(issuer, { fetchFn }),
    discoverOAuthProtectedResourceMetadata(url, resourceMetadataUrl && { resourceMetadataUrl }, fetchFn).catch(
      () => undefined,
    ),
  ]);
  const provider = await makeProvider(settings, learn);
  const selected = await selectResourceURL(url, provider, resourceMetadata);
  const resource = selected === undefined ? undefined : (resourceMetadata?.resource ?? selected);
  await provider.saveAuthorizationServerUrl?.(metadata?.issuer ?? issuer);
  await provider.saveResourceUrl?.(String(resource ?? resourceUrlFromServerUrl(url)));
  const dpopKey = settings.dpop === true ? await makeDpopKey() : undefined;
  if (dpopKey !== undefined) {
    const session = await openDpopSession(dpopKey);
    provider.dpop = () => session;
  }
  const scope = settings.scope ?? wanted ?? resourceMetadata?.scopes_supported?.join(" ");
  const tokens = await fetchToken(provider, issuer, {
    ...withoutUndefined({ metadata, resource, scope }),
    fetchFn,
  });
  learn("access token", tokens.access_token);
  return {
    tokens,
    ...withoutUndefined({
      expiresAt: tokens.expires_in === undefined ? undefined : Date.now() + tokens.expires_in * 1_000,
      dpopKey,
    }),
  };
}

async function makeProvider(
  settings: MachineSettings,
  learn: (name: string, value: string) => void,
): Promise<OAuthClientProvider> {
  const { grant, issuer: expectedIssuer, clientId = "", clientSecret } = settings;
  const client = { clientId, expectedIssuer, clientName: CLIENT_INFO.name };
  const read = async (name: string, value: string | undefined, file: string | undefined): Promise<string> => {
    const text = (value ?? (file === undefined ? "" : await readSecretFile(name, file))).trim();
    learn(name, text);
    return text;
  };
  switch (grant) {
    case "client_credentials": {
      if (clientSecret !== undefined) return new ClientCredentialsProvider({ ...client, clientSecret });
      const key = await read("privateKey", settings.privateKey, settings.privateKeyFile);
      return new PrivateKeyJwtProvider({ ...client, ...toSigningKey(key) });
    }
    case "jwt_bearer":
      return new CrossAppAccessProvider({
        ...toSecret(client, clientSecret),
        assertion: () => read("assertion", settings.assertion, settings.assertionFile),
      });
    case "token_exchange":
      return new CrossAppAccessProvider({
        ...toSecret(client, clientSecret),
        async assertion({ authorizationServerUrl, resourceUrl, scope, fetchFn }) {
          const { idpIssuer = "", idpTokenEndpoint, idpClientId = "", idpClientSecret } = settings;
          const request = {
            audience: authorizationServerUrl,
            resource: resourceUrl,
            idToken: await read("idToken", settings.idToken, settings.idTokenFile),
            clientId: idpClientId,
            ...withoutUndefined({ clientSecret: idpClientSecret, scope }),
            fetchFn,
          };
          const { jwtAuthGrant } = await (idpTokenEndpoint === undefined
            ? discoverAndRequestJwtAuthGrant({ ...request, idpUrl: idpIssuer })
            : requestJwtAuthorizationGrant({ ...request, tokenEndpoint: idpTokenEndpoint }));
          learn("assertion", jwtAuthGrant);
          return jwtAuthGrant;
        },
      });
  }
}

type CrossAppClient = Omit<CrossAppAccessProviderOptions, "assertion"> & { expectedIssuer: string };

/** The SDK's type asks for a secret; without one its provider says the client's name alone. */
function toSecret(client: Omit<CrossAppClient, "clientSecret">, clientSecret: string | undefined): CrossAppClient {
  return { ...client, ...withoutUndefined({ clientSecret }) } as CrossAppClient;
}

/** Tokens and keys are a few kilobytes. */
const MAX_SECRET_BYTES = 1024 * 1024;

/** Read for each request: what mounts such a file renews it. */
async function readSecretFile(name: string, file: string): Promise<string> {
  try {
    return (await readBounded(file, { limitBytes: MAX_SECRET_BYTES, takesPipes: true })).toString("utf8");
  } catch (error) {
    throw new Error(
      `the file of "oauth.${name}File" cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`,
      {
        cause: error,
      },
    );
  }
}

/** What a client signs its name with (RFC 7523), as the SDK takes it. */
interface SigningKey {
  privateKey: Record<string, unknown>;
  /** A JWS algorithm. */
  algorithm: string;
}

/**
 * Reads a private key in PEM or as a JWK. In an environment variable its lines may be separated by `\n` as two characters.
 * Throws an error that does not quote it.
 */
export function toSigningKey(text: string): SigningKey {
  const key = parseKey(text);
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) throw new Error('the key of "oauth" is neither RSA, EC nor Ed25519');
  return { privateKey: key.export({ format: "jwk" }), algorithm };
}

function parseKey(text: string): KeyObject {
  try {
    if (text.startsWith("{"))
      return createPrivateKey({ key: JSON.parse(text) as Record<string, string>, format: "jwk" });
    return createPrivateKey(text.replaceAll("\\n", "\n"));
  } catch {
    throw new Error('the key of "oauth" is no private key in PEM or JWK');
  }
}

const OF_CURVE: Readonly<Record<string, string>> = { prime256v1: "ES256", secp384r1: "ES384", secp521r1: "ES512" };

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  switch (asymmetricKeyType) {
    case "rsa":
      return "RS256";
    case "ec":
      return OF_CURVE[asymmetricKeyDetails?.namedCurve ?? ""];
    case "ed25519":
      return "EdDSA";
    default:
      return undefined;
  }
}

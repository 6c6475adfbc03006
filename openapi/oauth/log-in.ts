import type { OpenApiServerOptions } from "../server-options.ts";
import { defined } from "../json.ts";
import { parseDocument } from "../document/parse-document.ts";
import { OpenApiError } from "../openapi-error.ts";
import { listOperations, listScopes } from "../operations.ts";
import { selectOperations } from "../select-operations.ts";
import { listTrusted } from "../request/api-server.ts";
import { listSchemes } from "../request/credentials.ts";
import { PREFIX, readEnvironment } from "../request/environment.ts";
import { makeSecrets } from "../request/secrets.ts";
import { findAuthorizationServer } from "./authorization-server.ts";
import { listenForCallback } from "./callback-listener.ts";
import { AUTHORIZATION, TOKEN } from "./endpoints.ts";
import { codeFlowOf, givesTokens, isOpenId, type LoginScheme } from "./login-scheme.ts";
import {
  type AuthorizationServer,
  authenticate,
  explainFailure,
  loadProtocol,
  metadataOf,
  type OAuthClient,
  optionsFor,
  type Tokens,
  toTokens,
} from "./protocol.ts";
import { writeTokenFile } from "./token-file.ts";
import { readClient, tokenFileOf } from "./token-login.ts";

/** What came of a login: the variable to set, and its value, or the file that has it now. */
export interface LoggedIn {
  variable: string;
  value: string;
  /** Whether the value is the path of the file that the refresh token was written to. */
  isFile?: boolean | undefined;
  /** For an access token, where there is no refresh token. */
  expiresIn?: number | undefined;
}

/**
 * Logs a person in, by the authorization code flow with PKCE (RFC 7636). The refresh token is stored only where the environment names a file
 * for it.
 * @param say gets the address to open
 * @param port the one that is registered with the client; a free one where it is not given
 */
export async function logInAtApi(
  location: string,
  name: string,
  options: OpenApiServerOptions,
  say: (line: string) => void,
  port?: number,
): Promise<LoggedIn> {
  const { variables: prefix = PREFIX } = options;
  const env = readEnvironment(options.env ?? {}, options.variables);
  const document = await parseDocument(location);
  const secrets = makeSecrets();
  try {
    const schemes = listSchemes(document.root, prefix).filter(({ definition }) => givesTokens(definition));
    const scheme = schemes.find((one) => one.name === name);
    if (scheme === undefined) {
      const known = schemes.map((one) => one.name).join(", ");
      const hint = known === "" ? "Set the variables of its other logins." : `There are ${known}.`;
      throw new OpenApiError("COMMAND_INVALID", `the document has no OAuth login ${name}`, hint);
    }
    const { include = [], exclude = [] } = options;
    const operations = selectOperations(listOperations(document), [...include], [...exclude]);
    const trust = listTrusted(document, options);
    const client = readClient(scheme, env);
    if (client === undefined) {
      const hint = `Register a client with the redirect address http://127.0.0.1/callback, and set ${scheme.variable}_CLIENT_ID.`;
      throw new OpenApiError("CREDENTIAL_MISSING", `the login ${name} has no client`, hint);
    }
    if (client.secret !== undefined) secrets.add(client.secret);
    const flow = codeFlowOf(scheme);
    if (flow === undefined && !isOpenId(scheme)) {
      const cause = `${scheme.pointer}: the document has no authorization code flow for this login`;
      throw new OpenApiError("SERVER_REFUSED", cause, `Set ${scheme.variable} to a token.`);
    }
    const kinds = { token: TOKEN, authorization: AUTHORIZATION };
    const server = await findAuthorizationServer(scheme, flow ?? {}, kinds, trust, env)();
    const asked = listScopes(operations).get(name) ?? [];
    const scope = env[`${scheme.variable}_SCOPE`] ?? scopeOf(scheme, asked);
    const tokens = await runCodeFlow(server, client, scope, port, say);
    const tokenFile = tokenFileOf(scheme, env);
    if (tokenFile === undefined || tokens.refreshToken === undefined) return toLoggedIn(scheme, tokens);
    await writeTokenFile(tokenFile, tokens.refreshToken);
    return { variable: tokenFile.variable, value: tokenFile.path, isFile: true };
  } catch (error) {
    const isClear = error instanceof OpenApiError;
    const clear = isClear ? error : explainFailure(error, `the login ${name} failed`, "Try it again.");
    const { code, message, hint } = clear;
    throw document.placeLine(new OpenApiError(code, secrets.mask(message), secrets.mask(hint)));
  }
}

/** A provider of OpenID gives a refresh token to those who ask for `offline_access`. */
function scopeOf(scheme: LoginScheme, asked: readonly string[]): string {
  return [...new Set([...(isOpenId(scheme) ? ["openid", "offline_access"] : []), ...asked])].join(" ");
}

async function runCodeFlow(
  server: AuthorizationServer,
  client: OAuthClient,
  scope: string,
  port: number | undefined,
  say: (line: string) => void,
): Promise<Tokens> {
  const protocol = await loadProtocol();
  const listener = await listenForCallback(port);
  try {
    const verifier = protocol.generateRandomCodeVerifier();
    const state = protocol.generateRandomState();
    const page = new URL(server.authorization?.url ?? "");
    const parameters = {
      ...{ response_type: "code", client_id: client.id, redirect_uri: listener.address, state },
      ...defined({
        scope: scope === "" ? undefined : scope,
        prompt: scope.split(" ").includes("offline_access") ? "consent" : undefined,
      }),
      code_challenge: await protocol.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    };
    for (const [key, value] of Object.entries(parameters)) page.searchParams.set(key, value);
    const answer = listener.wait(state);
    say(`Open this address to log in at ${page.host}:\n\n${page.href}\n`);
    const given = await answer;
    // Who answers is known by the address that was opened; a document does not say what the server calls itself.
    if (server.issuer === undefined) given.delete("iss");
    const metadata = metadataOf(server);
    const self = { client_id: client.id };
    const checked = protocol.validateAuthResponse(metadata, self, given, state);
    const options = await optionsFor(server.token.guard);
    const { authorizationCodeGrantRequest: request } = protocol;
    const reply = await request(metadata, self, authenticate(client), checked, listener.address, verifier, options);
    return toTokens(await protocol.processAuthorizationCodeResponse(metadata, self, reply));
  } finally {
    listener.close();
  }
}

function toLoggedIn({ variable }: LoginScheme, { refreshToken, accessToken, expiresIn }: Tokens): LoggedIn {
  if (refreshToken !== undefined) return { variable: `${variable}_REFRESH_TOKEN`, value: refreshToken };
  return { variable, value: accessToken, expiresIn };
}

import type { TrustedOrigins } from "../request/api-server.ts";
import { defined } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import type { Environment } from "../request/environment.ts";
import type { Secrets } from "../request/secrets.ts";
import { findAuthorizationServer } from "./authorization-server.ts";
import { REFRESH, TOKEN } from "./endpoints.ts";
import { codeFlowOf, flowOf, isOpenId, type LoginScheme } from "./login-scheme.ts";
import {
  type AuthorizationServer,
  encodeBasic,
  explainFailure,
  type OAuthClient,
  requestTokens,
  type Tokens,
} from "./protocol.ts";
import { type TokenFile, useTokenFile } from "./token-file.ts";
import { makeTokenSource, type TokenSource } from "./token-source.ts";

/** A login whose tokens this server fetches, with the variables that it was made of. */
export interface TokenLogin {
  source: TokenSource;
  variables: string[];
}

/** The variables that tokens of a scheme could be fetched with; what the document has no flow for is not named. */
export function listTokenVariables(scheme: LoginScheme): string[] {
  const { variable } = scheme;
  const isClients = isOpenId(scheme) || flowOf(scheme, "clientCredentials") !== undefined;
  const isPersons = isOpenId(scheme) || codeFlowOf(scheme) !== undefined;
  return [
    ...(isClients || isPersons ? [`${variable}_CLIENT_ID`] : []),
    ...(isClients ? [`${variable}_CLIENT_SECRET`] : []),
    ...(isPersons ? [`${variable}_REFRESH_TOKEN`] : []),
  ];
}

/** Reads the client of a login: its id, its secret, and how it is sent. */
export function readClient({ variable }: LoginScheme, env: Environment): OAuthClient | undefined {
  const id = env[`${variable}_CLIENT_ID`];
  if (id === undefined || id === "") return undefined;
  const way = env[`${variable}_CLIENT_AUTH`] || "basic";
  if (way !== "basic" && way !== "post")
    throw new OpenApiError("COMMAND_INVALID", `${variable}_CLIENT_AUTH is neither basic nor post`, "Correct it.");
  return { id, secret: env[`${variable}_CLIENT_SECRET`] || undefined, inBody: way === "post" };
}

/** The file that keeps the refresh token, where the environment names one. */
export function tokenFileOf(scheme: LoginScheme, env: Environment): TokenFile | undefined {
  const variable = `${scheme.variable}_REFRESH_TOKEN_FILE`;
  const path = env[variable] || undefined;
  return path === undefined ? undefined : { path, variable };
}

/**
 * Makes a source of tokens, where the environment has what it needs: a refresh token, or a file with one, and the client's id; or the id and
 * secret of a client that the document has a flow for. What is secret is masked from then on.
 * @param scopes what the operations ask for
 */
export function makeTokenLogin(
  scheme: LoginScheme,
  scopes: readonly string[],
  trust: TrustedOrigins,
  env: Environment,
  secrets: Secrets,
): TokenLogin | undefined {
  const { variable } = scheme;
  const client = readClient(scheme, env);
  const refreshToken = env[`${variable}_REFRESH_TOKEN`] || undefined;
  const file = tokenFileOf(scheme, env);
  if (file !== undefined && refreshToken !== undefined) {
    const both = `both ${variable}_REFRESH_TOKEN and ${file.variable} are set`;
    throw new OpenApiError("COMMAND_INVALID", both, "Set one of them.");
  }
  const isRefresh = refreshToken !== undefined || file !== undefined;
  const flow = isRefresh ? codeFlowOf(scheme) : flowOf(scheme, "clientCredentials");
  const isGiven = env[`${variable}_TOKEN_URL`] !== undefined;
  if (client === undefined || (!isRefresh && client.secret === undefined)) return undefined;
  if (flow === undefined && !isOpenId(scheme) && !isGiven) return undefined;
  const grant = isRefresh ? "refresh_token" : "client_credentials";
  for (const secret of [client.secret, refreshToken]) if (secret !== undefined) secrets.add(secret);
  if (client.secret !== undefined) secrets.add(encodeBasic(client.id, client.secret));
  const find = findAuthorizationServer(scheme, flow ?? {}, { token: isRefresh ? REFRESH : TOKEN }, trust, env);
  // The scopes of a refresh token stay the ones that it was given for.
  const scope = env[`${variable}_SCOPE`] ?? (isRefresh ? "" : scopes.join(" "));
  const proof = file?.variable ?? `${variable}_${isRefresh ? "REFRESH_TOKEN" : "CLIENT_SECRET"}`;
  const used = [`${variable}_CLIENT_ID`, proof];
  const request = async (server: AuthorizationServer, refresh: string | undefined): Promise<Tokens> => {
    const parameters = defined({ scope: scope === "" ? undefined : scope, refresh_token: refresh });
    const tokens = await requestTokens(server, client, grant, parameters);
    for (const secret of [tokens.accessToken, tokens.refreshToken]) if (secret !== undefined) secrets.addToken(secret);
    return tokens;
  };
  const fetchTokens = async (token: string | undefined) => {
    try {
      // Before the file is locked: this may be a request of its own.
      const server = await find();
      if (file === undefined) return await request(server, token);
      return await useTokenFile(file, (kept) => {
        secrets.addToken(kept);
        return request(server, kept);
      });
    } catch (error) {
      throw explainFailure(error, `there is no token for the login ${scheme.name}`, `Check ${used.join(" and ")}.`);
    }
  };
  return { source: makeTokenSource(fetchTokens, refreshToken), variables: used };
}

import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { POSTING_ROBOT, ROBOT, startAuthorizationServer } from "../servers/authorization-server.mjs";
import { answering, connectApi, makeDocument } from "./connect-api.ts";
import { startScriptedApi } from "./scripted-api.ts";

export { POSTING_ROBOT, ROBOT };

/** A document whose operation wants this scheme, called `petAuth`. */
export function documentOf(scheme: object, scopes: string[] = ["tools:read"]): object {
  const paths = {
    "/thing": { get: { operationId: "thing", security: [{ petAuth: scopes }], ...answering({ type: "object" }) } },
  };
  return makeDocument(paths, { components: { securitySchemes: { petAuth: scheme } } });
}

/** An API that takes tokens of a real authorization server on another origin. */
export async function startProtectedApi(options?: { accessTokenSeconds?: number }) {
  const authorization = await startAuthorizationServer(options);
  onTestFinished(() => authorization.close());
  const { ClientCredentials, AccessToken } = authorization.provider;
  const tokens: string[] = [];
  const answer = async (token: string, response: ServerResponse): Promise<void> => {
    const known = (await ClientCredentials.find(token)) ?? (await AccessToken.find(token));
    const isGood = known !== undefined && !known.isExpired;
    response.writeHead(isGood ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isGood ? { scope: known.scope ?? "" } : { refused: token }));
  };
  const api = await startScriptedApi((request, response) => {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    tokens.push(token);
    void answer(token, response);
  });
  const asked = (): number => authorization.requests.filter((request) => request === "POST /token").length;
  return { ...api, authorization, tokens, asked, tokenUrl: `${authorization.issuer}/token` };
}

/** The variables of a client for the scheme `petAuth`. */
export function robot(rest: Record<string, string> = {}, { clientId, clientSecret } = ROBOT): Record<string, string> {
  return { OPENAPI_PET_AUTH_CLIENT_ID: clientId, OPENAPI_PET_AUTH_CLIENT_SECRET: clientSecret, ...rest };
}

/** Connects to the API with a scheme of client credentials. */
export function connectRobot(origin: string, tokenUrl: string, env: Record<string, string>, scopes?: string[]) {
  const scheme = { type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: {} } } };
  return connectApi(documentOf(scheme, scopes), { baseUrl: origin, env });
}

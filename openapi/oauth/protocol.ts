import type { AuthorizationServer as Metadata, ClientAuth, CustomFetchOptions } from "oauth4webapi";
import { defined, isObject } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";
import type { AddressGuard } from "../request/address-guard.ts";
import { exchange, type HttpReply } from "../request/exchange.ts";
import type { Endpoint } from "./endpoints.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 256 * 1024;

/** Where tokens of a scheme come from. */
export interface AuthorizationServer {
  /** What an OpenID provider calls itself. */
  issuer?: string;
  token: Endpoint;
  /** Where a person logs in; only where it was asked for. */
  authorization?: Endpoint | undefined;
}

/** How the client says who it is. */
export interface OAuthClient {
  id: string;
  secret?: string | undefined;
  /** The secret is in the body and not in a header (`client_secret_post`). */
  inBody: boolean;
}

/** What came for a grant. */
export interface Tokens {
  accessToken: string;
  /** In seconds; absent where the server does not say it. */
  expiresIn?: number | undefined;
  refreshToken?: string | undefined;
}

/** Loaded where a token is wanted: most servers have none to fetch. */
export const loadProtocol = (): Promise<typeof import("oauth4webapi")> => import("oauth4webapi");

/** Options that send the requests of the protocol as all others: through the guard, within bounds, without redirects. */
export async function optionsFor(guard: AddressGuard) {
  const { allowInsecureRequests, customFetch } = await loadProtocol();
  const send = async (address: string, options: CustomFetchOptions<string, URLSearchParams | undefined>) => {
    const url = new URL(address);
    const { method, headers } = options;
    const body = options.body === undefined ? undefined : Buffer.from(options.body.toString());
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
    return toResponse(await exchange({ method, url, headers, body }, limits, guard));
  };
  // Which addresses may be plain http is decided before: addresses of this machine, and addresses that a person gave.
  return { [customFetch]: send, [allowInsecureRequests]: true };
}

function toResponse({ status, headers, body, url }: HttpReply): Response {
  if (status >= 300 && status < 400) {
    const cause = `${url.origin} answered ${status}, and a request with a secret follows no redirect`;
    throw new OpenApiError("LOGIN_FAILED", cause, "Give the address that it leads to, if you trust it.");
  }
  // Without its challenge: the body says more of what is wrong.
  const kept = { "content-type": headers["content-type"] ?? "" };
  if (status < 200 || status === 204 || status === 205) return new Response(null, { status: 204, headers: kept });
  return new Response(withoutIdToken(body), { status, headers: kept });
}

/** What a server says of a person is read by no one here, and its check would need keys of an issuer that a document does not name. */
function withoutIdToken(body: Buffer): string {
  const text = body.toString();
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? JSON.stringify({ ...parsed, id_token: undefined }) : text;
  } catch {
    return text;
  }
}

/** What the protocol is given of a server. */
export function metadataOf({ issuer, token, authorization }: AuthorizationServer): Metadata {
  return {
    issuer: issuer ?? token.url.origin,
    token_endpoint: token.url.href,
    ...defined({ authorization_endpoint: authorization?.url.href }),
  };
}

/** `client_secret_basic`, `client_secret_post`, or the id alone. */
export function authenticate({ secret, inBody }: OAuthClient): ClientAuth {
  return (_, { client_id: id }, body, headers) => {
    if (secret !== undefined && !inBody) {
      headers.set("authorization", `Basic ${encodeBasic(id, secret)}`);
      return;
    }
    body.set("client_id", id);
    if (secret !== undefined) body.set("client_secret", secret);
  };
}

/** Encoded as a form is (RFC 6749, 2.3.1): what needs no escape has none, for servers that forget to decode it. */
export function encodeBasic(id: string, secret: string): string {
  const pair = [id, secret].map((value) => new URLSearchParams([["", value]]).toString().slice(1));
  return Buffer.from(pair.join(":")).toString("base64");
}

/** Asks for a token by a grant of the client itself: `client_credentials` or `refresh_token`. */
export async function requestTokens(
  server: AuthorizationServer,
  client: OAuthClient,
  grant: "client_credentials" | "refresh_token",
  parameters: Record<string, string>,
): Promise<Tokens> {
  const protocol = await loadProtocol();
  const metadata = metadataOf(server);
  const self = { client_id: client.id };
  const options = await optionsFor(server.token.guard);
  const { genericTokenEndpointRequest: request } = protocol;
  const answer = await request(metadata, self, authenticate(client), grant, parameters, options);
  return toTokens(await protocol.processGenericTokenEndpointResponse(metadata, self, answer));
}

/** What is used of the answer to a grant. */
export function toTokens(answer: {
  access_token: string;
  expires_in?: number;
  refresh_token?: string;
  token_type: string;
}): Tokens {
  const { access_token: accessToken, expires_in: expiresIn, refresh_token: refreshToken } = answer;
  if (answer.token_type === "bearer") return { accessToken, expiresIn, refreshToken };
  const cause = `the token is of type ${answer.token_type}, and not bearer`;
  throw new OpenApiError("LOGIN_FAILED", cause, "Ask for a client that gets bearer tokens.");
}

/** The HTTP status of an answer that the protocol could not use. */
function statusOf(error: unknown): number | undefined {
  const { status, cause } = error as { status?: unknown; cause?: unknown };
  if (typeof status === "number") return status;
  return cause instanceof Response ? cause.status : undefined;
}

interface ServerError {
  error: string;
  error_description: string;
}

/** An error of the protocol as one line: what the server said, else what is wrong with its answer. */
export function explainFailure(error: unknown, what: string, hint: string): OpenApiError {
  if (error instanceof OpenApiError) return new OpenApiError(error.code, `${what}: ${error.message}`, error.hint);
  // The message of the protocol says that there is an error; its members say which.
  const { message, error: said, error_description: description } = error as Error & Partial<ServerError>;
  const status = statusOf(error);
  // It says nothing of the client: whose variables are right is not sent to look at them.
  if (status !== undefined && (status === 429 || status >= 500)) {
    const state = status === 429 ? "is busy: HTTP" : "is down: unexpected HTTP status code";
    return new OpenApiError("LOGIN_FAILED", `${what}: the authorization server ${state} ${status}`, "Try again later.");
  }
  const reason = said === undefined ? message : [said, description].filter((text) => text !== undefined).join(": ");
  return new OpenApiError("LOGIN_FAILED", `${what}: ${reason}`, hint);
}

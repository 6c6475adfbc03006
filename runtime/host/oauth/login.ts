import { randomBytes } from "node:crypto";
import {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  OAuthError,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { makeConnectionFailures, type ConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import { explainHttpFailure } from "@codemode/runtime/connections/http/explain-http-failure";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { askForChallenge } from "./ask-for-challenge.ts";
import { makeAuthFetch } from "./auth-fetch.ts";
import { credentialsPath, readCredentials, updateCredentials, type Credentials } from "./credentials-file.ts";
import { isSecureUrl } from "./is-secure-url.ts";
import { LoginProvider } from "./login-provider.ts";
import { openRedirectReceiver, type RedirectReceiver } from "./redirect-receiver.ts";

export interface LoginOptions {
  /** Shows the user the login page, an `https:` URL or one of this machine. */
  openUrl: (url: URL) => Promise<void> | void;
  /** Ends the wait for the user. */
  signal?: AbortSignal | undefined;
  env?: NodeJS.ProcessEnv;
}

export interface Login {
  /** The authorization server. */
  issuer: string;
  /** As granted, where the authorization server says it. */
  scope?: string;
}

/**
 * Logs the user in to a remote server: authorization code with PKCE, on a redirect to this machine. The tokens go to a file
 * that only the user can read. Throws `ConnectionError`.
 */
export async function login(target: HttpTarget, options: LoginOptions): Promise<Login> {
  const failures = makeConnectionFailures(target);
  const path = credentialsPath(target.url, options.env);
  let receiver: RedirectReceiver | undefined;
  try {
    if (!isSecureUrl(new URL(target.url))) throw new Error("its URL is not https:, so others could read the tokens");
    const known = await readCredentials(path);
    const state = randomBytes(24).toString("base64url");
    receiver = await openRedirectReceiver(state, readPort(known));
    const provider = new LoginProvider(receiver.redirectUrl, state, target.oauth ?? {}, known?.grants ?? {});
    await obtainTokens(target, provider, receiver, known?.missingScope, options);
    return await keep(path, target, provider, options.signal);
  } catch (error) {
    throw explain(error, failures, options.signal);
  } finally {
    await receiver?.close();
  }
}

async function obtainTokens(
  target: HttpTarget,
  provider: LoginProvider,
  receiver: RedirectReceiver,
  missingScope: string | undefined,
  { openUrl, signal }: LoginOptions,
): Promise<void> {
  const fetchFn = makeAuthFetch(signal);
  const { isChallenged, resourceMetadataUrl, scope } = await askForChallenge(target, fetchFn);
  if (!isChallenged && !(await hasMetadata(target.url, fetchFn))) throw new Error("it does not ask for a login");
  provider.wantedScope = target.oauth?.scope ?? computeScopeUnion(scope, missingScope);
  const settings = {
    serverUrl: target.url,
    fetchFn,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...toScope(provider.wantedScope),
  };
  if ((await auth(provider, { ...settings, forceReauthorization: true })) === "AUTHORIZED") return;
  await openUrl(provider.authorizationUrl as URL);
  const answer = await receiver.receive(signal);
  provider.hasReturned = true;
  const code = readCode(answer, provider);
  const iss = answer.get("iss");
  await auth(provider, { ...settings, authorizationCode: code, ...(iss === null ? {} : { iss }) });
}

/** A server may let everybody look, and want a login for some of its tools alone. */
function hasMetadata(serverUrl: string, fetchFn: ReturnType<typeof makeAuthFetch>): Promise<boolean> {
  return discoverOAuthProtectedResourceMetadata(serverUrl, undefined, fetchFn).then(
    () => true,
    () => false,
  );
}

/** An answer without a code says why; but first, whether it is from the server that the user was sent to (RFC 9207). */
function readCode(answer: URLSearchParams, provider: LoginProvider): string {
  const code = answer.get("code");
  if (code !== null) return code; // `auth` looks at the issuer before it uses it
  const metadata = provider.discovered?.authorizationServerMetadata;
  validateAuthorizationResponseIssuer({
    iss: answer.get("iss") ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = answer.get("error") ?? "no code and no error";
  throw new OAuthError(error, answer.get("error_description") ?? error);
}

async function keep(
  path: string,
  target: HttpTarget,
  provider: LoginProvider,
  signal: AbortSignal | undefined,
): Promise<Login> {
  const { issuer, grants } = provider;
  if (issuer === undefined) throw new Error("no tokens were given");
  await updateCredentials(
    path,
    target.url,
    ({ missingScope: _, ...before }): Credentials => {
      return { ...before, issuer, grants: { ...before.grants, ...grants } };
    },
    signal,
  );
  const scope = grants[issuer]?.tokens?.scope;
  return { issuer, ...toScope(scope) };
}

function toScope(scope: string | undefined): { scope?: string } {
  return scope === undefined ? {} : { scope };
}

function readPort(known: Credentials | undefined): number {
  const redirectUrl = known?.issuer === undefined ? undefined : known.grants[known.issuer]?.redirectUrl;
  return redirectUrl === undefined ? 0 : Number(new URL(redirectUrl).port);
}

function explain(error: unknown, failures: ConnectionFailures, signal: AbortSignal | undefined): ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (signal?.aborted === true) return failures.cancelled("the login");
  if (error instanceof TypeError) {
    const unreachable = explainHttpFailure(error, failures, { action: "the login", hadSession: false });
    if (unreachable !== undefined) return unreachable;
  }
  return failures.loginFailed(error instanceof Error ? error.message : String(error));
}

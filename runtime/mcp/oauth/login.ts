import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { randomBytes } from "node:crypto";
import {
  auth,
  computeScopeUnion,
  discoverOAuthProtectedResourceMetadata,
  OAuthError,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { makeConnectionFailures } from "@codemode/runtime/connections/connection-failures";
import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import { askForChallenge } from "./ask-for-challenge.ts";
import { makeAuthFetch } from "./auth-fetch.ts";
import {
  credentialsPath,
  currentGrant,
  readStoredLogins,
  updateCredentials,
  type StoredLogin,
} from "./credentials-file.ts";
import { explainLoginFailure } from "./explain-login-failure.ts";
import { isSecureUrl } from "./is-secure-url.ts";
import { LoginProvider } from "./login-provider.ts";
import { requestTokens } from "./machine-grant.ts";
import { type MachineSettings, machineSettings } from "./machine-settings.ts";
import { renewTokens } from "./refresh.ts";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoginOptions {
  /** Shows the user the login page, an `https:` URL or one of this machine. */
  openUrl: (url: URL) => Promise<void> | void;
  /**
   * Asks the user for what a browser elsewhere ended on; undefined where there is no answer. Called again with what is wrong with the last one.
   * The browser of this machine may come back meanwhile.
   */
  readPasted?: ((problem: string | undefined, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Ends the wait for the user. */
  signal?: AbortSignal | undefined;
  env?: NodeJS.ProcessEnv;
}

export interface DoneLogin {
  /** The authorization server. */
  issuer: string;
  /** As granted, where the authorization server says it. */
  scope?: string;
}

/**
 * Logs the user in to a remote server: authorization code with PKCE, on a redirect to this machine. Where the settings need no person it gets
 * new tokens with them. The tokens go to a file that only the user can read. Throws `ConnectionError`.
 */
export async function login(target: HttpTarget, options: LoginOptions): Promise<DoneLogin> {
  const failures = makeConnectionFailures(target);
  const path = credentialsPath(target, options.env);
  let receiver: RedirectReceiver | undefined;
  try {
    if (!isSecureUrl(new URL(target.url))) throw new Error("its URL is not https:, so others could read the tokens");
    if (machineSettings(target) !== undefined) return await renewByMachine(path, target, failures, options.signal);
    const known = await readStoredLogins(path);
    const state = randomBytes(24).toString("base64url");
    receiver = await openRedirectReceiver(state, readPort(known));
    const provider = new LoginProvider(receiver.redirectUrl, state, target.oauth ?? {}, known?.grants ?? {});
    await obtainTokens(target, provider, receiver, known?.missingScope, options);
    return await keep(path, target, provider, options.signal);
  } catch (error) {
    throw explainLoginFailure(error, failures, options.signal);
  } finally {
    await receiver?.close();
  }
}

async function renewByMachine(
  path: string,
  target: HttpTarget,
  { learnSecret: learn }: Pick<ReturnType<typeof makeConnectionFailures>, "learnSecret">,
  signal: AbortSignal | undefined,
): Promise<DoneLogin> {
  const settings = machineSettings(target) as MachineSettings;
  const { issuer } = settings;
  const fetchFn = makeAuthFetch(signal);
  const stale = currentGrant(await readStoredLogins(path))?.tokens?.access_token;
  await renewTokens(path, target.url, stale, async () => {
    const challenge = await askForChallenge(target, fetchFn);
    return { issuer, grant: await requestTokens(target, settings, challenge, { fetchFn, learn }) };
  });
  return { issuer, ...toScope(currentGrant(await readStoredLogins(path))?.tokens?.scope) };
}

async function obtainTokens(
  target: HttpTarget,
  provider: LoginProvider,
  receiver: RedirectReceiver,
  missingScope: string | undefined,
  options: LoginOptions,
): Promise<void> {
  const { openUrl, signal } = options;
  const fetchFn = makeAuthFetch(signal);
  const { isChallenged, resourceMetadataUrl, scope } = await askForChallenge(target, fetchFn);
  if (!isChallenged && !(await hasMetadata(target.url, fetchFn))) throw new Error("it does not ask for a login");
  provider.wantedScope = target.oauth?.scope ?? computeScopeUnion(scope, missingScope);
  const settings = {
    serverUrl: target.url,
    fetchFn,
    ...withoutUndefined({ resourceMetadataUrl }),
    ...toScope(provider.wantedScope),
  };
  if ((await auth(provider, { ...settings, forceReauthorization: true })) === "AUTHORIZED") return;
  await openUrl(provider.authorizationUrl as URL);
  const answer = await receiveAnswer(receiver, options);
  provider.hasReturned = true;
  const code = readCode(answer, provider);
  const iss = answer.get("iss");
  await auth(provider, {
    ...settings,
    authorizationCode: code,
    ...withoutUndefined({ iss: iss === null ? undefined : iss }),
  });
}

/** From the browser of this machine, or from the user, whichever is first. */
async function receiveAnswer(
  receiver: RedirectReceiver,
  { readPasted, signal }: LoginOptions,
): Promise<URLSearchParams> {
  if (readPasted === undefined) return receiver.receive(signal);
  const over = new AbortController();
  const ending = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  const askUser = async (): Promise<URLSearchParams> => {
    for (let problem: string | undefined; ;) {
      const text = await readPasted(problem, ending);
      ending.throwIfAborted();
      if (text === undefined) throw new Error("no answer was pasted");
      const answer = readPastedAnswer(text, receiver.state);
      if (typeof answer !== "string") return answer;
      problem = answer;
    }
  };
  try {
    return await Promise.race([receiver.receive(ending), askUser()]);
  } finally {
    over.abort();
  }
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
): Promise<DoneLogin> {
  const { issuer, grants } = provider;
  if (issuer === undefined) throw new Error("no tokens were given");
  await updateCredentials(
    path,
    target.url,
    ({ missingScope: _, ...before }): StoredLogin => {
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

function readPort(known: StoredLogin | undefined): number {
  const redirectUrl = known?.issuer === undefined ? undefined : known.grants[known.issuer]?.redirectUrl;
  return redirectUrl === undefined ? 0 : Number(new URL(redirectUrl).port);
}

/** Waits on this machine for the browser to come back from a login (RFC 8252, section 7.3). */
interface RedirectReceiver {
  redirectUrl: string;
  /** What the redirect must repeat. */
  state: string;
  /** The parameters of the first redirect with the right state. Rejects with the signal's reason. */
  receive(signal?: AbortSignal): Promise<URLSearchParams>;
  close(): Promise<void>;
}

const PATH = "/callback";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  connection: "close",
};

/**
 * @param state is what the redirect must repeat (RFC 6749, section 10.12)
 * @param preferredPort is taken where it is free: some authorization servers insist on the one that they know
 */
async function openRedirectReceiver(state: string, preferredPort = 0): Promise<RedirectReceiver> {
  let onReceived: (parameters: URLSearchParams) => void = () => undefined;
  const received = new Promise<URLSearchParams>((resolve) => (onReceived = resolve));

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    // Any page of the browser can ask for anything here: a target is a path, and what is none is not there.
    const { url: target = "" } = request;
    const [path, query] = target.split("?", 2);
    const parameters = new URLSearchParams(query);
    if (request.method !== "GET" || path !== PATH || parameters.get("state") !== state) {
      response.writeHead(404, HEADERS).end("<p>There is nothing here.</p>");
      return;
    }
    // Text of our own only: what the parameters say is not to be trusted.
    response.writeHead(200, HEADERS).end("<p>codemode has what it needs. You can close this page.</p>");
    onReceived(parameters);
  });
  await listen(server, preferredPort).catch(() => listen(server, 0));
  const { port } = server.address() as AddressInfo;

  return {
    state,
    redirectUrl: `http://127.0.0.1:${port}${PATH}`,
    receive: (signal) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal?.reason as Error);
        if (signal?.aborted === true) abort();
        signal?.addEventListener("abort", abort, { once: true });
        void received.then(resolve).finally(() => signal?.removeEventListener("abort", abort));
      }),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 200).unref(); // the page may still be on its way
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
}

/**
 * Reads what a person has pasted from the end of a login in another browser: the address that it ended on, its query, or the code alone.
 * @param state is what the address must repeat: an answer to another login could log the person in to another account
 * @returns the parameters of the answer, or what is wrong with it
 */
export function readPastedAnswer(text: string, state: string): URLSearchParams | string {
  const pasted = text.trim();
  if (pasted === "") return "Nothing was pasted.";
  if (/\s/.test(pasted)) return "That is more than one word.";
  const [, query] = /^(?:https?:\/\/[^?]*)?\?([^#]*)/.exec(pasted) ?? [];
  if (query === undefined) {
    if (pasted.includes(":")) return "That address has no answer in it.";
    const [code = "", given] = pasted.split("#");
    return given === undefined || given === state ? new URLSearchParams({ code }) : OF_ANOTHER;
  }
  const parameters = new URLSearchParams(query);
  if (!parameters.has("code") && !parameters.has("error")) return "That address has no answer in it.";
  return parameters.get("state") === state ? parameters : OF_ANOTHER;
}

const OF_ANOTHER = "That is the answer to another login.";

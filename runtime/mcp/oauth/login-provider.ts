import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import {
  AuthorizationServerMismatchError,
  type DpopSession,
  UnauthorizedError,
  type OAuthClientInformationContext,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { CLIENT_INFO } from "@codemode/runtime/connections/client-identity";
import type { OAuthSettings } from "../../../schemas/config/config-file.ts";
import type { StoredLogin, Grant } from "./credentials-file.ts";
import { type DpopKey, makeDpopKey, openDpopSession } from "./dpop-key.ts";
import { isSecureUrl } from "./is-secure-url.ts";

/** What the SDK's login asks for and gives, kept in memory until all of it is known. One login, one provider. */
export class LoginProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** What this login learned, by issuer. */
  readonly grants: { [issuer: string]: Grant } = Object.create(null) as Record<string, Grant>;
  /** The authorization server that gave the tokens. */
  issuer: string | undefined;
  /** From here on the discovery must not change: the code belongs to the server that gave it. */
  hasReturned = false;
  /** What the login asks for; a client that was registered for less does not do. */
  wantedScope: string | undefined;
  /** Where the user has to go. */
  authorizationUrl: URL | undefined;

  readonly #state: string;
  readonly #settings: OAuthSettings;
  readonly #known: StoredLogin["grants"];
  readonly #dpopKey: Promise<DpopKey> | undefined;
  #session: Promise<DpopSession> | undefined;
  #verifier = "";
  #resource: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  constructor(redirectUrl: string, state: string, settings: OAuthSettings, known: StoredLogin["grants"]) {
    this.redirectUrl = redirectUrl;
    this.#state = state;
    this.#settings = settings;
    this.#known = known;
    this.#dpopKey = settings.dpop === true ? makeDpopKey() : undefined;
    if (settings.clientMetadataUrl !== undefined) this.clientMetadataUrl = settings.clientMetadataUrl;
    this.clientMetadata = {
      client_name: CLIENT_INFO.name,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
      ...withoutUndefined({ scope: settings.scope }),
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const issuer = context?.issuer ?? "";
    const { clientId, clientSecret, issuer: ownIssuer } = this.#settings;
    if (ownIssuer !== undefined && ownIssuer !== issuer) throw new AuthorizationServerMismatchError(ownIssuer, issuer);
    if (clientId !== undefined) {
      // It was registered with one authorization server; no other one gets it.
      const [knownIssuer] = Object.entries(this.#known).find(([, { client }]) => client?.client_id === clientId) ?? [];
      if (knownIssuer !== undefined && knownIssuer !== issuer) return undefined;
      return { client_id: clientId, issuer, ...withoutUndefined({ client_secret: clientSecret }) };
    }
    const own = this.grants[issuer]?.client;
    if (own !== undefined) return own;
    const grant = Object.hasOwn(this.#known, issuer) ? this.#known[issuer] : undefined;
    const fits = grant?.redirectUrl === this.redirectUrl && mayAskFor(grant.client, this.wantedScope);
    return fits ? grant.client : undefined;
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    this.#grant(context).client = client;
  }

  /** A login begins without any: what is there already did not do. */
  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    return this.grants[context?.issuer ?? this.issuer ?? ""]?.tokens;
  }

  /** The key is made for this login, and stays with its tokens. */
  dpop(): Promise<DpopSession> | undefined {
    this.#session ??= this.#dpopKey?.then(openDpopSession);
    return this.#session;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    const grant = this.#grant(context);
    this.issuer = context?.issuer ?? "";
    grant.tokens = tokens;
    grant.redirectUrl = this.redirectUrl;
    if (this.#resource !== undefined) grant.resource = this.#resource;
    const client = this.clientInformation(context);
    if (client !== undefined) grant.client = client;
    const dpopKey = await this.#dpopKey;
    if (dpopKey !== undefined) grant.dpopKey = dpopKey;
    if (tokens.expires_in !== undefined) grant.expiresAt = Date.now() + tokens.expires_in * 1_000;
  }

  saveResourceUrl(resource: string | URL): void {
    this.#resource = String(resource);
  }

  /** The address comes from a server: what opens it on this machine must not be made to do anything else. */
  redirectToAuthorization(url: URL): void {
    if (!isSecureUrl(url)) throw new UnauthorizedError("the login page is neither https: nor on this machine");
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.hasReturned ? this.#discovery : undefined;
  }

  /** What was discovered before the user was sent away. */
  get discovered(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  invalidateCredentials(): void {
    for (const issuer of Object.keys(this.grants)) delete this.grants[issuer];
  }

  #grant(context: OAuthClientInformationContext | undefined): Grant {
    return (this.grants[context?.issuer ?? ""] ??= {});
  }
}

/** A registration may name the scopes that it is for (RFC 7591, section 2). */
function mayAskFor(client: StoredOAuthClientInformation | undefined, scope: string | undefined): boolean {
  const registered = (client as { scope?: unknown } | undefined)?.scope;
  if (typeof registered !== "string" || scope === undefined) return true;
  const known = new Set(registered.split(" "));
  return scope.split(" ").every((each) => known.has(each));
}

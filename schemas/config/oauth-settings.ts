/** How tokens are got, and what the authorization server does not tell by itself. All of it is optional. */
export interface OAuthSettings {
  /** A person's login (`authorization_code`) unless given; the others need no person. */
  grant?: OAuthGrant;
  /** The authorization server that gets the credentials, and no other. Needed unless a person logs in. */
  issuer?: string;
  /** Of a client that was registered by hand; goes before all other ways to get one. */
  clientId?: string;
  clientSecret?: string;
  /** Instead of the secret, in PEM or as a JWK; in a file, by its absolute path. So are the other files. */
  privateKey?: string;
  privateKeyFile?: string;
  /** The token of a workload, for `jwt_bearer`. */
  assertion?: string;
  assertionFile?: string;
  /** The identity provider that an ID token is exchanged at, for `token_exchange`. */
  idpIssuer?: string;
  /** Instead of the issuer, where its metadata is of no use. */
  idpTokenEndpoint?: string;
  idpClientId?: string;
  idpClientSecret?: string;
  idToken?: string;
  idTokenFile?: string;
  /** An `https:` URL that serves codemode's client metadata, to be used as client id where the server supports that. */
  clientMetadataUrl?: string;
  /** Instead of the scopes that the server asks for, separated by spaces. */
  scope?: string;
  /** Whether tokens are bound to a key (RFC 9449). */
  dpop?: boolean;
}

/** A person's login, or a grant that needs no person. */
export type OAuthGrant = "authorization_code" | "client_credentials" | "jwt_bearer" | "token_exchange";

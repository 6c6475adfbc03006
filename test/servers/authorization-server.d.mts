export const SCOPES: readonly string[];

export interface AccessToken {
  readonly isExpired: boolean;
  readonly scope?: string;
  destroy(): Promise<void>;
}

export interface AuthorizationServer {
  readonly issuer: string;
  readonly requests: string[];
  readonly provider: {
    AccessToken: { find(token: string): Promise<AccessToken | undefined> };
    ClientCredentials: { find(token: string): Promise<AccessToken | undefined> };
    RefreshToken: { find(token: string): Promise<{ readonly isValid: boolean } | undefined> };
  };
  close(): Promise<void>;
}

export function startAuthorizationServer(options?: { accessTokenSeconds?: number }): Promise<AuthorizationServer>;
export function browse(
  url: string | URL,
  headers?: { [name: string]: string },
  onCallback?: (address: string) => void,
): Promise<Response>;
export const ROBOT: { clientId: string; clientSecret: string };
export const POSTING_ROBOT: { clientId: string; clientSecret: string };
export const SIGNER: { clientId: string; privateKey: string };

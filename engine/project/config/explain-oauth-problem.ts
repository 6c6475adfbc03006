import type { ConfigFile } from "../../../schemas/config/config.ts";
import type { OAuthGrant, OAuthSettings } from "../../../schemas/config/oauth-settings.ts";

type Key = keyof OAuthSettings;

/** What each login without a person cannot do without; of a list one is enough. */
const NEEDED: Readonly<Record<OAuthGrant, readonly (Key | readonly Key[])[]>> = {
  authorization_code: [],
  client_credentials: ["issuer", "clientId", ["clientSecret", "privateKey", "privateKeyFile"]],
  jwt_bearer: ["issuer", "clientId", ["assertion", "assertionFile"]],
  token_exchange: ["issuer", "clientId", ["idpIssuer", "idpTokenEndpoint"], "idpClientId", ["idToken", "idTokenFile"]],
};

/** Says the first login of a server that cannot work as it is written. */
export function explainOAuthProblem({ mcpServers }: ConfigFile): { cause: string; hint: string } | undefined {
  for (const [name, { oauth }] of Object.entries(mcpServers)) {
    if (oauth?.grant === undefined) continue;
    const place = `"/mcpServers/${name}/oauth"`;
    for (const needed of NEEDED[oauth.grant]) {
      const keys = [needed].flat();
      const given = keys.filter((key) => oauth[key] !== undefined);
      const names = keys.map((key) => `"${key}"`).join(" or ");
      if (given.length === 0) return { cause: `${place} lacks ${names} for "${oauth.grant}"`, hint: `Add ${names}.` };
      if (given.length > 1) return { cause: `${place} has more than one of ${names}`, hint: "Keep one of them." };
    }
  }
  return undefined;
}

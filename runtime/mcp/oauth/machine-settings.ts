import type { HttpTarget } from "@codemode/runtime/connections/server-target";
import type { OAuthSettings } from "../../../schemas/config/config-file.ts";

/** Settings that get tokens without a person. The authorization server is named, so that no other one gets the credentials. */
export type MachineSettings = OAuthSettings & { grant: MachineGrant; issuer: string };

type MachineGrant = Exclude<OAuthSettings["grant"], "authorization_code" | undefined>;

/** The settings of a server whose tokens come without a person; undefined where a person has to log in. */
export function machineSettings({ oauth }: Pick<HttpTarget, "oauth">): MachineSettings | undefined {
  const { grant, issuer } = oauth ?? {};
  if (oauth === undefined || grant === undefined || grant === "authorization_code") return undefined;
  if (issuer === undefined) throw new Error(`"oauth.issuer" is missing`);
  return { ...oauth, grant, issuer };
}

import type { Config } from "../config/config.ts";
import type { ServerEntry } from "../config/config-file.ts";
import { type LiteralSecret, findLiteralSecrets, replaceSecrets } from "./literal-secrets.ts";
import { toSource } from "../config/to-config.ts";
import { REASONS } from "./evaluate-secret.ts";

/** A secret that was taken out of an entry, before that was written. */
export interface TakenSecret extends LiteralSecret {
  /** The name of the server. */
  server: string;
}

/** Puts a placeholder in the place of each secret of these entries. A variable that two of them share holds one value. */
export function takeOutSecrets(entries: ReadonlyMap<string, ServerEntry>): {
  servers: Map<string, ServerEntry>;
  secrets: TakenSecret[];
} {
  const taken = new Map<string, string>();
  const secrets: TakenSecret[] = [];
  const servers = [...entries].map(([server, entry]) => {
    const replaced = replaceSecrets(server, entry, toSource(entry), taken);
    secrets.push(...replaced.secrets.map((secret) => ({ ...secret, server })));
    return [server, replaced.entry] as const;
  });
  return { servers: new Map(servers), secrets };
}

/** Says which places got placeholders, and which variables have to be set for them. Holds no value. */
export function describeTakenSecrets(
  secrets: readonly TakenSecret[],
  env: { readonly [name: string]: string | undefined },
  origin: (server: string) => string,
): string[] {
  const variables = new Map(secrets.map((secret) => [secret.variable, secret]));
  const toSet = [...variables.values()].filter(({ variable, value }) => env[variable] !== value);
  return [
    ...secrets.map(
      ({ server, place, variable }) =>
        `${server}: ${place} holds a secret, so the configuration has \${${variable}} there.`,
    ),
    ...(toSet.length === 0
      ? []
      : [
          'Set these variables, in your shell and wherever codemode runs, or in a file that "envFile" names; codemode keeps no value:',
        ]),
    ...toSet.map(({ variable, server, place }) => {
      const other = env[variable] === undefined ? "" : "; it currently has another value";
      return `  export ${variable}=…   # ${place} of "${server}"${origin(server)}${other}`;
    }),
  ];
}

/** One warning for each place of the configuration that looks like a secret. Holds no value. */
export function warnOfSecrets({ servers }: Pick<Config, "servers">): string[] {
  return servers.flatMap((server) =>
    findLiteralSecrets(server).map(
      ({ place, variable, reason }) =>
        `warning: ${place} of the server "${server.name}" looks like a secret (${REASONS[reason]}) and is written in the configuration. ` +
        `Write \${${variable}} there and set that variable; if it is none, list "${place}" under "notSecret" of the server.`,
    ),
  );
}

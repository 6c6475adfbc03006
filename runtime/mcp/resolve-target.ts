import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { fillPlace, type FilledPlace } from "@codemode/runtime/connections/fill-place";
import type { ConfiguredTarget } from "@codemode/runtime/connections/server-target";
import type { ServerConfig, ServerSource } from "../../schemas/config/config.ts";
import { optionInvalid, variableUnset } from "../../schemas/errors.ts";
import type { ProtocolEra } from "../../schemas/lock/server-snapshot.ts";
import { findLiteralSecrets } from "../../schemas/secrets/literal-secrets.ts";
import { isCredentialOfFile } from "../../schemas/secrets/evaluate-secret.ts";
import type { Variables } from "./variables.ts";
import { serverSubjectOf } from "./trust/project-starts.ts";

/**
 * Replaces the placeholders of a server. The result holds secrets: it goes to the connection and nowhere else.
 * @param folder of the project: relative paths belong to it
 * @param era as the lockfile has it; the server is asked without it
 */
export function resolveTarget(
  server: ServerConfig,
  folder: string,
  variables: Variables,
  era?: ProtocolEra,
): ConfiguredTarget {
  const { id, name, source, timeoutMs } = server;
  const { place: filled, secrets } = fillPlace(serverSubjectOf(source), {
    folder,
    env: variables.env,
    onUnset: (variable) => variableUnset(name, variable),
    onInvalid: (problem) => optionInvalid(`server "${name}"`, problem),
  });
  const place = withOwnVariables(filled, variables);
  const literals = { ...listLiterals(server, place), ...listFileCredentials(place, secrets, variables) };
  return { id, name, timeoutMs, ...place, ...withoutUndefined({ era }), secrets, literals };
}

/** A program gets the variables of its own files, as with other clients; what the entry sets itself comes before them. */
function withOwnVariables(place: FilledPlace, { env, own = [] }: Variables): FilledPlace {
  if (place.transport !== "stdio" || own.length === 0) return place;
  return { ...place, env: { ...Object.fromEntries(own.map((name) => [name, env[name] ?? ""])), ...place.env } };
}

/** What a server has from files: credentials under every name, but for plain words such as `production`. */
function listFileCredentials(
  place: FilledPlace,
  secrets: Readonly<Record<string, string>>,
  { fromFiles, own = [] }: Variables,
): Record<string, string> {
  if (fromFiles === undefined) return {};
  const given = place.transport === "stdio" ? own.map((name) => [name, place.env[name] ?? ""] as const) : [];
  const used = Object.entries(secrets).filter(([name]) => fromFiles.has(name));
  return Object.fromEntries([...given, ...used].filter(([, value]) => isCredentialOfFile(value)));
}

/** What looks like a secret with all variables filled in: values in the configuration, and parts of values such as the password of an address. */
function listLiterals({ name, notSecret = [] }: ServerConfig, place: FilledPlace): Record<string, string> {
  const source: ServerSource =
    place.transport === "stdio"
      ? { ...place, env: new Map(Object.entries(place.env)) }
      : { transport: place.transport, url: place.url, headers: new Map(Object.entries(place.headers)) };
  const literals = new Map<string, string>();
  for (const { place: at, value, parts } of findLiteralSecrets({ name, source, notSecret })) {
    for (const text of [value, ...parts]) {
      let own = at;
      for (let count = 2; literals.has(own); count += 1) own = `${at} ${count}`;
      literals.set(own, text);
    }
  }
  return Object.fromEntries(literals);
}

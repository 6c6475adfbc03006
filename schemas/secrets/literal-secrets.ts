import { withoutUndefined } from "../json/without-undefined.ts";
import type { OAuthSettings, ServerEntry } from "../config/config-file.ts";
import type { ServerSource } from "../config/config.ts";
import { toServerId } from "../lock/server-ids.ts";
import { findInText, type FoundSecret } from "./find-in-text.ts";
import type { SecretReason } from "./evaluate-secret.ts";
import { withoutQueryValues } from "./mask-secrets.ts";
import { optionName, SECRET_OAUTH_SETTINGS } from "./secret-names.ts";

/** A secret that stands as itself where a placeholder belongs. */
export interface LiteralSecret {
  /** Where: `args[3]`, `env.NAME`, `headers.NAME`, `url`, `command` or `oauth.NAME`, as `notSecret` names it. */
  place: string;
  /** The secret. It belongs into no message. */
  value: string;
  /** Parts that are secret on their own, such as the password of an address. */
  parts: readonly string[];
  /** The environment variable to keep it in. */
  variable: string;
  reason: SecretReason;
}

/** A server as far as it can hold secrets. */
export interface SecretHolder {
  name: string;
  source: ServerSource;
  /** Places of which the user has said that they hold none. */
  notSecret?: readonly string[];
}

/** Variables that are taken already, with what they hold. */
export type TakenVariables = Map<string, string>;

/** Finds what looks like secrets in an entry of the configuration. Placeholders are none. */
export function findLiteralSecrets(holder: SecretHolder, taken: TakenVariables = new Map()): LiteralSecret[] {
  return planReplacements(holder, taken).flatMap(({ secrets }) => secrets);
}

/** The arguments with `${NAME}` in the place of each secret. */
export function hideSecretsInArgs(holder: SecretHolder & { source: { transport: "stdio" } }): string[] {
  const planned = new Map(planReplacements(holder, new Map()).map(({ place, replaced }) => [place, replaced]));
  return holder.source.args.map((arg, index) => planned.get(`args[${index}]`) ?? arg);
}

/** The address with `${NAME}` in the place of each secret, and of its query the names alone. */
export function hideSecretsInUrl(holder: SecretHolder & { source: { transport: "http" | "sse" } }): string {
  const planned = planReplacements(holder, new Map()).find(({ place }) => place === "url");
  return withoutQueryValues(planned?.replaced ?? holder.source.url);
}

/** The same entry with placeholders in the place of its secrets, and the secrets. */
export function replaceSecrets(
  name: string,
  entry: ServerEntry,
  source: ServerSource,
  taken: TakenVariables,
): { entry: ServerEntry; secrets: LiteralSecret[] } {
  const plan = planReplacements({ name, source }, taken);
  const planned = new Map(plan.map(({ place, replaced }) => [place, replaced]));
  const at = (place: string, text: string): string => planned.get(place) ?? text;
  const all = (place: string, texts: { [key: string]: string }): { [key: string]: string } =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, at(`${place}.${key}`, text)]));
  const { command, args, env, url, headers, oauth } = entry;
  return {
    entry: {
      ...entry,
      ...withoutUndefined({
        command: command === undefined ? undefined : at("command", command),
        args: args?.map((arg, index) => at(`args[${index}]`, arg)),
        env: env === undefined ? undefined : all("env", env),
        url: url === undefined ? undefined : at("url", url),
        headers: headers === undefined ? undefined : all("headers", headers),
        oauth: oauth === undefined ? undefined : { ...oauth, ...all("oauth", pickSecrets(oauth)) },
      }),
    },
    secrets: plan.flatMap(({ secrets }) => secrets),
  };
}

interface Replacement {
  place: string;
  replaced: string;
  secrets: LiteralSecret[];
}

function planReplacements({ name, source, notSecret = [] }: SecretHolder, taken: TakenVariables): Replacement[] {
  return listTexts(source)
    .filter(({ place }) => !notSecret.includes(place))
    .flatMap(({ place, text, name: label }) => {
      const found = findInText(text, label).map(toParted);
      if (found.length === 0) return [];
      let replaced = "";
      let end = 0;
      const secrets = (isEnv(place) ? [wholeOf(text, found)] : found).map((secret): LiteralSecret => {
        const value = secret.value ?? text.slice(secret.start, secret.end);
        const variable = chooseVariable(name, place, secret, value, taken);
        replaced += `${text.slice(end, secret.start)}\${${variable}}`;
        end = secret.end;
        return { place, value, variable, parts: secret.parts, reason: secret.reason };
      });
      return [{ place, replaced: replaced + text.slice(end), secrets }];
    });
}

function isEnv(place: string): boolean {
  return place.startsWith("env.");
}

/** The value of a variable is replaced as a whole, by the variable of the same name. */
function wholeOf(text: string, found: readonly PartedSecret[]): PartedSecret {
  const [first, ...others] = found as [PartedSecret, ...PartedSecret[]];
  if (others.length === 0 && first.end - first.start === text.length) return first;
  const parts = found.flatMap(({ start, end, value, parts: inner }) => [value ?? text.slice(start, end), ...inner]);
  return { start: 0, end: text.length, name: undefined, reason: first.reason, parts };
}

type PartedSecret = FoundSecret & { parts: readonly string[] };

function toParted(secret: FoundSecret): PartedSecret {
  return { ...secret, parts: secret.inner === undefined ? [] : [secret.inner] };
}

/** A text of an entry, and what it is called. */
interface PlacedText {
  place: string;
  text: string;
  name?: string;
}

function listTexts(source: ServerSource): PlacedText[] {
  const listAll = (place: string, texts: ReadonlyMap<string, string>): PlacedText[] =>
    [...texts].map(([name, text]) => ({ place: `${place}.${name}`, text, name }));
  if (source.transport === "stdio") {
    const { command, args, env } = source;
    return [{ place: "command", text: command }, ...args.map(toArgument), ...listAll("env", env)];
  }
  const { url, headers, oauth } = source;
  return [
    { place: "url", text: url },
    ...listAll("headers", headers),
    ...Object.entries(pickSecrets(oauth ?? {})).map(([key, text]) => ({
      place: `oauth.${key}`,
      text,
      name: SECRET_OAUTH_SETTINGS[key as keyof typeof SECRET_OAUTH_SETTINGS],
    })),
  ];
}

function pickSecrets(oauth: OAuthSettings): Record<string, string> {
  const written = Object.entries(oauth).filter(
    ([key, value]) => Object.hasOwn(SECRET_OAUTH_SETTINGS, key) && typeof value === "string",
  );
  return Object.fromEntries(written);
}

/** Behind `--token` stands a token, unless another option does. */
function toArgument(text: string, index: number, args: readonly string[]): PlacedText {
  const option = optionName(args[index - 1]);
  const place = `args[${index}]`;
  return option === undefined || text.startsWith("-") ? { place, text } : { place, text, name: option };
}

function chooseVariable(
  server: string,
  place: string,
  { name, inner }: FoundSecret,
  value: string,
  taken: TakenVariables,
): string {
  const called = isEnv(place) ? place.slice("env.".length) : (name ?? "");
  const wanted = isEnv(place) && /^[A-Za-z_]\w*$/.test(called) ? [called] : [];
  const prefix = toVariable(toServerId(server));
  const label = toVariable(called.replace(/^x-/i, "")).replace(/^(?:PROXY_)?AUTHORIZATION$|^AUTH$/, "TOKEN");
  const noun = label !== "" ? label : inner === undefined ? "TOKEN" : "URL";
  // What is written in capitals is the name of a variable already: `-e GITHUB_TOKEN=…`.
  const isVariable = !isEnv(place) && /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(called);
  const own = isVariable || `${noun}_`.startsWith(`${prefix}_`) ? noun : `${prefix}_${noun}`;
  for (const variable of numbered([...wanted, own])) {
    const known = taken.get(variable);
    if (known !== undefined && known !== value) continue;
    taken.set(variable, value);
    return variable;
  }
  throw new RangeError("Numbers have ended.");
}

function* numbered(names: readonly string[]): Generator<string> {
  yield* names;
  for (let count = 2; ; count += 1) yield `${names.at(-1)}_${count}`;
}

function toVariable(text: string): string {
  const name = text
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  return /^\d/.test(name) ? `_${name}` : name;
}

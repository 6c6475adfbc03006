import { randomBytes } from "node:crypto";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { holdsPlaceholder, mapPlaceholders, toPlaceholder } from "../../../schemas/run/placeholders.ts";
import { findNamed, makeNameMatch } from "../../../schemas/secrets/find-named.ts";
import { type FindForms, formsOf, makeFinder } from "../../../schemas/secrets/find-values.ts";
import { maskJson, type JsonMask } from "../../../schemas/secrets/mask-json.ts";
import { replaceFound } from "../../../schemas/secrets/mask-values.ts";
import { SHORTEST } from "../../../schemas/secrets/shortest.ts";

/** Keeps values away from a script and from its recording. */
export interface Vault {
  /** Finds the secrets in a value. */
  learn(value: JsonValue): void;
  /** The same value with a placeholder for each secret in it; learns first. */
  hide<Value extends JsonValue>(value: Value): Value;
  /** The same value with a placeholder for each secret that is known, in the names of members too. */
  cover<Value extends JsonValue>(value: Value): Value;
  /** The same value with the secrets back in the place of their placeholders. */
  restore<Value extends JsonValue>(value: Value): Value;
  /** A text with a placeholder for each secret that was hidden before. */
  mask(text: string): string;
}

/**
 * Makes a vault for the values of the members whose names match one of the patterns (`*` and `?`, in any case), and for what stands
 * under such a name in a text, as in `Authorization: Bearer x`.
 *
 * A placeholder cannot be guessed: a server that returned the placeholder of another server's secret would be sent the secret.
 */
export function makeVault(patterns: readonly string[]): Vault {
  const isSecretName = makeNameMatch(patterns);
  const kept = keepSecrets();

  /** First of two passes: a secret may stand in a value before the place that tells that it is one. */
  const learn = (value: JsonValue): void => {
    if (patterns.length === 0) return;
    for (const { name, value: secret } of findNamed(value, isSecretName)) {
      if (typeof secret === "number") kept.addNumber(name, secret);
      // A text that a script has made of a placeholder is none that must be hidden again.
      else if (!holdsPlaceholder(secret)) kept.add(name, secret);
    }
  };
  const replaceLong = (value: string | number): JsonValue | undefined =>
    isLong(value) ? kept.placeholderOf(value) : undefined;
  /** Under a name that says so a short value is replaced too. */
  const named: JsonMask = {
    text: (text) => kept.placeholderOf(text) ?? kept.mask(text),
    name: kept.mask,
    number: (number) => kept.placeholderOf(number) ?? number,
  };
  const everywhere: JsonMask = {
    text: (text) => replaceLong(text) ?? kept.mask(text),
    name: kept.mask,
    number: (number) => replaceLong(number) ?? number,
    member: (name, value) => (isSecretName(name) ? maskJson(value, named) : undefined),
  };
  const plain: JsonMask = {
    text: (text) => kept.secretOf(text) ?? kept.restoreText(text),
    name: kept.restoreText,
  };
  const cover = <Value extends JsonValue>(value: Value): Value =>
    kept.isEmpty() ? value : maskJson(value, everywhere);

  return {
    learn,
    hide<Value extends JsonValue>(value: Value): Value {
      learn(value);
      return cover(value);
    },
    cover,
    restore: <Value extends JsonValue>(value: Value): Value => (kept.isEmpty() ? value : maskJson(value, plain)),
    mask: (text) => (kept.isEmpty() ? text : kept.mask(text)),
  };
}

/** Secrets and the placeholders that stand for them. */
function keepSecrets() {
  const nonce = randomBytes(8).toString("hex");
  const placeholders = new Map<string | number, string>();
  const secrets = new Map<string, string | number>();
  const added = new Set<string>();
  let find: FindForms | undefined;

  const keep = (name: string, secret: string | number): void => {
    if (placeholders.has(secret)) return;
    const placeholder = toPlaceholder(name, placeholders.size + 1, nonce);
    placeholders.set(secret, placeholder);
    secrets.set(placeholder, secret);
    find = undefined;
  };

  return {
    /** A secret in each of its forms: each comes back as it was. */
    add(name: string, secret: string): void {
      if (added.has(secret)) return;
      added.add(secret);
      for (const form of formsOf(secret)) keep(name, form);
    },
    addNumber(name: string, secret: number): void {
      keep(name, secret);
      if (isLong(secret)) keep(name, String(secret));
    },
    isEmpty: () => secrets.size === 0,
    placeholderOf: (secret: string | number) => placeholders.get(secret),
    secretOf: (placeholder: string) => secrets.get(placeholder),
    mask(text: string): string {
      find ??= makeFinder([...placeholders.keys()].flatMap((secret) => (isLongText(secret) ? secret : [])));
      return replaceFound(text, find(text), ({ form }) => placeholders.get(form) as string);
    },
    restoreText: (text: string): string =>
      mapPlaceholders(text, (placeholder) => String(secrets.get(placeholder) ?? placeholder)),
  };
}

function isLongText(secret: string | number): secret is string {
  return typeof secret === "string" && isLong(secret);
}

function isLong(secret: string | number): boolean {
  return String(secret).length >= SHORTEST.anywhere;
}

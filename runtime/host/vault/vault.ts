import { randomBytes } from "node:crypto";
import { matchesAny } from "../../../schemas/access/glob.ts";
import { isJsonObject, type JsonValue, toJsonObject } from "../../../schemas/json/json.ts";
import { holdsPlaceholder, replacePlaceholders, toPlaceholder } from "../../../schemas/run/placeholders.ts";
import { parseForeignJson } from "../../sandbox/pool/frames.ts";
import { findNamedTexts, withoutScheme } from "./find-named-texts.ts";

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

/** Shorter texts are replaced where they were found, but not looked for elsewhere: they are parts of ordinary words. */
const SHORTEST_MASKED = 4;

/**
 * Makes a vault for the values of the members whose names match one of the patterns (`*` and `?`, in any case), and for what stands
 * under such a name in a text, as in `Authorization: Bearer x`.
 *
 * A placeholder cannot be guessed: a server that returned the placeholder of another server's secret would be sent the secret.
 */
export function makeVault(patterns: readonly string[]): Vault {
  const lowerPatterns = patterns.map((pattern) => pattern.toLowerCase());
  const kept = keepSecrets();
  const verdicts = new Map<string, boolean>();

  const isSecretName = (longName: string): boolean => {
    const name = longName.slice(0, MAX_NAME);
    const verdict = verdicts.get(name) ?? matchesAny(name.toLowerCase(), lowerPatterns);
    if (verdicts.size < MAX_REMEMBERED) verdicts.set(name, verdict);
    return verdict;
  };

  /** First of two passes: a secret may stand in a value before the place that tells that it is one. */
  const find = (value: JsonValue, name: string | undefined): void => {
    if (Array.isArray(value)) for (const item of value) find(item, name);
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) find(member, isSecretName(key) ? key : name);
    } else if (name !== undefined) {
      if (typeof value === "number") {
        kept.add(name, value);
        if (isLong(value)) kept.add(name, String(value));
      }
      // A text that a script has made of a placeholder is none that must be hidden again.
      if (typeof value === "string" && value !== "" && !holdsPlaceholder(value)) {
        kept.addPrinted(name, value);
        kept.addPrinted(name, withoutScheme(value));
      }
    } else if (typeof value === "string") {
      for (const found of findNamedTexts(value, isSecretName)) {
        if (isLong(found.text) && !holdsPlaceholder(found.text)) kept.addPrinted(found.name, found.text);
      }
      // Tools print their results: a list or an object under a name is found as one.
      const printed = /^\s*[[{]/.test(value) ? parseForeignJson(value) : undefined;
      if (printed !== undefined) find(printed, undefined);
    }
  };
  const replace = (value: JsonValue, isNamed: boolean): JsonValue => {
    if (Array.isArray(value)) return value.map((item) => replace(item, isNamed));
    if (isJsonObject(value)) {
      const entries = Object.entries(value);
      return toJsonObject(
        entries.map(([key, member]) => [kept.mask(key), replace(member, isNamed || isSecretName(key))]),
      );
    }
    if (typeof value !== "string" && typeof value !== "number") return value;
    const placeholder = isNamed || isLong(value) ? kept.placeholderOf(value) : undefined;
    if (placeholder !== undefined) return placeholder;
    return typeof value === "string" ? kept.mask(value) : value;
  };
  const restore = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(restore);
    if (isJsonObject(value)) {
      return toJsonObject(Object.entries(value).map(([key, member]) => [kept.restoreText(key), restore(member)]));
    }
    return typeof value === "string" ? (kept.secretOf(value) ?? kept.restoreText(value)) : value;
  };

  return {
    learn(value) {
      if (patterns.length > 0) find(value, undefined);
    },
    hide<Value extends JsonValue>(value: Value): Value {
      if (patterns.length === 0) return value;
      find(value, undefined);
      return replace(value, false) as Value;
    },
    cover: <Value extends JsonValue>(value: Value): Value =>
      kept.isEmpty() ? value : (replace(value, false) as Value),
    restore: <Value extends JsonValue>(value: Value): Value => (kept.isEmpty() ? value : (restore(value) as Value)),
    mask: (text) => (kept.isEmpty() ? text : kept.mask(text)),
  };
}

/** Secrets and the placeholders that stand for them. */
function keepSecrets() {
  const nonce = randomBytes(8).toString("hex");
  const placeholders = new Map<string | number, string>();
  const secrets = new Map<string, string | number>();
  let masking: Masking | undefined;

  const add = (name: string, secret: string | number): void => {
    if (placeholders.has(secret)) return;
    const placeholder = toPlaceholder(name, placeholders.size + 1, nonce);
    placeholders.set(secret, placeholder);
    secrets.set(placeholder, secret);
    masking = undefined;
  };

  return {
    add,
    /** A secret, and as it stands in JSON that is printed into a text, or into such a text. */
    addPrinted(name: string, secret: string): void {
      let printed = secret;
      for (let time = 0; time <= MAX_PRINTED; time += 1) {
        add(name, printed);
        const again = JSON.stringify(printed).slice(1, -1);
        if (again === printed) return;
        printed = again;
      }
    },
    isEmpty: () => secrets.size === 0,
    placeholderOf: (secret: string | number) => placeholders.get(secret),
    secretOf: (placeholder: string) => secrets.get(placeholder),
    mask(text: string): string {
      masking ??= toMasking([...placeholders.keys()]);
      const hide = (secret: string): string => placeholders.get(secret) ?? secret;
      const shorter = masking.long.reduce((left, secret) => left.replaceAll(secret, hide), text);
      return shorter.replace(masking.pattern, hide);
    },
    restoreText: (text: string): string =>
      replacePlaceholders(text, (placeholder) => String(secrets.get(placeholder) ?? placeholder)),
  };
}

function isLong(secret: string | number): boolean {
  return String(secret).length >= SHORTEST_MASKED;
}

/** Names come from servers: not all that there are can be remembered, and none is looked at in its whole length. */
const MAX_REMEMBERED = 10_000;
const MAX_NAME = 256;

/** How often a secret may have been printed as JSON into another text. */
const MAX_PRINTED = 2;

/** A pattern cannot hold longer texts in any number. */
const LONGEST_IN_PATTERN = 1000;

/** What finds secrets in a text: the long ones first, one by one, then all others at once. */
interface Masking {
  long: readonly string[];
  pattern: RegExp;
}

/** The longest first, so that a secret which contains another one is masked as a whole. */
function toMasking(secrets: readonly (string | number)[]): Masking {
  const texts = secrets.filter((secret) => typeof secret === "string" && isLong(secret)) as string[];
  const sorted = texts.toSorted((left, right) => right.length - left.length);
  const short = sorted.filter(({ length }) => length <= LONGEST_IN_PATTERN);
  const source = short.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return {
    long: sorted.slice(0, sorted.length - short.length),
    pattern: short.length === 0 ? /(?!)/g : new RegExp(source, "g"),
  };
}

import { describe, expect, test } from "vitest";
import {
  isHarmless,
  isOpaque,
  isPlausibleToken,
  isRandom,
  isRandomSegment,
} from "../../../schemas/secrets/evaluate-secret.ts";
import { evaluateSecretName, type NameClass, optionName } from "../../../schemas/secrets/secret-names.ts";

describe("a name", () => {
  test.each<[NameClass, string[]]>([
    [
      "secret",
      ["GITHUB_TOKEN", "apiKey", "API-Key", "x-api-key", "PASSWORD", "privateKey", "secret_key", "access.key"],
    ],
    ["secret", ["TOKEN_PROD", "API_KEY_2", "TOKEN_LIVE_2", "db password", "clientSecret"]],
    [
      "secret",
      ["PGPASSWORD", "MYSQLPASSWORD", "DBPASS", "clientsecret", "JIRA_PW", "GHTOKEN", "myapikey", "SMTPPASSWD"],
    ],
    ["secret", ["API_TOKENS", "ACCESS_KEYS", "TOKEN_", "-token-", "__TOKEN__", " Token "]],
    ["none", ["PARTITION_KEYS", "KEYS", "tokens", "a_tokens", "api_token_limits", "PASS_AGE"]],
    ["none", ["BYPASS", "compass", "trespass", "passage"]],
    ["vague", ["AUTH", "key", "sessionKey", "COOKIE", "Authorization", "KEY_2"]],
    ["open", ["cache_key", "publicKey", "PUBLISHABLE_KEY_TEST", "sort-key"]],
    ["none", ["TOKEN_LIMIT", "MAX_TOKENS", "AUTH_METHOD", "", "--", "tokenizer", "value", "2", "monkey", "key_name"]],
  ])("is %s: %j", (verdict, names) => {
    expect(names.map((name) => [name, evaluateSecretName(name)])).toEqual(names.map((name) => [name, verdict]));
  });
});

describe("a text can be no secret", () => {
  test.each([
    "",
    "  ",
    "true",
    " none ",
    "OAuth2",
    "<your token>",
    "[token]",
    "{token}",
    "xxxx",
    "your_token",
    "a-my-key",
    "yourToken",
    "token_here",
    "enter-it",
    "redacted-12345",
    "./a",
    "../a",
    "/etc/a",
    "~/a",
    "~",
    "C:\\a",
    "file:a",
    "a.json",
    "a.YML",
    "https://a.example",
    "${TOKEN}",
    "$TOKEN",
    "{env:TOKEN}",
    "%TOKEN%",
    "Bearer ${TOKEN}",
    "${TOKEN}suffix9",
    "${FOLDER}/etc/passwd",
    " ${TOKEN} ",
    "{env:TOKEN}abcdef",
    "$LONG_TOKEN_NAME",
    "  optional  ",
  ])("%j", (text) => {
    expect(isHarmless(text)).toBe(true);
  });

  test.each([
    "abcdef12",
    " abcde12 ",
    "many",
    "truest",
    "${TOKEN}suffix99",
    "x<y>",
    "1https://a",
    "a.jsonx",
    "b~",
    "$",
    "%A",
  ])("but it may be one: %j", (text) => {
    expect(isHarmless(text)).toBe(false);
  });
});

test.each<[string, boolean]>([
  ["abcdefg1", true],
  ["abcdef1", false],
  ["abcdefgh", false],
  ["a".repeat(32), true],
  ["a".repeat(31), false],
  ["abcd efg1", false],
  [" abcdefg1", false],
  ["abcdefg1 ", false],
  ["123e4567-e89b-12d3-a456-426614174000", false],
  ["x123e4567-e89b-12d3-a456-426614174000", true],
  ["123e4567-e89b-12d3-a456-426614174000x", true],
  ["sha256:0123456789abcdef", false],
  ["SHA512-x", false],
  ["sha1:x1234567", false],
  ["xsha256:0123456789abcdef", true],
  ["2024-01-01T00:00:00Z", false],
  ["12345678", false],
  ["12345678Zx", true],
  ["x12345678", true],
  ["v1.2.3-beta", false],
  ["11.22-beta", false],
  ["xv1.2.3-beta", true],
])("under a vague name %s is a secret: %j", (text, isSecret) => {
  expect(isOpaque(text)).toBe(isSecret);
});

const RANDOM = "aB3dE5gH7jK9mN1pQ4sT";

test.each<[string, string, boolean]>([
  ["twenty letters", RANDOM, true],
  ["nineteen", RANDOM.slice(1), false],
  ["a part between signs", `pre_${RANDOM}-post`, true],
  ["two parts that are too short", `${RANDOM.slice(0, 10)}_${RANDOM.slice(10)}`, false],
  ["letters with a plus", `${RANDOM.slice(0, 10)}+${RANDOM.slice(10)}`, true],
  ["no small letters", RANDOM.toUpperCase(), false],
  ["no capitals", RANDOM.toLowerCase(), false],
  ["two digits", "aBcDeFgHiJkLmNoPqR24", true],
  ["one digit", "aBcDeFgHiJkLmNoPqRs4", false],
  ["no digit", "aBcDeFgHiJkLmNoPqRsT", false],
  ["kinds that change seldom", "abcdefghijKLMNOPQR12", false],
  ["kinds that change just often enough", "aB3dE5gHIJKLMNOPQRST7", true],
  ["kinds that change once less", "aB3dE5gHIJKLMNOPQRSTU", false],
  ["few letters over and over", "aB1".repeat(8), false],
  ["a version", `v1.2.${RANDOM}`, false],
  ["4096 letters", RANDOM + "_".repeat(4076), true],
  ["4097 letters", RANDOM + "_".repeat(4077), false],
])("random is %s: %s %j", (_what, word, isSecret) => {
  expect(isRandom(word)).toBe(isSecret);
});

test("in an address long hexadecimal is random too", () => {
  const hexadecimal = "0123456789abcdef0123456789ABCDEF";
  const words = [hexadecimal, hexadecimal.slice(1), `${hexadecimal}g`, `g${hexadecimal}`, RANDOM, "word"];
  expect(words.map(isRandomSegment)).toEqual([true, false, false, false, true, false]);
  expect(isRandom(hexadecimal)).toBe(false);
});

test("a token has a digit, or a capital behind a small letter", () => {
  const texts = ["sk-learn-text-tools", "sk-1", "ghp_aB", "GHP_AB", "Ab"];
  expect(texts.map(isPlausibleToken)).toEqual([false, true, true, false, false]);
});

test("an option is a word behind one or two hyphens", () => {
  const words = [
    "--token",
    "-token",
    "--api.key_2-x",
    "---token",
    "-t",
    "--",
    "token",
    "--token=x",
    "x--token",
    "--1a",
  ];
  expect(words.map(optionName)).toEqual([
    "token",
    "token",
    "api.key_2-x",
    ...Array.from({ length: 7 }, () => undefined),
  ]);
  expect(optionName(undefined)).toBeUndefined();
});

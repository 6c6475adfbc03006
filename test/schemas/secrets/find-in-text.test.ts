import { describe, expect, test } from "vitest";
import { toSource } from "../../../schemas/config/to-config.ts";
import { findInText } from "../../../schemas/secrets/find-in-text.ts";
import {
  findLiteralSecrets,
  hideSecretsInArgs,
  hideSecretsInUrl,
  replaceSecrets,
} from "../../../schemas/secrets/literal-secrets.ts";
import { maskSecrets, withoutQueryValues } from "../../../schemas/secrets/mask-secrets.ts";

const RANDOM = "aB3dE5gH7jK9mN1pQ4sT";
const GITHUB = "ghp_0123456789abcdef0";
const HEXADECIMAL = "0123456789abcdef0123456789abcdef";

/** The secrets that are found, with their names where they have any, and what is secret in them on its own. */
const found = (text: string, name?: string) =>
  findInText(text, name).map(({ start, end, name: called, inner, value }) =>
    [text.slice(start, end), called, inner, value].filter((part) => part !== undefined),
  );

describe("in a text is found", () => {
  test.each<[string, string, string | undefined, string[][]]>([
    [
      "the password of an address",
      "x postgres://u:pa55word@h/x?y",
      undefined,
      [["postgres://u:pa55word@h/x?y", "pa55word"]],
    ],
    ["one that is called so", "https://u:Password@h/x", undefined, [["https://u:Password@h/x", "Password"]]],
    ["or token", "https://u:token@h/x", undefined, [["https://u:token@h/x", "token"]]],
    ["none that is a word to be replaced", "https://u:none@h/x", undefined, []],
    ["none of these words in a longer one", "https://u:my_token@h/x https://u:password_here@h/x", undefined, []],
    ["the address once, and its token", `https://u:${GITHUB}@h/x`, "url", [[`https://u:${GITHUB}@h/x`, "url", GITHUB]]],
    [
      "what is assigned to secret names",
      "TOKEN=abcdefgh1 REGION=eu PASSWORD=pwd",
      undefined,
      [
        ["abcdefgh1", "TOKEN"],
        ["pwd", "PASSWORD"],
      ],
    ],
    ["nothing in empty values", "TOKEN= PASSWORD= REGION=eu", undefined, []],
    ["no scheme behind the name of a secret", "API_SECRET: dpop", undefined, []],
    ["what comes behind the scheme", "Authorization: Basic aB3dE5gH7x", undefined, [["aB3dE5gH7x", "token"]]],
    ["the second of two, where the first is empty", "TOKEN= PASSWORD=pwd", undefined, [["pwd", "PASSWORD"]]],
    ["the same in lines", "TOKEN=\nHOST_NAME=abcdefgh1\n", undefined, []],
    ["a value behind a blank that ends with =", "token= aB3dE5gH7=", undefined, [["aB3dE5gH7=", "token"]]],
    [
      "one assignment behind the other",
      "token=abcdefgh1,auth=bcdefghi2",
      undefined,
      [
        ["abcdefgh1", "token"],
        ["bcdefghi2", "auth"],
      ],
    ],
    [
      "no short number but a password's",
      "TOKEN=123456 DB_PWD=123456 PASS=1",
      undefined,
      [
        ["123456", "DB_PWD"],
        ["1", "PASS"],
      ],
    ],
    ["a longer number", "TOKEN=1234567", undefined, [["1234567", "TOKEN"]]],
    ["nothing where nothing is assigned", "x TOKEN=", undefined, []],
    ["a header in a command", "curl -H 'X-Api-Key: abcdefgh1' x", undefined, [["abcdefgh1", "X-Api-Key"]]],
    [
      "members of JSON",
      '{"apiKey": "abcdefgh1", "auth": "x1234567"}',
      undefined,
      [
        ["abcdefgh1", "apiKey"],
        ["x1234567", "auth"],
      ],
    ],
    ["the credential behind its scheme", "Authorization: Bearer abcdefgh1", undefined, [["abcdefgh1", "token"]]],
    ["one without a name before it", "x Bearer abcdefgh1 y", undefined, [["abcdefgh1", "token"]]],
    ["one under the name of the text", "Basic abcdefgh1", "X-Auth", [["abcdefgh1", "X-Auth"]]],
    ["none that is a word to be replaced", "x Bearer your_token1 y", undefined, []],
    ["none that is an ordinary word", "x Bearer something y", undefined, []],
    ["the whole text under a secret name", "abc def", "token", [["abc def", "token"]]],
    ["a text under a vague name that is opaque", "abcdefgh1", "auth", [["abcdefgh1", "auth"]]],
    ["none that is a word", "abcdefgh", "auth", []],
    ["a token by its form under any name", GITHUB, "X-Public-Key", [[GITHUB]]],
    ["nothing random under a name that is open", RANDOM, "X-Public-Key", []],
    ["random letters", `x ${RANDOM}`, undefined, [[RANDOM]]],
    ["none in a path or a package", `${RANDOM}/x @${RANDOM} x:${RANDOM}`, undefined, []],
    ["none with a placeholder", `${RANDOM}\${X}`, undefined, []],
    [
      "parts of an address",
      `https://h/${RANDOM}/${HEXADECIMAL}?k=${GITHUB}`,
      undefined,
      [[RANDOM], [HEXADECIMAL], [GITHUB]],
    ],
    ["a part of an address without encryption", `http://h/${RANDOM}`, undefined, [[RANDOM]]],
    [
      "a value under a name of 64 characters",
      `${"a".repeat(58)}-token=abcdefgh1`,
      undefined,
      [["abcdefgh1", `${"a".repeat(58)}-token`]],
    ],
    ["none under a longer one", `${"a".repeat(59)}-token=abcdefgh1`, undefined, []],
    ["none of a text that only holds one", `see https://h/${HEXADECIMAL}`, undefined, []],
    [
      "the default of a placeholder with a secret name",
      "--key=${API_KEY:-abcdefgh1}",
      undefined,
      [["${API_KEY:-abcdefgh1}", "API_KEY", "abcdefgh1"]],
    ],
    [
      "the default that is a token",
      `\${env:REGION:-${GITHUB}}`,
      undefined,
      [[`\${env:REGION:-${GITHUB}}`, "REGION", GITHUB]],
    ],
    ["none that is a word", "${REGION:-eu-west-1} ${API_KEY:-none} ${TOKEN}", undefined, []],
    ["what touches a placeholder", `\${X}${GITHUB}`, undefined, [[GITHUB]]],
    [
      "an address around a default, as one",
      "postgres://u:${DB_PASSWORD:-s3cret-1}@h/x",
      undefined,
      [["${DB_PASSWORD:-s3cret-1}@h/x", "DB_PASSWORD"]],
    ],
  ])("%s: %s (%s)", (_what, text, name, secrets) => {
    expect(found(text, name)).toEqual(secrets);
  });

  test("the same again in the next text", () => {
    const text = "TOKEN=abcdefgh1";
    expect([found(text), found(text)]).toEqual([[["abcdefgh1", "TOKEN"]], [["abcdefgh1", "TOKEN"]]]);
  });
});

test.each<[string, string, string | undefined]>([
  ["TOKEN=abcdefgh1 REGION=eu PASSWORD=pwd", "TOKEN=… REGION=eu PASSWORD=…", undefined],
  ["https://user:pa55word@host/x", "https://user:…@host/x", undefined],
  ["https://pa55word:pa55word@host/x", "https://pa55word:…@host/x", undefined],
  ["https://u:pa55word@a https://u:pa66word@b", "https://u:…@a https://u:…@b", undefined],
  ["abcdefgh1", "…", "token"],
  ["abcdefgh1", "abcdefgh1", undefined],
  ["$(cat token)", "$(cat token)", "token"],
  ["abc;def12", "abc;def12", "token"],
  ["abc def12", "abc def12", "token"],
  [`https://h/${RANDOM}?k=${GITHUB}#${HEXADECIMAL}`, "https://h/…?k=…#…", undefined],
  [`https://${RANDOM}.example/x`, `https://${RANDOM}.example/x`, undefined],
  [`https://${RANDOM}`, `https://${RANDOM}`, undefined],
  [`git+ssh://${RANDOM}=x`, `git+ssh://${RANDOM}=x`, undefined],
  [`see https://h -k ${RANDOM}`, "see https://h -k …", undefined],
])("%s is shown as %s (%s)", (text, shown, name) => {
  expect(maskSecrets(text, name)).toBe(shown);
});

describe("of an entry", () => {
  test("arguments and address are shown with variables in the place of secrets", () => {
    const source = toSource({ command: "x", args: ["--token", "abcdefgh1", "--", "y", "key=abcdefgh2"] });
    const shown = hideSecretsInArgs({ name: "one", source: source as never });
    expect(shown).toEqual(["--token", "${ONE_TOKEN}", "--", "y", "key=${ONE_KEY}"]);
    const addressOf = (url: string) =>
      hideSecretsInUrl({
        name: "one",
        source: toSource({ type: "http", url, headers: { Authorization: "Bearer abcdefgh1" } }) as never,
      });
    expect(addressOf("https://u:pa55word@h/x?a=1")).toBe("${ONE_URL}");
    expect(addressOf(`https://h/${RANDOM}?a=1&b=2#c=3`)).toBe("https://h/${ONE_TOKEN}?a=&b=#c=3");
    expect(addressOf("https://h/x?region=eu")).toBe("https://h/x?region=");
  });

  test.each([
    ["https://h/x", "https://h/x"],
    ["https://h/x?a=1&b=&c", "https://h/x?a=&b=&c"],
    ["https://h/a=1?b=2#c=3", "https://h/a=1?b=#c=3"],
    ["?aa==b&c=d=e", "?aa=&c="],
  ])("%s without the values of its query is %s", (url, shown) => {
    expect(withoutQueryValues(url)).toBe(shown);
  });

  test("only what is there is written again", () => {
    const replace = (entry: Parameters<typeof toSource>[0]) => replaceSecrets("one", entry, toSource(entry), new Map());
    const oauth = { clientId: "me", clientSecret: "s3cret-of-client" };
    const remote = replace({ type: "http", url: "https://h/x", oauth });
    expect(remote.entry).toStrictEqual({
      type: "http",
      url: "https://h/x",
      oauth: { clientId: "me", clientSecret: "${ONE_CLIENT_SECRET}" },
    });
    expect(remote.secrets).toStrictEqual([
      {
        place: "oauth.clientSecret",
        value: "s3cret-of-client",
        variable: "ONE_CLIENT_SECRET",
        parts: [],
        reason: "name",
      },
    ]);
    const open = { type: "http", url: "https://h/x", oauth: { clientId: "me" } } as const;
    expect(replace(open)).toStrictEqual({ entry: open, secrets: [] });
    const local = { command: `run-${RANDOM}` };
    expect(replace(local).entry).toStrictEqual({ command: "${ONE_TOKEN}" });
    expect(replace({ command: "x", env: { A: "b" } }).entry).toStrictEqual({ command: "x", env: { A: "b" } });
  });

  test("a variable is a secret as a whole, of which each part is one too", () => {
    const secretsOf = (env: Record<string, string>) =>
      findLiteralSecrets({ name: "one", source: toSource({ command: "x", env }) });
    const urls = "https://u:pa55word@a/x https://u:pa66word@b/x";
    expect(secretsOf({ URLS: urls })).toEqual([
      {
        place: "env.URLS",
        value: urls,
        variable: "URLS",
        parts: ["https://u:pa55word@a/x", "pa55word", "https://u:pa66word@b/x", "pa66word"],
        reason: "address",
      },
    ]);
    expect(secretsOf({ URL: "https://u:pa55word@a/x" })).toEqual([
      { place: "env.URL", value: "https://u:pa55word@a/x", variable: "URL", parts: ["pa55word"], reason: "address" },
    ]);
    expect(secretsOf({ LINE: "x token=abcdefgh1" })).toEqual([
      { place: "env.LINE", value: "x token=abcdefgh1", variable: "LINE", parts: ["abcdefgh1"], reason: "name" },
    ]);
    expect(secretsOf({ LINE: "x ${TOKEN:-abcdefgh1}" })).toMatchObject([{ parts: ["abcdefgh1"] }]);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ["one", "a name that no shell takes", { "MY-TOKEN": "abcdefgh1" }, "ONE_MY_TOKEN"],
    ["one", "a name with a digit first", { "1TOKEN": "abcdefgh1" }, "ONE__1TOKEN"],
    ["one", "a small name", { token: "abcdefgh1" }, "token"],
  ])("the variable of %s with %s is its own where it can be", (name, _what, env, variable) => {
    const [secret] = findLiteralSecrets({ name, source: toSource({ command: "x", env }) });
    expect(secret?.variable).toBe(variable);
  });

  test.each<[string, string[], string]>([
    ["one", ["-e", "GITHUB_TOKEN=abcdefgh1"], "GITHUB_TOKEN"],
    ["one", ["-e", "xGITHUB_TOKEN=abcdefgh1"], "ONE_X_GITHUB_TOKEN"],
    ["one", ["-e", "GITHUB_TOKEN-x_token=abcdefgh1"], "ONE_GITHUB_TOKEN_X_TOKEN"],
    ["one", ["--x-api-key", "abcdefgh1"], "ONE_API_KEY"],
    ["one", ["--api-x-key", "abcdefgh1"], "ONE_API_X_KEY"],
    ["one", ["--auth", "abcdefgh1"], "ONE_TOKEN"],
    ["one", ["--proxy-authorization", "abcdefgh1"], "ONE_TOKEN"],
    ["one", ["--my-authorization", "abcdefgh1"], "ONE_MY_AUTHORIZATION"],
    ["one", ["--my-auth", "abcdefgh1"], "ONE_MY_AUTH"],
    ["one", ["--auth-key", "abcdefgh1"], "ONE_AUTH_KEY"],
    ["one", ["--authorization-key", "abcdefgh1"], "ONE_AUTHORIZATION_KEY"],
    ["one", ["--one-token", "abcdefgh1"], "ONE_TOKEN"],
    ["one", [GITHUB], "ONE_TOKEN"],
    ["2nd", [GITHUB], "_2ND_TOKEN"],
    ["a--b", ["--a__token", "abcdefgh1"], "A_B_A_TOKEN"],
  ])("the variable for a secret of %s in %j is %s", (name, args, variable) => {
    const [secret] = findLiteralSecrets({ name, source: toSource({ command: "x", args }) });
    expect(secret?.variable).toBe(variable);
  });

  test("values under one name are numbered", () => {
    const args = ["--token", "abcdefgh1", "--token", "abcdefgh2", "--token", "abcdefgh3"];
    const secrets = findLiteralSecrets({ name: "one", source: toSource({ command: "x", args }) });
    expect(secrets.map(({ variable }) => variable)).toEqual(["ONE_TOKEN", "ONE_TOKEN_2", "ONE_TOKEN_3"]);
  });
});

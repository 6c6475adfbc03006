import { describe, expect, test } from "vitest";
import { toSource } from "../../../schemas/config/to-config.ts";
import { isCredentialOfFile, pickCredentials } from "../../../schemas/secrets/evaluate-secret.ts";
import { describeTakenSecrets, takeOutSecrets, warnOfSecrets } from "../../../schemas/secrets/secrets-in-config.ts";
import { isCredentialName } from "../../../schemas/secrets/secret-names.ts";
import {
  holdsCredentials,
  isScheme,
  lengthOfScheme,
  withoutScheme,
} from "../../../schemas/secrets/written-credentials.ts";

const entries = new Map([
  ["one", { command: "x", env: { TOKEN: "abcdefgh1", MODE: "fast" } }],
  ["two", { command: "y", args: ["--token", "abcdefgh2"], env: { TOKEN: "abcdefgh1" } }],
  ["three", { command: "z", env: { TOKEN: "abcdefgh3" } }],
]);

describe("secrets are taken out of entries", () => {
  test("each with its variable, which entries share where they have the same value", () => {
    const { servers, secrets } = takeOutSecrets(entries);
    expect(Object.fromEntries(servers)).toEqual({
      one: { command: "x", env: { TOKEN: "${TOKEN}", MODE: "fast" } },
      two: { command: "y", args: ["--token", "${TWO_TOKEN}"], env: { TOKEN: "${TOKEN}" } },
      three: { command: "z", env: { TOKEN: "${THREE_TOKEN}" } },
    });
    expect(secrets.map(({ server, place, variable, value }) => [server, place, variable, value])).toEqual([
      ["one", "env.TOKEN", "TOKEN", "abcdefgh1"],
      ["two", "args[1]", "TWO_TOKEN", "abcdefgh2"],
      ["two", "env.TOKEN", "TOKEN", "abcdefgh1"],
      ["three", "env.TOKEN", "THREE_TOKEN", "abcdefgh3"],
    ]);
  });

  test("and it is said which variables have to be set, without a value", () => {
    const { secrets } = takeOutSecrets(entries);
    const env = { TOKEN: "abcdefgh1", THREE_TOKEN: "other" };
    const lines = describeTakenSecrets(secrets, env, (server) => ` of ${server}.json`);
    expect(lines.slice(0, 4)).toEqual([
      "one: env.TOKEN holds a secret, so the configuration has ${TOKEN} there.",
      "two: args[1] holds a secret, so the configuration has ${TWO_TOKEN} there.",
      "two: env.TOKEN holds a secret, so the configuration has ${TOKEN} there.",
      "three: env.TOKEN holds a secret, so the configuration has ${THREE_TOKEN} there.",
    ]);
    expect(lines[4]).toMatch(/^Set these variables/);
    expect(lines.slice(5)).toEqual([
      '  export TWO_TOKEN=…   # args[1] of "two" of two.json',
      '  export THREE_TOKEN=…   # env.TOKEN of "three" of three.json; it currently has another value',
    ]);
    expect(describeTakenSecrets(secrets.slice(0, 1), env, () => "")).toHaveLength(1);
    expect(describeTakenSecrets([], {}, () => "")).toEqual([]);
  });

  test("a secret of a configuration is warned of with its reason, without its value", () => {
    const server = (env: Record<string, string>) => ({ name: "one", source: toSource({ command: "x", env }) }) as never;
    const [line, ...others] = warnOfSecrets({ servers: [server({ TOKEN: "abcdefgh1", MODE: "fast" })] });
    expect(line).toContain('warning: env.TOKEN of the server "one" looks like a secret (its name says so)');
    expect(line).toContain('Write ${TOKEN} there and set that variable; if it is none, list "env.TOKEN"');
    expect([line, others]).toEqual([expect.not.stringContaining("abcdefgh1"), []]);
    const reasons = warnOfSecrets({
      servers: [
        server({
          A: "https://u:pa55word@h/x",
          B: "say Bearer abcdefgh1",
          C: "ghp_0123456789abcdef0",
          D: "aB3dE5gH7jK9mN1pQ4sT",
          E: "x ${TOKEN:-abcdefgh1}",
          F: "x ${REGION:-ghp_0123456789abcdef0}",
        }),
      ],
    }).map((warning) => /\((.*?)\)/.exec(warning)?.[1]);
    expect(reasons).toEqual([
      "it holds the password of an address",
      "it holds a credential behind its scheme",
      "it has the form of a token",
      "it holds random characters",
      "its name says so",
      "it has the form of a token",
    ]);
  });

  test("only settings of a login that are secret are taken out", () => {
    const oauth = { clientId: "aB3dE5gH7jK9mN1pQ4sT", scope: "aB3dE5gH7jK9mN1pQ4sT", idToken: "abcdefgh1" };
    const { servers } = takeOutSecrets(new Map([["one", { type: "http" as const, url: "https://h/x", oauth }]]));
    expect(servers.get("one")?.oauth).toEqual({ ...oauth, idToken: "${ONE_ID_TOKEN}" });
  });
});

describe("a credential of a server", () => {
  test("has the name of one, or was found in its settings, and has six characters", () => {
    expect(
      pickCredentials(
        {
          API_TOKEN: "123456",
          PASSWORD: "12345",
          SESSION: "abcdef",
          MODE: "production",
          "args[0]": "s3cr3t",
          "args[1]": "s3c",
        },
        { "args[0]": "", "args[1]": "" },
      ),
    ).toEqual({ API_TOKEN: "123456", SESSION: "abcdef", "args[0]": "s3cr3t" });
    expect(["TOKEN", "SESSION", "CACHE_KEY", "MODE"].map(isCredentialName)).toEqual([true, true, false, false]);
  });

  test.each<[boolean, string[]]>([
    [
      true,
      [
        "abc1",
        "Production",
        "1234567",
        "a-b",
        "abcdefghijklmnop",
        "ABCDEFGHIJKLMNOP",
        "1.5",
        "AbC",
        "12a",
        "a1",
        "1234567890123456",
      ],
    ],
    [
      false,
      [
        "",
        "production",
        "PRODUCTION",
        "123456",
        "1",
        "abcdefghijklmno",
        "ABCDEFGHIJKLMNO",
        "true",
        "./file",
        "https://h/x",
      ],
    ],
  ])("of a file of variables is all but plain words (%s: %j)", (isCredential, values) => {
    expect(values.map((value) => [value, isCredentialOfFile(value)])).toEqual(
      values.map((value) => [value, isCredential]),
    );
  });

  test.each<[boolean, string[]]>([
    [true, ["https://user:password@host/", "https://user@host", "//me@h", "x://:p@h", "ab://c d@h"]],
    [
      false,
      [
        "https://host/user@x",
        "https://host/?//u@h",
        "https://host/#//u@h",
        "host",
        "user@host",
        "",
        "/x//u@h",
        "a?//u@h",
        "#//u@h",
      ],
    ],
  ])("may be in an address in front of its host (%s: %j)", (isHeld, addresses) => {
    expect(addresses.map((address) => [address, holdsCredentials(address)])).toEqual(
      addresses.map((address) => [address, isHeld]),
    );
  });

  test("may stand behind a scheme", () => {
    expect(["Bearer abc", "token  a b", "Bearer ", "Bearer", "xBearer abc", "abc"].map(withoutScheme)).toEqual([
      ...["abc", "a b", "Bearer ", "Bearer", "xBearer abc", "abc"],
    ]);
    expect(["DPoP  abc", "abc"].map(lengthOfScheme)).toEqual([6, 0]);
    expect(["basic", "Digest", "abc", ""].map(isScheme)).toEqual([true, true, false, false]);
  });
});

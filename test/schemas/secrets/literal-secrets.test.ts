import { expect, test } from "vitest";
import { toSource } from "../../../schemas/config/to-config.ts";
import { findLiteralSecrets, replaceSecrets } from "../../../schemas/secrets/literal-secrets.ts";
import type { DocumentedEntry } from "./documented-entry.ts";
import { WITH_SECRETS } from "./entries-with-secrets.ts";
import { WITHOUT_SECRETS } from "./entries-without-secrets.ts";

const found = ({ name, entry }: DocumentedEntry): Record<string, string> =>
  Object.fromEntries(
    findLiteralSecrets({ name, source: toSource(entry) }).map(({ place, variable }) => [place, variable]),
  );

const titled = (entries: readonly DocumentedEntry[]): [string, DocumentedEntry][] =>
  entries.map((entry) => {
    const { command = "", args = [], env = {}, url = "", headers = {} } = entry.entry;
    const texts = [entry.name, command, ...args, url, JSON.stringify({ ...env, ...headers })];
    return [texts.join(" ").slice(0, 120), entry];
  });

test.each(titled(WITH_SECRETS))("a secret is found: %s", (_, documented) => {
  expect(found(documented)).toEqual(documented.secrets);
});

test.each(titled(WITHOUT_SECRETS))("nothing is taken for a secret: %s", (_, documented) => {
  expect(found(documented)).toEqual({});
});

test("what stands in the place of secrets is found no more, and fills in to the same text", () => {
  for (const { name, entry } of WITH_SECRETS) {
    const { entry: replaced, secrets } = replaceSecrets(name, entry, toSource(entry), new Map());
    expect(findLiteralSecrets({ name, source: toSource(replaced) })).toEqual([]);
    const text = JSON.stringify(replaced);
    for (const { value } of secrets) expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
    const filled = secrets.reduce(
      (left, { variable, value }) => left.replace(`\${${variable}}`, () => JSON.stringify(value).slice(1, -1)),
      text,
    );
    expect(JSON.parse(filled)).toEqual(entry);
  }
});

test("one value is one variable, and two values under one name are two", () => {
  const taken = new Map<string, string>();
  const take = (name: string, env: Record<string, string>): string[] => {
    const entry = { command: "x", args: [], env };
    return replaceSecrets(name, entry, toSource(entry), taken).secrets.map(({ variable }) => variable);
  };
  expect(take("one", { API_KEY: "first-value-1" })).toEqual(["API_KEY"]);
  expect(take("two", { API_KEY: "first-value-1" })).toEqual(["API_KEY"]);
  expect(take("three", { API_KEY: "other-value-2" })).toEqual(["THREE_API_KEY"]);
  expect(take("three", { API_KEY: "other-value-3" })).toEqual(["THREE_API_KEY_2"]);
});

test("what the user calls no secret is none, place by place", () => {
  const source = toSource({
    command: "x",
    args: ["--token", "abcdefgh1", "--key=abcdefgh1"],
    env: { TOKEN: "abcdefgh1" },
  });
  const places = (notSecret: string[]): string[] =>
    findLiteralSecrets({ name: "x", source, notSecret }).map(({ place }) => place);
  expect(places([])).toEqual(["args[1]", "args[2]", "env.TOKEN"]);
  expect(places(["args[1]", "env.TOKEN"])).toEqual(["args[2]"]);
});

test("a long text is searched in linear time", () => {
  for (const part of ["a", "A1b2", "token=", "a://b:", "bearer ", "eyJ", "-----BEGIN ", "x-", "\\"]) {
    const source = toSource({ command: "x", args: [part.repeat(200_000 / part.length)] });
    expect(() => findLiteralSecrets({ name: "x", source })).not.toThrow();
  }
});

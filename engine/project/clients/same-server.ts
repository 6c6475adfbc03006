import type { ServerSource } from "../../../schemas/config/config.ts";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import { asJson } from "../../../schemas/json/json.ts";

/** Whether two texts of a configuration mean the same value. */
export type IsSameValue = (left: string, right: string) => boolean;

/**
 * What makes two entries two servers, in words and without a value: another program or address, or other things that it is given. A name says
 * nothing: production and scratch may both be `db`. Empty where they are one server.
 */
export function describeDifferences(
  left: ServerSource,
  right: ServerSource,
  isSame: IsSameValue = (one, other) => one === other,
): string[] {
  const [file, otherFile] = [left, right].map(({ envFile = [] }) => envFile.join("\n")) as [string, string];
  const files = isSame(file, otherFile) ? [] : ["envFile"];
  if (left.transport === "stdio" && right.transport === "stdio") {
    const [words, others] = [left, right].map(({ command, args }) => [command, ...args]) as [string[], string[]];
    const isSameCommand = words.length === others.length && words.every((word, at) => isSame(word, others[at] ?? ""));
    return [
      ...(isSameCommand ? [] : ["command"]),
      ...(isSame(left.cwd ?? "", right.cwd ?? "") ? [] : ["cwd"]),
      ...files,
      ...differentKeys(left.env, right.env, isSame).map((name) => `env ${name}`),
    ];
  }
  if (left.transport === "stdio" || right.transport === "stdio") return ["type"];
  const byName = (headers: ReadonlyMap<string, string>) =>
    new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  return [
    ...(left.transport === right.transport ? [] : ["type"]),
    ...(isSame(left.url, right.url) ? [] : ["url"]),
    ...differentKeys(byName(left.headers), byName(right.headers), isSame).map((name) => `header ${name}`),
    ...files,
    ...(canonicalJson(asJson(left.oauth ?? {})) === canonicalJson(asJson(right.oauth ?? {})) ? [] : ["oauth"]),
  ];
}

function differentKeys(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
  isSame: IsSameValue,
): string[] {
  return [...new Set([...left.keys(), ...right.keys()])].filter((name) => {
    const [one, other] = [left.get(name), right.get(name)];
    return one === undefined || other === undefined ? true : !isSame(one, other);
  });
}

import { withoutUndefined } from "../json/without-undefined.ts";
import { isJsonObject, type JsonObject, ownValue } from "../json/json.ts";
import type { ServerEntry } from "./config.ts";
import { serverJsonInvalid } from "../errors.ts";
import { fillInput, type Filled, listInputs, readText } from "./server-json-inputs.ts";

/** How packages of a registry are started: the program, and the words before the arguments of the package. */
interface Starter {
  /** The host of the only registry that the program takes packages from. */
  registry: RegExp;
  /** What identifies one package at one version; undefined where that is not exact. */
  pin: (identifier: string, version: string | undefined) => string | undefined;
  start: (pinned: string, variables: readonly string[]) => { command: string; words: string[] };
  /** Options of the program that change nothing; others could give the package more than codemode shows. */
  harmless: readonly string[];
}

const NPM_NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i;
const PYPI_NAME = /^[a-z0-9][\w.-]*$/i;
const IMAGE = /^[a-z0-9][\w.-]*(?::\d+)?(?:\/[a-z0-9][\w.-]*)*$/i;
/** Digits first: neither a tag such as `latest` nor a range. */
const EXACT = /^v?\d[\w.!+-]*$/;

const STARTERS: Readonly<Record<string, Starter>> = {
  npm: {
    registry: /^https:\/\/registry\.npmjs\.(?:org|com)\/?$/,
    pin: (name, version = "") =>
      NPM_NAME.test(name) && /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) ? `${name}@${version}` : undefined,
    start: (pinned) => ({ command: "npx", words: ["-y", pinned] }),
    harmless: ["-y", "--yes"],
  },
  pypi: {
    registry: /^https:\/\/pypi\.org(?:\/simple)?\/?$/,
    pin: (name, version = "") => (PYPI_NAME.test(name) && isExact(version) ? `${name}@${version}` : undefined),
    start: (pinned) => ({ command: "uvx", words: [pinned] }),
    harmless: [],
  },
  oci: {
    registry: /^https:\/\/(?:docker\.io|index\.docker\.io|ghcr\.io|quay\.io|mcr\.microsoft\.com)\/?$/,
    pin: pinImage,
    start: (pinned, variables) => ({
      command: "docker",
      words: ["run", "-i", "--rm", ...variables.flatMap((name) => ["-e", name]), pinned],
    }),
    harmless: ["-i", "--interactive", "--rm"],
  },
};

function isExact(version: string): boolean {
  return EXACT.test(version) && !/[x*]$/i.test(version);
}

/** An image with a tag that looks like a version, or a digest; newer documents have it in the identifier. */
function pinImage(identifier: string, version: string | undefined): string | undefined {
  const [, image = "", tag, digest] = /^(.*?)(?::([\w.-]+))?(@sha256:[0-9a-f]{64})?$/.exec(identifier) ?? [];
  const pinned = tag ?? (version === "" ? undefined : version);
  if (!IMAGE.test(image) || (digest === undefined && !isExact(pinned ?? ""))) return undefined;
  return `${image}${pinned === undefined ? "" : `:${pinned}`}${digest ?? ""}`;
}

/** The entry that starts a package, or why there is none. */
export function toCommand(item: JsonObject): { entry: ServerEntry; left: string[] } | string {
  const type = readText(item, "registryType") ?? "";
  const starter = Object.hasOwn(STARTERS, type) ? STARTERS[type] : undefined;
  if (starter === undefined) return `packages of "${type}" cannot be started`;
  const transport = ownValue(item, "transport");
  if (isJsonObject(transport) && readText(transport, "type") !== "stdio") return `its ${type} package speaks no stdio`;
  const base = readText(item, "registryBaseUrl");
  if (base !== undefined && !starter.registry.test(base))
    throw serverJsonInvalid(`its package is in another registry, ${base}`);
  const identifier = readText(item, "identifier") ?? "";
  const pinned = starter.pin(identifier, readText(item, "version"));
  if (pinned === undefined) throw serverJsonInvalid(`"${identifier}" is no ${type} package at an exact version`);
  const extra = listArguments(item, "runtimeArguments").find((word) => !starter.harmless.includes(word));
  if (extra !== undefined) throw serverJsonInvalid(`it asks for the option ${extra} of the program that starts it`);
  const { values, left }: Filled = listInputs(item, "environmentVariables");
  const { command, words } = starter.start(pinned, [...values.keys()]);
  const args = [...words, ...listArguments(item, "packageArguments")];
  return {
    entry: { command, args, ...withoutUndefined({ env: values.size === 0 ? undefined : Object.fromEntries(values) }) },
    left,
  };
}

/** The words of a list of arguments; one without a value that must have one is a placeholder of its name. */
function listArguments(item: JsonObject, key: "packageArguments" | "runtimeArguments"): string[] {
  const list = ownValue(item, key);
  return (Array.isArray(list) ? list.filter(isJsonObject) : []).flatMap((argument) => {
    const name = readText(argument, "name") ?? "";
    const value = fillInput(argument, name.replace(/^-+/, "") || readText(argument, "valueHint") || "ARGUMENT");
    if (readText(argument, "type") !== "named") return value === undefined ? [] : [value];
    if (!/^-{1,2}[\w][\w.-]*$/.test(name)) throw serverJsonInvalid(`"${name}" is no option`);
    if (value !== undefined) return [name, value];
    return ["isRequired", "value", "default", "valueHint", "format"].some((word) => Object.hasOwn(argument, word))
      ? []
      : [name];
  });
}

import type { ApiDocument } from "../document/parse-document.ts";
import { arrayAt, type JsonObject, isObject, objectAt, textAt } from "../json.ts";
import { OpenApiError, toLine } from "../openapi-error.ts";

/** A variable in the address of a server. */
export interface AddressVariable {
  name: string;
  /** What stands for it. */
  value: string;
  /** The values that the document allows; empty where it allows any. */
  choices: string[];
  /** Whether a person, or a choice of the document, says the value. A default among any values is an example. */
  isSettled: boolean;
}

/** The address of a server of a document. */
export interface ServerAddress {
  /** As the document writes it. */
  template: string;
  /** Undefined where it is no address that calls can go to. */
  url: URL | undefined;
  variables: AddressVariable[];
}

/** Values for variables, as a person gives them. */
export type GivenVariables = ReadonlyMap<string, string>;

/** Reads `NAME=VALUE` for variables of the document's servers. */
export function readServerVariables(document: ApiDocument, texts: readonly string[]): GivenVariables {
  const known = new Map(
    listServers(document)
      .flatMap((server) => Object.entries(objectAt(server, "variables") ?? {}))
      .toReversed(),
  );
  const pairs = texts.map((text): [string, string] => {
    const at = text.indexOf("=");
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    const variable = known.get(name);
    if (at < 1 || value === "" || /[{}]/.test(value))
      throw new OpenApiError("COMMAND_INVALID", "--server-variable is no pair", "Write it as NAME=VALUE.");
    if (variable === undefined) {
      const names = [...known.keys()].join(", ");
      const hint = names === "" ? "Its servers have none." : `There are ${names}.`;
      throw new OpenApiError("COMMAND_INVALID", `no server of the document has a variable ${name}`, hint);
    }
    const choices = choicesOf(variable);
    if (choices.length > 0 && !choices.includes(value)) {
      const cause = `the variable ${name} of the server cannot be ${JSON.stringify(value)}`;
      throw new OpenApiError("COMMAND_INVALID", cause, `Use ${choices.join(" or ")}.`);
    }
    return [name, value];
  });
  return new Map(pairs);
}

/** The servers of the document, then the servers of single paths and operations. */
function listServers({ root }: ApiDocument): JsonObject[] {
  const paths = Object.values(objectAt(root, "paths") ?? {}).filter(isObject);
  const holders = [root, ...paths, ...paths.flatMap((path) => Object.values(path).filter(isObject))];
  return holders.flatMap((holder) => arrayAt(holder, "servers").filter(isObject));
}

/** The address of a server. What a server of one operation does not say of a variable, the servers of the document do. */
export function readServerAddress(server: JsonObject, document: ApiDocument, given: GivenVariables): ServerAddress {
  const template = textAt(server, "url") ?? "/";
  const own = objectAt(server, "variables") ?? {};
  const variables: AddressVariable[] = [];
  const text = template.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = objectAt(own, name) ?? findVariable(document, name);
    // Such a name stands in hints, as an option to write.
    if (!/^[\w.-]{1,100}$/.test(name)) return whole;
    const value = given.get(name) ?? (variable && textAt(variable, "default"));
    if (value === undefined) return whole;
    const choices = choicesOf(variable);
    variables.push({ name, value, choices, isSettled: given.has(name) || choices.includes(value) });
    return value;
  });
  return { template, url: toUrl(text, document.address), variables };
}

/**
 * A login goes to no host that is an example of the document's author: each variable of the address is settled.
 * @throws OpenApiError (`SERVER_REFUSED`) with what to give
 */
export function assertSettled({ template, url, variables }: ServerAddress): void {
  const open = variables.filter(({ isSettled }) => !isSettled);
  if (open.length === 0) return;
  const examples = open.map(({ name, value }) => `${name} (its example: ${value})`).join(", ");
  const cause = `#/servers: the address ${template} is not complete: there is no value for ${toLine(examples, 200)}`;
  const wanted = open.map(({ name }) => `--server-variable ${name}=VALUE`).join(" ");
  const address = url?.href.replace(/\/$/, "") ?? "";
  // It is copied into a shell: the words of a document are nothing but an address there.
  const whole = /^[\w:/.%-]+$/.test(address) ? `, or if the example is right, --base-url ${address}` : "";
  throw new OpenApiError("SERVER_REFUSED", cause, `Give ${wanted}${whole}.`);
}

function findVariable(document: ApiDocument, name: string): JsonObject | undefined {
  return arrayAt(document.root, "servers")
    .map((server) => (isObject(server) ? objectAt(objectAt(server, "variables") ?? {}, name) : undefined))
    .find((variable) => variable !== undefined);
}

function choicesOf(variable: unknown): string[] {
  return isObject(variable) ? arrayAt(variable, "enum").filter((one) => typeof one === "string") : [];
}

function toUrl(text: string, base: URL | undefined): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined;
  const url = new URL(text, base?.href);
  const isUsable =
    /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && !/[{}]|%7B/i.test(url.href);
  return isUsable ? url : undefined;
}

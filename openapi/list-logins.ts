import type { ApiDocument } from "./document/parse-document.ts";
import { type JsonObject, textAt } from "./json.ts";
import { toLine } from "./openapi-error.ts";
import type { Operation } from "./operations.ts";
import { type Credentials, listSchemes } from "./request/credentials.ts";
import type { ApiTool } from "./tools/make-tools.ts";

/** A login that operations of a document want. */
export interface ApiLogin {
  /** The name of the security scheme. */
  name: string;
  /** In the words of the specification, such as `apiKey in header X-Key`. */
  kind: string;
  /** The environment variables that it is read from. */
  variables: string[];
  /** Variables that change how a token is fetched, where it is. */
  settings: string[];
}

const SETTINGS = ["CLIENT_AUTH", "SCOPE", "TOKEN_URL"];

/** The logins of these operations, in the order of the document. */
export function listLogins(document: ApiDocument, operations: Operation[], { variables }: Credentials): ApiLogin[] {
  const schemes = new Map(listSchemes(document.root, "").map(({ name, definition }) => [name, definition]));
  const wanted = new Set(operations.flatMap(({ security }) => security.flat()));
  return [...variables].flatMap(([name, names]) => {
    if (!wanted.has(name)) return [];
    const client = names.find((variable) => variable.endsWith("_CLIENT_ID"));
    const settings = client === undefined ? [] : SETTINGS.map((setting) => client.replace(/CLIENT_ID$/, setting));
    const files = names.filter((variable) => variable.endsWith("_REFRESH_TOKEN")).map((variable) => `${variable}_FILE`);
    const kind = kindOf(schemes.get(name) ?? {});
    return [{ name: toLine(name, 100), kind, variables: names, settings: [...settings, ...files] }];
  });
}

const LOGIN_NAME = /^(?:x[-_])?(?:(?:(?:api|access|auth|bearer|bot|app|session)[-_]?)?token|api[-_]?key)$/i;

/** The arguments that look like a login, with the number of tools that have each. */
export function countLoginArguments(tools: readonly ApiTool[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { plan } of tools)
    for (const { wireName, target } of plan.arguments)
      if (target !== "body" && LOGIN_NAME.test(wireName)) counts.set(wireName, (counts.get(wireName) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function kindOf(scheme: JsonObject): string {
  const type = textAt(scheme, "type") ?? "";
  const where = `in ${textAt(scheme, "in") ?? "?"} ${textAt(scheme, "name") ?? "?"}`;
  const details = type === "apiKey" ? where : (textAt(scheme, "scheme") ?? "");
  return toLine(`${type} ${details}`.trimEnd(), 100);
}

import { type JsonObject, objectAt, textAt } from "../json.ts";

/** A login of the document that gives tokens: a scheme of type `oauth2` or `openIdConnect`. */
export interface LoginScheme {
  name: string;
  /** What the names of its environment variables begin with, such as `OPENAPI_PET_AUTH`. */
  variable: string;
  /** Its place in the document, for errors. */
  pointer: string;
  definition: JsonObject;
}

/** Whether tokens for a scheme can be fetched. */
export function givesTokens(definition: JsonObject): boolean {
  return ["oauth2", "openIdConnect"].includes(textAt(definition, "type") ?? "");
}

/** Whether a provider says its addresses itself (OpenID Connect Discovery). */
export function isOpenId({ definition }: LoginScheme): boolean {
  return textAt(definition, "type") === "openIdConnect";
}

/** A flow of a scheme; absent where the document does not have it. */
export function flowOf({ definition }: LoginScheme, name: string): JsonObject | undefined {
  return objectAt(objectAt(definition, "flows") ?? {}, name);
}

/** The flow of a person in a browser. `accessCode` of Swagger 2.0 has become it by then. */
export function codeFlowOf(scheme: LoginScheme): JsonObject | undefined {
  return flowOf(scheme, "authorizationCode");
}

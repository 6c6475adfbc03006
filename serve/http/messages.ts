import { isJsonObject, type JsonObject, type JsonValue } from "../../schemas/json/json.ts";

/** The messages of a body: one, or in old revisions a list. */
export function toMessages(body: JsonValue | undefined): JsonObject[] {
  return [body].flat().filter((message): message is JsonObject => message !== undefined && isJsonObject(message));
}

/** Tells whether a message starts something that has to be answered; a notification or an answer does not. */
export function isRequest(message: JsonObject): boolean {
  return Object.hasOwn(message, "method") && Object.hasOwn(message, "id");
}

/** Tells whether a request is a subscription, which is answered for as long as the client likes. */
export function isSubscription(message: JsonObject): boolean {
  return message["method"] === "subscriptions/listen";
}

/** The request that a message cancels. */
export function cancelledRequest({ method, params }: JsonObject): string | number | undefined {
  if (method !== "notifications/cancelled" || !isJsonObject(params)) return undefined;
  const { requestId } = params;
  return typeof requestId === "string" || typeof requestId === "number" ? requestId : undefined;
}

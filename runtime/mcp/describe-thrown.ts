/** Causes of an error that its message names. */
const MAX_CAUSES = 3;
const MAX_PRINTED = 2_000;

/**
 * The message of anything that a function has thrown: of an error with what caused it, as a failed `fetch` says only there why; of an object its
 * message, or its JSON; else its text.
 */
export function describeThrown(thrown: unknown): string {
  const messages: string[] = [];
  for (let error = thrown; error !== undefined && messages.length <= MAX_CAUSES; error = causeOf(error)) {
    const message = messageOf(error);
    if (!messages.some((said) => said.includes(message))) messages.push(message);
  }
  return messages.join(": ");
}

function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const { message, code, name } = error as { message?: unknown; code?: unknown; name?: unknown };
  if (typeof message === "string" && message !== "") return message;
  if (!(error instanceof Error)) return printed(error);
  // The errors of several addresses have a code and no message.
  return typeof code === "string" && code !== "" ? code : String(name);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? undefined) : undefined;
}

function printed(value: object): string {
  try {
    const json = JSON.stringify(value) as string | undefined;
    if (json !== undefined) return json.length > MAX_PRINTED ? `${json.slice(0, MAX_PRINTED)}…` : json;
  } catch {
    // A circle, or what JSON does not have: its text is left.
  }
  return String(value);
}

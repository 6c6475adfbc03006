/** The media type without its parameters, in lower case. */
export function bareType(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Whether a media type is JSON; any type is taken as it. */
export function isJson(contentType: string): boolean {
  const type = bareType(contentType);
  return /^(?:application|text)\/json$|\+json$/.test(type) || type === "*/*" || type === "application/*";
}

/** Whether a media type is text for people or programs. */
export function isText(contentType: string): boolean {
  const type = bareType(contentType);
  return /^text\/|\+xml$|^application\/(?:xml|yaml|x-yaml|javascript|x-ndjson|ndjson|jsonl|graphql|toml|sql)$/.test(
    type,
  );
}

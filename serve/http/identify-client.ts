import { timingSafeEqual } from "node:crypto";
import { digestToken, type HttpClient } from "./http-clients.ts";
import { readBearer } from "./read-bearer.ts";

/** The client whose token the Authorization header carries; every token is looked at, so that time tells nothing. */
export function identifyClient(
  authorization: string | undefined,
  clients: readonly HttpClient[],
): HttpClient | undefined {
  const token = readBearer(authorization);
  const digest = token === undefined ? undefined : digestToken(token);
  let found: HttpClient | undefined;
  for (const client of clients) {
    if (client.tokenDigest === undefined) found ??= client;
    else if (digest !== undefined && timingSafeEqual(digest, client.tokenDigest)) found = client;
  }
  return found;
}

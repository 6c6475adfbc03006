import { createHash, webcrypto } from "node:crypto";
import {
  type DpopKeyPair,
  DpopSession,
  type FetchLike,
  generateDpopKeyPair,
  withDpop,
} from "@modelcontextprotocol/client";

/** The private key that tokens are bound to (RFC 9449). The token alone is of no use. */
export type DpopKey = webcrypto.JsonWebKey;

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

export async function makeDpopKey(): Promise<DpopKey> {
  const { privateKey } = await generateDpopKeyPair({ extractable: true });
  return webcrypto.subtle.exportKey("jwk", privateKey);
}

/** A session signs requests, and remembers the nonces of servers. */
export async function openDpopSession({ kty, crv, x, y, d }: DpopKey): Promise<DpopSession> {
  const publicJwk = { kty: kty ?? "", crv: crv ?? "", x: x ?? "", y: y ?? "" };
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey("jwk", { ...publicJwk, d: d ?? "" }, ALGORITHM, false, ["sign"]),
    webcrypto.subtle.importKey("jwk", publicJwk, ALGORITHM, true, ["verify"]),
  ]);
  const keyPair: DpopKeyPair = { privateKey, publicKey, publicJwk, thumbprint: thumbprintOf(publicJwk), alg: "ES256" };
  return DpopSession.create({ keyPair });
}

/** Adds the proof of a session to each request. */
export function addProof(session: DpopSession, token: () => string | undefined, next: FetchLike): FetchLike {
  return withDpop(session, token)(next);
}

/** RFC 7638: the members in the order of their names. */
function thumbprintOf({ crv, kty, x, y }: Record<"crv" | "kty" | "x" | "y", string>): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

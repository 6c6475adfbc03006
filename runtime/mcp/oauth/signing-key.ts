import { createPrivateKey, type KeyObject } from "node:crypto";

/** What a client signs its name with (RFC 7523), as the SDK takes it. */
export interface SigningKey {
  privateKey: Record<string, unknown>;
  /** A JWS algorithm. */
  algorithm: string;
}

/**
 * Reads a private key in PEM or as a JWK. In an environment variable its lines may be separated by `\n` as two characters.
 * Throws an error that does not quote it.
 */
export function toSigningKey(text: string): SigningKey {
  const key = parseKey(text);
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) throw new Error('the key of "oauth" is neither RSA, EC nor Ed25519');
  return { privateKey: key.export({ format: "jwk" }), algorithm };
}

function parseKey(text: string): KeyObject {
  try {
    if (text.startsWith("{"))
      return createPrivateKey({ key: JSON.parse(text) as Record<string, string>, format: "jwk" });
    return createPrivateKey(text.replaceAll("\\n", "\n"));
  } catch {
    throw new Error('the key of "oauth" is no private key in PEM or JWK');
  }
}

const OF_CURVE: Readonly<Record<string, string>> = { prime256v1: "ES256", secp384r1: "ES384", secp521r1: "ES512" };

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  switch (asymmetricKeyType) {
    case "rsa":
      return "RS256";
    case "ec":
      return OF_CURVE[asymmetricKeyDetails?.namedCurve ?? ""];
    case "ed25519":
      return "EdDSA";
    default:
      return undefined;
  }
}

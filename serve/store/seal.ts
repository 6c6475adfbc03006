import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts what is kept in a store. */
export interface Sealer {
  /** @param place what the value belongs to: it can be opened at no other one */
  seal(place: string, value: Buffer): Buffer;
  /** Undefined where it was changed, moved, or sealed with another key. */
  open(place: string, sealed: Buffer): Buffer | undefined;
}

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key that is derived from the secret; the place is associated data. */
export function makeSealer(secret: string): Sealer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "codemode store 1", 32));
  return {
    seal(place, value) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(value), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]);
    },
    open(place, sealed) {
      try {
        const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
